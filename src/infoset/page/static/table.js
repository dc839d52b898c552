/**
 * The table: a game that somebody plays in the browser. The address has the table and the token of a
 * seat after `#`, which no server log ever sees; whoever has it sees what the seat knows.
 */

import { address, pause, request, Unanswered } from "./api.js";
import { el, fill, label } from "./dom.js";
import { Boards } from "./table-board.js";
import { Options } from "./table-options.js";
import { actions, costChip, ending, hands, headline, review } from "./table-review.js";
import { Seats } from "./table-seats.js";
import { Setup } from "./table-setup.js";
import { drawn, held } from "./table-values.js";
import { themeButton } from "./theme.js";

const RETRY = 2000; // milliseconds
const NO_REASON = "the server answered with status"; // that it gave none: it is being stopped
const WATCHED = "They are playing. You see what is public, and everything when the game is over.";
const KNOWN = {
  own: "you",
  told: "told",
  forgot: "you know only",
  knows: "you know",
  public: "all are told",
};
const TITLES = ["What is public", "What you know"]; // of the log: for who watches, and for who plays

/** Start the application in an element. */
export async function start(root, about) {
  await style("table.css");
  await new Page(root, about).open();
}

/** A style sheet of this application alone. */
function style(name) {
  return new Promise((resolve) => {
    document.head.append(el("link", { rel: "stylesheet", href: name, onload: resolve, onerror: resolve }));
  });
}

class Page {
  #version = 0;
  #leave = null; // ends the request that waits for news
  state = null;

  constructor(root, about) {
    this.about = about;
    this.seats = new Seats();
    this.boards = new Boards((at) => this.#choose(at));
    this.options = new Options(
      (at) => this.#choose(at),
      () => this.place,
    );
    this.#build(root);
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => this.open());
  }

  #build(root) {
    this.name = el("h1", { class: "game-name" }, label(this.about.asked));
    this.status = el("p", { class: "turn", role: "status" });
    this.problem = el("p", { class: "failed", role: "alert" });
    this.public = el("div", { class: "public", role: "group", "aria-label": "On the table" });
    this.held = el("div", { class: "held", role: "group", "aria-label": "What you see" });
    this.hands = el("ul", { class: "hands", "aria-label": "What the others saw" }); // when it is over
    this.picture = el("p", { class: "failed", role: "status" }); // why there is no picture of the game's
    this.tools = el("div", { class: "table-tools" });
    this.advice = el("div", { class: "advice-box", "aria-live": "polite" });
    this.list = el("ol", { class: "events" });
    this.log = el(
      "div",
      { class: "log", role: "log", "aria-labelledby": "log-title", tabindex: "0" },
      this.list,
    );
    this.rules = el("details", { class: "table-rules" });
    this.after = el("div", { class: "after" });
    this.setup = el("div", { class: "setup-box" });
    this.main = el("main", { class: "table-main" }, this.#felt(), this.#side(), this.after, this.setup);
    const icon = el("img", { src: "icon.svg", alt: "", width: 22, height: 22 });
    const brand = el("div", { class: "brand" }, icon, "Infoset");
    const head = el("div", { class: "game-head" }, this.name, this.seats.list);
    root.classList.add("table-page");
    fill(root, el("header", { class: "top table-top" }, brand, head, themeButton()), this.main);
  }

