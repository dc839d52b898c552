/**
 * The rules of the game, with the line that asks for the move at the selected node, or the one at which
 * they fail.
 */

import { el, fill, label } from "./dom.js";
import { pieces } from "./python.js";

export class Rules {
  constructor(app) {
    this.app = app;
    this.heading = el("span", { class: "file" });
    this.code = el("div", { class: "code", role: "region", tabindex: 0, "aria-label": "Lines of the rules" });
    this.hint = el("span", { class: "hint", role: "status" });
    this.element = el(
      "section",
      { class: "rules", "aria-labelledby": "rules-heading" },
      el("div", { class: "pane-head" }, el("h2", { id: "rules-heading" }, "Rules"), this.heading, this.hint),
      this.code,
    );
    this.element.addEventListener("shown", () => this.#scroll());
    app.on("game", () => this.#show(app.game.rules));
    app.on("problem", () => this.#showProblem());
    app.on("state", (changed) => changed.has("at") && this.#point());
  }

  /** The file as it is now, which cannot be run. */
  #showProblem() {
    const { problem } = this.app;
    if (!problem?.rules) return;
    this.#show(problem.rules);
    this.asked = {}; // no node is pointed at
    this.#mark(problem.line, true);
  }

  #show(rules) {
    this.here = null;
    fill(this.heading, rules ? label(rules.file) : null);
    if (!rules)
      fill(
        this.code,
        el("p", { class: "hint" }, "There are no rules to read: the game is a tree from a file."),
      );
    else {
      this.first = rules.first;
      fill(
        this.code,
        el(
          "div",
          { class: "code-lines" },
          pieces(rules.lines).map((line, at) => codeLine(line, rules.first + at)),
        ),
      );
    }
    this.#point();
  }

  async #point() {
    const asked = (this.asked = {});
    const node = await this.app.nodes.get(this.app.state.at).catch(() => null);
    if (asked !== this.asked || !this.app.game?.rules) return;
    this.#mark(node?.line ?? null, Boolean(node?.failed));
  }

  /** Mark a line: of rules that ask there for a move, or fail there. */
  #mark(line, fails) {
    this.here?.classList.remove("here", "fails");
    this.here?.removeAttribute("aria-current");
    this.here = line === null ? null : (this.code.firstElementChild?.children[line - this.first] ?? null);
    this.here?.classList.add(fails ? "fails" : "here");
    this.here?.setAttribute("aria-current", "true");
    const what = fails ? "fails" : "asks for the next move";
    this.hint.textContent = this.here ? `line ${line} ${what}` : "";
    this.#scroll();
  }

  #scroll() {
    if (!this.here || this.code.clientHeight === 0) return;
    const place = this.here.getBoundingClientRect();
    const frame = this.code.getBoundingClientRect();
    if (place.top < frame.top || place.bottom > frame.bottom) {
      this.code.scrollTop += place.top - frame.top - this.code.clientHeight / 3;
    }
  }
}

function codeLine(parts, number) {
  const words = parts.map(([kind, text]) => (kind ? el("span", { class: kind }, text) : text));
  return el(
    "div",
    { class: "code-line" },
    el("span", { class: "line-number", "aria-hidden": "true" }, number),
    el("code", {}, words),
  );
}
