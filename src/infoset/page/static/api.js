/**
 * Requests to the server. Everything that a page knows comes through here, so that a page that was
 * saved with its answers works without a server: `window.infosetRecorded` has `answers` by "GET path", and
 * the number of the `solution`. A page in a notebook (`window.infosetInNotebook`) sends its requests to
 * the page around it, which passes them on to the kernel.
 */

export const recorded = window.infosetRecorded ?? null;
const inNotebook = window.infosetInNotebook ?? false;
const PATIENCE = 30_000; // milliseconds that a kernel may be at work before it is asked again

/** What this page calls itself, so that the server knows who waits for a solution. */
export const client = Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(36))
  .join("")
  .slice(0, 24);

/** The server could not be reached, or did not answer. */
export class Unanswered extends Error {}

/**
 * An address with parameters, in the order that is given. A list gives one `name=value` for each;
 * what is null, undefined, "" or false is left out.
 */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== "" && one !== false) query.append(name, String(one));
    }
  }
  const words = query.toString();
  return words ? `${path}?${words}` : path;
}

/** The answer to a request as an object; throws an Error with the line that the server gave. */
export async function request(method, path, body = undefined, signal = undefined) {
  if (recorded) return fromRecord(method, path);
  const options = { method, signal };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "content-type": "application/json" };
  }
  const response = await reached(path, options);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  throw refusal(answer, response);
}

/** A file that the server makes, as a Blob. */
export async function requestFile(path) {
  if (recorded) return fromRecord("GET", path);
  const response = await reached(path, {});
  if (response.ok) return response.blob();
  throw refusal(await response.json().catch(() => null), response);
}

async function reached(path, options) {
  if (inNotebook) return fromKernel(path, options);
  try {
    return await fetch(path, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Unanswered("The server does not answer.");
  }
}

const asked = new Map(); // number → what is done with the answer
let requests = 0;

if (inNotebook)
  window.addEventListener("message", (event) => {
    if (event.source === window.parent) asked.get(event.data?.infoset?.number)?.(event.data.infoset);
  });

/** The answer of the kernel of the notebook that this page is in, as a Response. */
function fromKernel(path, { method = "GET", body = "", signal }) {
  const number = `${client}-${(requests += 1)}`;
  return new Promise((resolve, reject) => {
    const end = (act, what) => {
      asked.delete(number);
      clearTimeout(late);
      signal?.removeEventListener("abort", left);
      act(what);
    };
    const left = () => end(reject, signal.reason);
    const late = setTimeout(() => end(reject, new Unanswered("The kernel does not answer.")), PATIENCE);
    if (signal?.aborted) return left();
    signal?.addEventListener("abort", left);
    asked.set(number, ({ status, media_type: type, bytes }) =>
      end(resolve, new Response(bytes, { status, headers: { "content-type": type } })),
    );
    window.parent.postMessage({ infoset: { number, method, path, body } }, "*");
  });
}

function refusal(answer, response) {
  return new Error(answer?.error ?? `the server answered with status ${response.status}`);
}

function fromRecord(method, path) {
  const found = recorded.answers[`${method} ${recordedPath(path)}`];
  if (found === undefined) throw new Error("this page was saved without that part");
  return found;
}

const UNSAID = { first: "0", equilibrium: "1", at: "", as: "panels" };

/** A path as a saved page has it: in the order of the names, without what goes without saying. */
function recordedPath(path) {
  const [base, query = ""] = path.split("?");
  const said = [...new URLSearchParams(query)].filter(
    ([name, value]) => value !== UNSAID[name] && name !== "client" && name !== "only",
  );
  const solved = said.some(([name]) => name === "solution");
  if (base === "/api/node" && recorded.solution !== null && !solved)
    said.push(["solution", recorded.solution]);
  const words = said.map(([name, value]) => `${name}=${value}`).sort();
  return words.length ? `${base}?${words.join("&")}` : base;
}

/** Wait; `signal` ends the waiting with an AbortError. */
export function pause(milliseconds, signal = undefined) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", stopped, { once: true });
    function done() {
      signal?.removeEventListener("abort", stopped);
      resolve();
    }
    function stopped() {
      clearTimeout(timer);
      reject(signal.reason);
    }
  });
}
