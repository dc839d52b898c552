/**
 * Strategies that are locked at some information sets: what everybody is then paid, and what the best
 * reply of each player gains. Probabilities are fields and sliders, put in proportion; the address of
 * the page has them, too.
 */

import { recorded } from "./api.js";
import { dataTable, row } from "./datatable.js";
import { el, fill, label } from "./dom.js";
import { swatch } from "./marks.js";
import { change, percent, shown } from "./numbers.js";

const MOST_ACTIONS = 60;

export class Locks {
  constructor(app) {
    this.app = app;
    this.locks = new Map(); // number of an information set → {infoset, actions, shares}
    this.list = el("div", { class: "locks" });
    this.answer = el("div", { class: "answer", "aria-live": "polite" });
    const reset = () => this.#changed(() => this.#clear());
    this.reset = el("button", { type: "button", hidden: true, onclick: reset }, "Unlock all");
    this.add = el("button", { type: "button", hidden: true, onclick: () => this.#addSelected() });
    this.hint = el("p", { class: "hint" });
    this.asking = false;
    this.late = false; // has something changed since it was asked?
    this.element = el(
      "section",
      { class: "card wide-card", "aria-labelledby": "locks-heading" },
      el("h2", { id: "locks-heading" }, "Locked strategies"),
      this.hint,
      el("div", { class: "buttons" }, this.add, this.reset),
      this.list,
      this.answer,
    );
    app.on("solution", () => this.#restore());
    app.on("game", () => this.#clear());
    app.on("state", (names) => {
      if (names.has("lock") && String(app.state.lock) !== String(this.#spelled())) this.#restore();
      else if (names.has("at")) this.#offer();
    });
    app.on("lock", (one) => this.#lock(one));
  }

  #clear() {
    this.locks.clear();
    fill(this.list);
    fill(this.answer);
    this.#offer();
  }

  /** Something else is locked than before: ask what follows, a moment later. */
  #changed(action = () => {}) {
    action();
    if (!this.locks.size) fill(this.answer);
    this.#ask();
  }

  /** What is locked, as the address has it. */
  #spelled() {
    return [...this.locks].map(([number, lock]) => `${number}:${sent(lock)}`);
  }

  /** Lock what the address says, in the solution that is shown. */
  async #restore() {
    const { app } = this;
    this.#clear();
    if (app.solution === null || recorded || !app.state.lock.length) return;
    const wanted = app.state.lock.map((one) => one.split(":"));
    const locks = Object.fromEntries(wanted.map(([number, shares]) => [number, String(shares).split(",")]));
    const asked = (this.locksAsked = {});
    const found = await app.attempt(() => app.ask("POST", app.solutionPath("locked"), { locks }));
    if (!found || asked !== this.locksAsked) return;
    for (const one of found.sets) {
      const weights = locks[one.number].map(portion);
      const sum = weights.reduce((all, share) => all + share, 0);
      this.#add(one, sum > 0 ? weights.map((share) => share / sum) : undefined);
    }
    fill(this.answer, answerTable(found, app));
    this.#offer();
  }

  /** Offer the information set that is selected in the tree. */
  async #offer() {
    const asked = (this.asked = {});
    this.reset.hidden = this.locks.size === 0;
    this.add.hidden = true;
    this.hint.textContent =
      this.app.solution === null
        ? "First the game has to be solved."
        : "Select a decision in the tree, and lock other probabilities there.";
    if (this.app.solution === null || !this.app.game) return;
    const node = await this.app.nodes.get(this.app.state.at).catch(() => null);
    if (asked !== this.asked || !node?.solved?.actions?.length || node.solved.number === undefined) return;
    const { number, actions } = node.solved;
    this.offered = { number, actions, infoset: node.infoset };
    this.add.hidden = this.locks.has(number);
    fill(this.add, "Lock ", label(`${node.infoset.player}: ${node.infoset.label}`));
    this.hint.textContent =
      "What is not locked is played as in the equilibrium. Other decisions are selected in the tree.";
  }

  #addSelected() {
    if (this.offered) this.#lock(this.offered);
  }

  #lock(one) {
    if (one.actions.length > MOST_ACTIONS)
      this.app.alerts.show(`This decision has ${one.actions.length} actions: too many to lock here.`);
    else if (!this.locks.has(one.number)) this.#changed(() => this.#add(one));
    this.app.go({ tab: "what-if" });
    this.#offer();
    this.locks.get(one.number)?.first?.focus();
  }

  /** Lock an information set, at first as it is played in the equilibrium unless shares are given. */
  #add({ number, infoset, actions }, shares = undefined) {
    const usual = actions.map((one) => one.probability.value);
    const lock = { number, infoset, actions, usual, shares: shares ?? [...usual] };
    this.locks.set(number, lock);
    this.list.append(this.#box(lock));
  }

