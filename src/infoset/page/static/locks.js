/**
 * What follows if some information sets are played otherwise: what everybody is then paid, and what
 * the best reply of each player gains. Probabilities are fields and sliders, put in proportion.
 */

import { dataTable, row } from "./datatable.js";
import { debounced, el, fill, label } from "./dom.js";
import { swatch } from "./marks.js";
import { change, percent, shown } from "./numbers.js";

const MOST_ACTIONS = 60;

export class Locks {
  constructor(app) {
    this.app = app;
    this.locks = new Map(); // number of an information set → {infoset, actions, shares}
    this.list = el("div", { class: "locks" });
    this.answer = el("div", { class: "answer", "aria-live": "polite" });
    this.reset = el("button", { type: "button", hidden: true, onclick: () => this.#clear() }, "Reset all");
    this.add = el("button", { type: "button", hidden: true, onclick: () => this.#addSelected() });
    this.hint = el("p", { class: "hint" });
    this.ask = debounced(() => this.#ask(), 150);
    this.element = el(
      "section",
      { class: "card wide-card", "aria-labelledby": "locks-heading" },
      el("h2", { id: "locks-heading" }, "Play otherwise"),
      this.hint,
      el("div", { class: "buttons" }, this.add, this.reset),
      this.list,
      this.answer,
    );
    app.on("solution", () => this.#clear());
    app.on("game", () => this.#clear());
    app.on("state", (changed) => changed.has("at") && this.#offer());
    app.on("lock", (one) => this.#lock(one));
  }

  #clear() {
    this.locks.clear();
    fill(this.list);
    fill(this.answer);
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
        : "Select a decision in the tree, and change its probabilities here.";
    if (this.app.solution === null || !this.app.game) return;
    const node = await this.app.nodes.get(this.app.state.at).catch(() => null);
    if (asked !== this.asked || !node?.solved?.actions?.length || node.solved.number === undefined) return;
    const { number, actions } = node.solved;
    this.offered = { number, actions, infoset: node.infoset };
    this.add.hidden = this.locks.has(number);
    fill(this.add, "Change ", label(`${node.infoset.player}: ${node.infoset.label}`));
    this.hint.textContent =
      "Whoever is not changed plays the equilibrium. Other decisions are selected in the tree.";
  }

  #addSelected() {
    if (this.offered) this.#lock(this.offered);
  }

  #lock({ number, infoset, actions }) {
    const shares = actions.map((one) => one.probability.value);
    if (actions.length > MOST_ACTIONS)
      this.app.alerts.show(`This decision has ${actions.length} actions: too many to change here.`);
    else if (!this.locks.has(number)) {
      const lock = { number, infoset, actions, usual: shares, shares: [...shares] };
      this.locks.set(number, lock);
      this.list.append(this.#box(lock));
      this.ask();
    }
    this.app.go({ tab: "what-if" });
    this.#offer();
    this.locks.get(number)?.first?.focus();
  }

  #box(lock) {
    const rows = lock.actions.map((one, at) => this.#row(lock, one, at));
    lock.show = () => rows.forEach((row, at) => row.show(lock.shares[at]));
    lock.first = rows[0].slider;
    const remove = () => {
      this.locks.delete(lock.number);
      box.remove();
      if (this.locks.size) this.ask();
      else fill(this.answer);
      this.#offer();
    };
    const usual = () => {
      lock.shares = [...lock.usual];
      lock.show();
      this.ask();
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
      rows.map((row) => row.element),
      el(
        "div",
        { class: "buttons" },
        el("button", { type: "button", onclick: usual }, "As in the equilibrium"),
        el("button", { type: "button", onclick: remove }, "Remove"),
      ),
    );
    lock.show();
    return box;
  }

  #row(lock, one, at) {
    const name = `${one.action.slice(0, 80)}, percent`;
    const slider = el("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": `${name}, slider` });
    const field = el("input", { type: "number", min: 0, max: 100, step: "any", "aria-label": name });
    const change = (from) => () => {
      const share = Math.min(100, Math.max(0, Number(from.value) || 0)) / 100;
      lock.shares = inProportion(lock, at, share);
      lock.show();
      this.ask();
    };
    slider.addEventListener("input", change(slider));
    field.addEventListener("change", change(field));
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

  async #ask() {
    const { app } = this;
    const locks = {};
    for (const [number, { shares, usual, actions }] of this.locks) {
      const same = shares.every((one, at) => one === usual[at]);
      locks[number] = same
        ? actions.map((one) => exact(one.probability))
        : shares.map((one) => Number(one.toFixed(6)));
    }
    if (!this.locks.size) return;
    const asked = (this.locksAsked = {});
    const found = await app.attempt(() => app.ask("POST", app.solutionPath("locked"), { locks }));
    if (found && asked === this.locksAsked && this.locks.size) fill(this.answer, answerTable(found, app));
  }
}

/** All probabilities if one is changed: what is left is shared as before, or as in the equilibrium. */
function inProportion({ shares, usual }, at, share) {
  if (shares.length === 1) return [1];
  const sumOf = (row) => row.reduce((sum, one, other) => (other === at ? sum : sum + one), 0);
  const weights = [shares, usual].find((row) => sumOf(row) > 1e-9) ?? shares.map(() => 1);
  const sum = sumOf(weights);
  return weights.map((one, other) => (other === at ? share : ((1 - share) * one) / sum));
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
