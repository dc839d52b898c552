/**
 * The application for inspecting a game. `View` holds what its parts share: the game, the state in
 * the address, the solution; parts listen for "game", "state", "solving" and "solution".
 */

import { address, pause, recorded, request, Unanswered } from "./api.js";
import { Alerts } from "./alerts.js";
import { ActionColours, PlayerColours } from "./colours.js";
import { el, fill } from "./dom.js";
import { Details } from "./details.js";
import { Downloads } from "./downloads.js";
import { Header } from "./header.js";
import { Nodes } from "./nodes.js";
import { Rules } from "./rules.js";
import { Solving } from "./solving.js";
import { read, spelled, write } from "./state.js";
import { Status } from "./status.js";
import { Strategies } from "./strategy.js";
import { Tabs } from "./tabs.js";
import { OutlineTree } from "./tree.js";
import { WhatIf } from "./whatif.js";

const RETRY = 2000; // milliseconds
const LOOK = 500; // how often the file of the rules is looked at
const WIDE = window.matchMedia("(min-width: 1000px)");

export class View extends EventTarget {
  game = null;
  solution = null; // the number of the solution that is shown
  actionColours = new ActionColours();
  playerColours = new PlayerColours([]);
  alerts = new Alerts();

  constructor(about) {
    super();
    this.about = about;
    this.state = read();
    this.nodes = new Nodes(this);
    this.solving = new Solving(this);
  }

  /** The parameters that are set, as `name=value`. */
  get parameters() {
    return recorded ? this.about.set : (this.state.set ?? this.about.set);
  }

  get equilibrium() {
    return Math.max(1, Number.parseInt(this.state.equilibrium, 10) || 1);
  }

  /** What was found, or null. */
  get result() {
    return this.solution === null ? null : (this.solving.job?.result ?? null);
  }

  /** The address of a question about the solution, and about one of its equilibria. */
  solutionPath(what, parameters = {}) {
    const equilibrium = this.equilibrium > 1 ? this.equilibrium : null;
    return address(`/api/solutions/${this.solution}/${what}`, { ...parameters, equilibrium });
  }

  on(name, listener) {
    this.addEventListener(name, (event) => listener(event.detail));
  }

  tell(name, detail = {}) {
    if (name === "solving") this.#solvingChanged();
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #solvingChanged() {
    const job = this.solving.job;
    const number = job?.state === "done" ? job.solution : null;
    const found = job?.result?.equilibria;
    if (number !== null && found && this.equilibrium > found) this.#change({ equilibrium: "1" }, false);
    if (number === this.solution) return;
    this.solution = number;
    this.tell("solution");
  }

  // ------------------------------------------------------------------ the address of the page

  /** The address of this page with some of the state changed. */
  href(changes) {
    return spelled({ ...this.state, ...changes });
  }

  /** Change the state, as a new entry of the history unless `push` is false. */
  go(changes, push = true) {
    const before = this.#change(changes, push);
    this.#changed(before);
  }

