/**
 * What the address of the page says, after `#`, so that a link opens the same view:
 * `#set=ranks%3D4&at=0.3.1&tab=strategies`. Locked strategies are there as `lock=7:0,1`, the number of an
 * information set with its probabilities, and the range of a sweep as `vary=ranks:3..6`.
 */

const NAMES = ["at", "tab", "method", "seconds", "equilibrium", "player", "where", "as", "outcomes", "vary"];
export const USUAL = {
  at: "",
  tab: "tree",
  method: "",
  seconds: "60",
  equilibrium: "1",
  player: "",
  where: "",
  as: "panels",
  outcomes: "",
  vary: "",
};

/** The state in an address; `set` is null where the address leaves the parameters to the server. */
export function read(hash = location.hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { ...USUAL };
  for (const name of NAMES) state[name] = given.get(name) ?? USUAL[name];
  state.lock = given.getAll("lock").filter((one) => one !== "");
  state.set = given.has("set") ? given.getAll("set").filter((one) => one !== "") : null;
  return state;
}

/** The address of a state. */
export function spelled(state) {
  const words = new URLSearchParams();
  if (state.set !== null) for (const one of state.set.length ? state.set : [""]) words.append("set", one);
  for (const name of NAMES) if (state[name] !== USUAL[name]) words.append(name, state[name]);
  for (const one of state.lock) words.append("lock", one);
  return `#${words}`;
}

/** Put a state into the address: as a new entry of the history, or in place of the last one. */
export function write(state, push) {
  const hash = spelled(state);
  if (hash === (location.hash || "#")) return;
  const address = hash === "#" ? location.pathname + location.search : hash;
  try {
    if (push) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
  } catch {
    /* a frame of a notebook has no address of its own */
  }
}