  #box(lock) {
    const rows = lock.actions.map((one, at) => this.#row(lock, one, at));
    lock.show = () => rows.forEach((one, at) => one.show(lock.shares[at]));
    lock.first = rows[0].slider;
    const remove = () => {
      this.#changed(() => this.locks.delete(lock.number));
      box.remove();
      this.#offer();
    };
    const usual = () => {
      lock.shares = [...lock.usual];
      lock.show();
      this.#changed();
    };
    const { player, label: known } = lock.infoset;
    const box = el(
      "fieldset",
      { class: "lock" },
      el(
        "legend",
        {},
        label(player, { class: "badge", style: this.app.playerColours.style(player) }),
        " ",
        label(known),
      ),
      rows.map((one) => one.element),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", onclick: usual }, "As in the equilibrium"),
        el("button", { type: "button", onclick: remove }, "Unlock"),
      ),
    );
    lock.show();
    return box;
  }

  #row(lock, one, at) {
    const name = `${one.action.slice(0, 80)}, percent`;
    const slider = el("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": `${name}, slider` });
    const field = el("input", { type: "number", min: 0, max: 100, step: "any", "aria-label": name });
    const moved = (from) => () => {
      const share = Math.min(100, Math.max(0, Number(from.value) || 0)) / 100;
      lock.shares = inProportion(lock, at, share);
      lock.show();
      this.#changed();
    };
    slider.addEventListener("input", moved(slider));
    field.addEventListener("change", moved(field));
    const action = el(
      "span",
      { class: "lock-action" },
      swatch(this.app.actionColours.of(one.action)),
      label(one.action),
    );
    const usual = el("span", { class: "share" }, `usually ${percent(one.probability.value)}`);
    return {
      slider,
      element: el("div", { class: "lock-row" }, action, slider, field, usual),
      show: (share) => (slider.value = field.value = Number((100 * share).toFixed(2))),
    };
  }

  /** Ask what follows; while the answer is on its way, what changes is asked together after it. */
  async #ask() {
    this.late = this.asking;
    if (this.asking) return;
    this.asking = true;
    await this.#askNow().finally(() => (this.asking = false));
    if (this.late) this.#ask();
  }

  async #askNow() {
    const { app } = this;
    app.go({ lock: this.#spelled() }, false);
    if (!this.locks.size) return;
    const locks = Object.fromEntries([...this.locks].map(([number, lock]) => [number, sent(lock)]));
    const asked = (this.locksAsked = {});
    const found = await app.attempt(() => app.ask("POST", app.solutionPath("locked"), { locks }));
    if (found && asked === this.locksAsked && this.locks.size) fill(this.answer, answerTable(found, app));
  }
}

/** All probabilities if one is changed: what is left is shared as before, or as in the equilibrium. */
function inProportion({ shares, usual }, at, share) {
  if (shares.length === 1) return [1];
  const sumOf = (given) => given.reduce((sum, one, other) => (other === at ? sum : sum + one), 0);
  const weights = [shares, usual].find((given) => sumOf(given) > 1e-9) ?? shares.map(() => 1);
  const sum = sumOf(weights);
  return weights.map((one, other) => (other === at ? share : ((1 - share) * one) / sum));
}

/** What is sent for a locked information set: what the equilibrium plays is sent exactly. */
function sent({ shares, usual, actions }) {
  const same = shares.every((one, at) => one === usual[at]);
  return same ? actions.map((one) => exact(one.probability)) : shares.map((one) => Number(one.toFixed(6)));
}

/** A probability as the address has it, such as 0.25 or 1/4. */
function portion(words) {
  const [above, below = 1] = words.split("/").map(Number);
  return above / below || 0;
}

/** What is sent for a probability that is not changed: a fraction where it is short. */
function exact(probability) {
  return /^\d+\/\d+$/.test(probability.text) ? probability.text : Number(probability.value.toFixed(12));
}

function answerTable(found, app) {
  const rows = found.payoffs.map((one, at) => {
    const reply = found.replies[at];
    const player = label(one.player, { class: "player", style: app.playerColours.style(one.player) });
    const cells = [
      shown(one.amount),
      changed(one.change),
      shown(reply.amount),
      changed(reply.gain),
      changed(reply.over),
    ];
    return row(player, cells);
  });
  const columns = ["payoff", "change", "best reply", "its gain", "over equilibrium"].map((one) => [
    one,
    "number",
  ]);
  return dataTable("What follows", ["player", ...columns], rows);
}

function changed(number) {
  return [change(number), `number ${sign(number)}`];
}

function sign(number) {
  if (!number?.value) return "";
  return number.value > 0 ? "up" : "down";
}
