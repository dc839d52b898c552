/** The node that is selected: how it came about, what is known there, and what a solution says of it. */

import { recorded } from "./api.js";
import { el, fill, label } from "./dom.js";
import { actionTable, beliefTable } from "./nodetables.js";
import { shown } from "./numbers.js";
import { isLeaf } from "./treerow.js";

export class Details {
  constructor(app) {
    this.app = app;
    this.body = el("div", { class: "details-body" });
    this.copy = el("button", { type: "button", onclick: () => this.#copy() }, "Copy link");
    this.said = el("span", { class: "copied", role: "status" });
    this.element = el(
      "section",
      { class: "details", "aria-labelledby": "details-heading" },
      el(
        "div",
        { class: "pane-head" },
        el("h2", { id: "details-heading" }, "Node"),
        el("div", { class: "tools" }, this.said, this.copy),
      ),
      this.body,
    );
    app.on("game", () => this.#show());
    app.on("solution", () => this.#show());
    app.on("solving", () => app.solving.job?.error && this.#show());
    app.on("state", (changed) => changed.has("at") && this.#show());
  }

  async #show() {
    if (!this.app.game) return;
    const asked = (this.asked = {});
    const node = await this.app.attempt(() => this.app.nodes.get(this.app.state.at));
    if (asked !== this.asked) return;
    fill(this.body, node ? this.#parts(node) : el("p", { class: "hint" }, "This node cannot be shown."));
  }

  #parts(node) {
    return [
      this.#history(node),
      this.#now(node),
      knowledge(node, this.app),
      node.solved ? this.#solved(node) : !isLeaf(node) && el("p", { class: "hint" }, this.#without()),
    ];
  }

  #without() {
    const over = ["failed", "stopped"].includes(this.app.solving.job?.state);
    return over ? "The game is not solved: there are no values." : "Values follow with the solution.";
  }

  #history(node) {
    const step = (words, at, who) => {
      const here = at === node.at;
      const attributes = {
        href: this.app.href({ at }),
        "aria-current": here ? "location" : null,
        onclick: (event) => this.#follow(event, at),
      };
      const dot =
        who && el("span", { class: "dot", "aria-hidden": "true", style: this.app.playerColours.style(who) });
      const hidden = who && el("span", { class: "sr" }, `${who.slice(0, 80)}: `);
      return el("li", {}, el("a", attributes, dot, hidden, label(words)));
    };
    const steps = node.history.map((one) => step(one.move, one.at, one.who));
    return el(
      "nav",
      { "aria-label": "History" },
      el("ol", { class: "history" }, step("start", "", null), steps),
    );
  }

  #follow(event, at) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.app.go({ at });
    this.body.querySelector("[aria-current]")?.focus();
  }

  #now(node) {
    const { playerColours, game } = this.app;
    if (node.failed)
      return [
        el("p", { class: "mover" }, "The rules fail here."),
        el("p", { class: "problem", dir: "auto" }, node.failed.message),
      ];
    if (node.kind === "end") {
      const one = (amount, at) =>
        el(
          "li",
          { class: "player", style: playerColours.style(game.players[at]) },
          label(game.players[at]),
          el("span", { class: "payoff" }, shown(amount)),
        );
      return [
        el("p", { class: "mover" }, "The game is over."),
        el("ul", { class: "players", "aria-label": "Payoffs" }, node.payoffs.map(one)),
      ];
    }
    if (node.kind === "chance")
      return el(
        "p",
        { class: "mover" },
        el("span", { class: "badge chance" }, "chance"),
        ` moves: ${node.count.toLocaleString("en")} outcomes`,
      );
    const { player } = node.infoset;
    return el(
      "p",
      { class: "mover" },
      label(player, { class: "badge", style: playerColours.style(player) }),
      ` moves: ${node.count.toLocaleString("en")} actions`,
    );
  }

  #solved(node) {
    const { solved } = node;
    const { app } = this;
    const values = (solved.values ?? [])
      .map((one, at) => [app.game.players[at], one])
      .filter(([, one]) => one);
    const parts = [];
    const facts = [
      ...(solved.reach ? [["reached with", shown(solved.reach)]] : []),
      ...(solved.set_reach && !solved.reach ? [["reached with", shown(solved.set_reach)]] : []),
      ...(solved.value && !solved.values ? [[label(node.infoset.player), shown(solved.value)]] : []),
      ...values.map(([player, one]) => [label(player), shown(one)]),
    ];
    if (facts.length || solved.actions?.length) parts.push(el("h3", {}, "In the solution"));
    if (facts.length)
      parts.push(
        el(
          "dl",
          { class: "facts" },
          facts.map(([name, words]) => el("div", {}, el("dt", {}, name), el("dd", {}, words))),
        ),
      );
    if (solved.actions?.length) parts.push(actionTable(node, app));
    if (solved.note)
      parts.push(
        el("p", { class: "hint", dir: "auto" }, solved.note.slice(0, 800).replace(/(^|[ (])-(?=\d)/g, "$1−")),
      );
    if (solved.actions?.length && solved.number !== undefined && !recorded) {
      const otherwise = () =>
        app.tell("lock", { number: solved.number, infoset: node.infoset, actions: solved.actions });
      parts.push(el("button", { type: "button", onclick: otherwise }, "Lock this strategy"));
    }
    if (solved.beliefs?.length) parts.push(...beliefTable(solved.beliefs, this.app));
    if (solved.many)
      parts.push(
        el("p", { class: "hint" }, `The information set has ${solved.many.toLocaleString("en")} nodes.`),
      );
    return parts;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.said.textContent = "Copied";
      setTimeout(() => (this.said.textContent = ""), 2000);
    } catch {
      const field = el("input", {
        class: "link-field",
        readonly: true,
        value: location.href,
        "aria-label": "Link to this view",
      });
      this.said.replaceChildren(field);
      field.select();
    }
  }
}

function knowledge(node, app) {
  const row = (one) => {
    const mover = node.infoset?.player === one.player;
    return el(
      "div",
      { class: mover ? "is-mover" : "" },
      el("dt", { style: app.playerColours.style(one.player) }, label(one.player), " knows"),
      el("dd", {}, label(one.label, { class: "wraps" })),
    );
  };
  return el("dl", { class: "knows" }, node.knows.map(row));
}