  #change(changes, push) {
    const before = this.state;
    this.state = { ...before, ...changes };
    if (JSON.stringify(this.state.set) === JSON.stringify(this.about.set)) this.state.set = null;
    write(this.state, push);
    return before;
  }

  /** The reader has gone back or forward, or has edited the address. */
  moved() {
    const before = this.state;
    this.state = read();
    if (spelled(before) !== spelled(this.state)) this.#changed(before);
  }

  #changed(before) {
    const is = (name) => JSON.stringify(before[name]) !== JSON.stringify(this.state[name]);
    const changed = new Set(Object.keys(this.state).filter(is));
    if (changed.has("set")) {
      changed.delete("at"); // of another game: everything is shown anew once it is open
      this.solving.drop();
      this.solution = null;
      this.open();
    } else if (changed.has("method") || changed.has("seconds")) this.solving.begin();
    else if (changed.has("equilibrium")) this.tell("solution");
    this.tell("state", changed);
  }

  // ------------------------------------------------------------------ requests

  /** Ask the server, for as long as it does not answer. */
  async ask(method, path, body = undefined, signal = undefined) {
    for (let failed = false; ; failed = true) {
      try {
        const answer = await request(method, path, body, signal);
        if (failed || this.alerts.has("server")) this.#answersAgain();
        return answer;
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
        await this.#unanswered(error, signal);
      }
    }
  }

  async #unanswered(error, signal) {
    let again;
    const wanted = new Promise((resolve) => (again = resolve));
    (this.waiting ??= []).push(again);
    if (!this.alerts.has("server")) {
      const retry = () => this.waiting.splice(0).forEach((one) => one());
      this.alerts.show(error.message, { key: "server", action: ["Try again", retry] });
    }
    await Promise.race([wanted, pause(RETRY, signal)]);
  }

  /** A server that was started anew has other solutions under the same numbers. */
  #answersAgain() {
    this.waiting = [];
    if (!this.alerts.has("server")) return;
    this.alerts.close("server");
    this.open();
  }

  /** Do something, and show what goes wrong; null then. */
  async attempt(action) {
    const { revision } = this;
    try {
      return await action();
    } catch (error) {
      if (error.name === "AbortError" || (revision && revision !== this.revision)) return null; // of rules of before
      if (/solve again$/.test(error.message)) this.solving.begin();
      else if (error.message !== this.problem?.message) this.alerts.show(error.message);
      return null;
    }
  }

  // ------------------------------------------------------------------ the game

  /** Open the game with the parameters in the address, and solve it. */
  async open() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const game = await this.attempt(() => this.ask("GET", address("/api/game", { set: this.parameters })));
    if (game === null || turn !== this.turn) return;
    if (game.revision !== this.revision) this.alerts.clear(); // what was wrong with rules of before
    this.revision = game.revision;
    this.nodes.forget();
    this.#problem(game.problem);
    if (game.problem) return;
    this.game = game;
    this.playerColours = new PlayerColours(game.players, game.agents);
    document.title = `${game.name.slice(0, 80)} – Infoset`;
    this.solution = null;
    this.tell("game");
    this.solving.begin();
  }

  #problem(problem) {
    document.body.classList.toggle("has-problem", Boolean(problem));
    this.alerts.close("problem");
    if (problem) this.alerts.close(problem.message); // as other requests told
    this.problem = problem;
    if (!problem) return;
    const line =
      problem.line && !problem.message.includes(`:${problem.line}`) ? ` (line ${problem.line})` : "";
    const usual = ["Usual parameters", () => this.go({ set: [], at: "", lock: [] })];
    const set = this.parameters.length > 0;
    this.alerts.show(problem.message + line, { key: "problem", action: set ? usual : null });
    this.tell("problem"); // after the line has taken its room
  }

  /** Notice when the file of the rules is saved. */
  async watch() {
    while (!recorded && this.about.asked.includes(".py")) {
      await pause(LOOK);
      const about = await this.ask("GET", "/api/about").catch(() => null);
      if (about && about.revision !== this.revision) await this.open();
    }
  }
}

/** Show the application in an element. */
export async function start(root, about) {
  const app = new View(about);
  const parts = { tree: new OutlineTree(app), details: new Details(app), rules: new Rules(app) };
  const main = el("main", { id: "main", tabindex: "-1" });
  const tabs = new Tabs(
    [
      ["tree", "Tree", treePanel(parts)],
      ["strategies", "Strategies", new Strategies(app).element],
      ["what-if", "What if", new WhatIf(app).element],
      ["rules", "Rules", el("div")],
      ["export", "Export", new Downloads(app).element],
    ],
    (tab) => app.go({ tab }),
  );
  const skip = el(
    "a",
    { class: "skip", href: "#main", onclick: (event) => skipTo(main, event) },
    "Skip to the game",
  );
  fill(main, tabs.list, tabs.panels);
  fill(root, skip, new Header(app).element, app.alerts.element, new Status(app).element, main);
  const place = () => showTab(app, tabs, parts.rules.element);
  app.on("state", place);
  WIDE.addEventListener("change", place);
  window.addEventListener("popstate", () => app.moved());
  place();
  await app.open();
  app.watch();
}

function treePanel({ tree, details }) {
  return el(
    "div",
    {},
    el(
      "div",
      { class: "workspace" },
      tree.element,
      el("div", { class: "side" }, details.element, el("div", { class: "rules-slot" })),
    ),
  );
}

/** The rules stand beside the tree where there is room, and in their own tab. */
function showTab(app, tabs, rules) {
  const name = tabs.tabs.has(app.state.tab) ? app.state.tab : "tree";
  tabs.show(name);
  const beside = WIDE.matches && name === "tree";
  const slot = beside ? tabs.panels.querySelector(".rules-slot") : tabs.tabs.get("rules").panel;
  if (rules.parentElement !== slot) slot.append(rules);
  rules.dispatchEvent(new CustomEvent("shown"));
}

function skipTo(main, event) {
  event.preventDefault();
  main.focus();
}