  #felt() {
    const parts = [
      this.status,
      this.problem,
      this.public,
      this.held,
      this.hands,
      this.boards.element,
      this.picture,
      this.options.element,
    ];
    this.felt = el("section", { class: "felt", "aria-label": "The table" }, parts, this.tools, this.advice);
    return this.felt;
  }

  #side() {
    this.title = el("h2", { id: "log-title" }, TITLES[1]);
    this.side = el("section", { class: "side", "aria-labelledby": "log-title" });
    return fill(this.side, this.seats.invites, this.title, this.log, this.rules);
  }

  /** Show the table of the address, or make a new one. */
  async open() {
    const given = new URLSearchParams(location.hash.replace(/^#/, ""));
    this.place = { table: given.get("table") ?? "", token: given.get("token") ?? "" };
    this.#version = 0;
    this.state = null;
    this.#leave?.abort();
    this.seats.show({ seats: [] });
    fill(this.setup);
    for (const one of [this.felt, this.side, this.after]) one.hidden = true; // until something is known
    if (!this.place.table) return this.#newTable();
    this.#showRules();
    return this.#follow();
  }

  async #newTable() {
    const setup = new Setup(this.about.set, (opened) => this.#opened(opened));
    fill(this.setup, setup.element);
    try {
      await setup.load();
      setup.element.scrollIntoView({ block: "nearest" });
      setup.element.querySelector("select")?.focus({ preventScroll: true });
    } catch (error) {
      fill(setup.element, el("p", { class: "failed", role: "alert" }, error.message));
    }
  }

  #opened({ table, tokens, watch }) {
    const token = watch ?? Object.values(tokens)[0];
    location.hash = new URLSearchParams({ table, token }).toString();
  }

  // ------------------------------------------------------------------ what the server says

  /** The address of something about this table. */
  #path(what = "", parameters = {}) {
    const path = `/api/tables/${encodeURIComponent(this.place.table)}${what}`;
    return address(path, { token: this.place.token, ...parameters });
  }

  async #follow() {
    const { signal } = (this.#leave = new AbortController());
    while (!signal.aborted) {
      try {
        const found = await request("GET", this.#path("", { since: this.#version }), undefined, signal);
        if (signal.aborted) return; // another table is shown by now
        this.problem.textContent = "";
        if (!found.unchanged) this.#show(found);
      } catch (error) {
        if (signal.aborted) return;
        const stopping = error.message.startsWith(NO_REASON);
        if (!(error instanceof Unanswered || stopping)) return this.#closed(error);
        this.felt.hidden = false;
        this.problem.textContent = "The server does not answer. Trying again…";
        await pause(RETRY);
      }
    }
  }

  #closed(error) {
    this.felt.hidden = false;
    this.problem.textContent = sentence(error.message);
    if (this.state) this.boards.show((this.state = { ...this.state, options: null }));
    this.status.textContent = "";
    this.options.show({ options: null }, new Set());
    fill(
      this.tools,
      this.#button("Another table", () => this.#newTable(), "primary"),
    );
    fill(this.advice);
  }

  /** What everyone knows: the rules, and the cards that are parameters of the game. */
  async #showRules() {
    const found = await request("GET", this.#path("/about")).catch(() => null);
    const parameters = found?.parameters ?? [];
    const cards = parameters.filter((one) => one.value.kind === "cards");
    fill(
      this.public,
      cards.map((one) => drawn(one.value)),
    );
    this.public.hidden = !cards.length;
    const paragraphs = (found?.about ?? "").slice(0, 5000).split(/\n\s*\n/);
    const words = paragraphs.map((one) => el("p", { dir: "auto" }, one.replaceAll("``", "")));
    const values = parameters.map((one) => [el("dt", {}, label(one.name)), el("dd", {}, drawn(one.value))]);
    fill(this.rules, el("summary", {}, "The rules"), words, values.length > 0 && el("dl", {}, values));
    this.rules.hidden = !found?.about && !values.length;
  }

  #show(state) {
    const asked = !this.state?.options || this.tools.contains(document.activeElement);
    const turned = Boolean(state.options) && asked; // a move that is taken back is asked for again
    const free = document.activeElement === document.body || this.felt.contains(document.activeElement);
    this.#version = state.version;
    this.state = state;
    document.title = `${state.options ? "● " : ""}${state.seat ?? "watching"} · ${state.game}`;
    fill(this.name, label(state.game));
    this.felt.hidden = this.side.hidden = false;
    this.status.textContent = said(state);
    this.status.classList.toggle("yours", Boolean(state.options));
    this.seats.show(state);
    this.#showHeld(state);
    this.#showEvents(state);
    this.boards.show(state);
    this.picture.textContent = state.picture?.failed ?? "";
    const covered = Boards.covered(state);
    this.options.show(state, covered);
    fill(this.advice);
    this.#showTools(state);
    fill(this.after, state.over && ending(state, this.seats.colours), review(state));
    this.after.hidden = !state.over;
    if (turned && free) (covered.size ? this.boards : this.options).focus();
  }

  #showHeld(state) {
    const found = state.picture && !state.picture.failed ? state.picture.values : held(state.told);
    const values = el("div", {}, found.map(drawn));
    if (!values.isEqualNode(this.held.firstChild)) fill(this.held, values); // they are dealt once
    this.held.hidden = !found.length;
    fill(this.hands, hands(state, this.seats.colours));
    this.hands.hidden = !this.hands.childElementCount;
  }

  #showEvents(state) {
    const { list, log } = this;
    const atEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
    const rows = state.told.map(eventRow);
    // Only what is new is put in, so that it alone is read aloud.
    const changed = [...list.children].findIndex((old, at) => !rows[at] || !old.isEqualNode(rows[at]));
    const same = changed < 0 ? list.children.length : changed;
    while (list.children.length > same) list.lastChild.remove();
    list.append(...rows.slice(same));
    if (atEnd) log.scrollTop = log.scrollHeight;
    this.title.textContent = TITLES[Number(state.seat !== null)];
    this.side.classList.toggle("nothing", state.seat === null && !state.told.length);
  }

  // ------------------------------------------------------------------ what can be done

  #showTools(state) {
    const coach = state.coach?.state;
    fill(
      this.tools,
      state.options &&
        coach === "ready" &&
        this.#button("What would an equilibrium do?", () => this.#advise()),
      coach === "working" && el("p", { class: "note" }, "The coach is solving the game."),
      coach === "none" &&
        el("p", { class: "note" }, `The coach does not know this game: ${state.coach.why}.`),
      state.undo && this.#button("Take back", () => this.#post("undo")),
      state.again && this.#button("New deal", () => this.#post("again"), state.over ? "primary" : ""),
      this.#button("Another table", () => this.#newTable()),
    );
  }

  #button(words, action, kind = "") {
    return el("button", { type: "button", class: `tool ${kind}`.trim(), onclick: action }, words);
  }

  async #advise() {
    try {
      const found = await request("GET", this.#path("/advice"));
      const why = found.why && el("p", { class: "note" }, `Not known: ${found.why}.`);
      fill(this.advice, why || actions(found.actions, "What an equilibrium does here"));
    } catch (error) {
      this.problem.textContent = sentence(error.message);
    }
  }

  async #choose(option) {
    if (!this.state?.options) return;
    const { version } = this.state;
    this.state.options = null; // one answer to each question
    if (await this.#post("move", { option, version })) return;
    const refused = this.problem.textContent;
    this.#version = 0; // ask for all that is known, as at the start
    this.#leave.abort();
    this.#follow();
    this.problem.textContent = refused;
  }

  async #post(what, body = {}) {
    const { table, token } = this.place;
    this.problem.textContent = "";
    try {
      await request("POST", `/api/tables/${encodeURIComponent(table)}/${what}`, { token, ...body });
      return true;
    } catch (error) {
      this.problem.textContent = sentence(error.message);
      return false;
    }
  }

  #key(event) {
    const typing = event.target.closest?.("input, select, textarea, summary");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^[1-9]$/.test(event.key) && this.state?.options && !this.options.element.hidden) {
      event.preventDefault();
      this.options.press(Number(event.key));
    }
  }
}

/** Whose turn it is, as far as a seat may know. */
function said(state) {
  if (state.over) return headline(state);
  if (state.phase === "preparing") return "Solving the game, to play it well…";
  if (state.seat === null) return WATCHED;
  return state.options ? "Your turn" : "Waiting for the others…";
}

/** Why something was refused, as a sentence. */
function sentence(words) {
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}.`;
}

/** Something that the seat was told or did. */
function eventRow(one) {
  const words = el("span", { class: "event-kind", dir: "auto" }, one.who || KNOWN[one.by]);
  return el("li", { class: `event by-${one.by}` }, words, drawn(one), one.cost && costChip(one.cost));
}
