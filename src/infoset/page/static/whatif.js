/** Other parameters, other methods, other equilibria, other play: and what follows. */

import { recorded } from "./api.js";
import { el, fill } from "./dom.js";
import { count } from "./numbers.js";
import { Locks } from "./locks.js";
import { ParameterForm } from "./parameters.js";
import { Sweep } from "./sweep.js";

export class WhatIf {
  constructor(app) {
    const parts = [new ParameterForm(app), new MethodForm(app), new Locks(app), new Sweep(app)];
    const saved = el(
      "p",
      { class: "hint" },
      "This page was saved: it shows one solution, and cannot compute others.",
    );
    this.element = el(
      "div",
      {},
      el("div", { class: "cards" }, recorded ? saved : parts.map((one) => one.element)),
    );
  }
}

/** How the game is solved, and which of several equilibria is shown. */
class MethodForm {
  constructor(app) {
    this.app = app;
    const { methods } = app.about;
    const options = methods.map((one) => el("option", { value: one.name }, one.name));
    const choose = () => app.go({ method: this.method.value, equilibrium: "1" });
    this.method = el(
      "select",
      { id: "method", onchange: choose, "aria-describedby": "method-about" },
      el("option", { value: "" }, "automatic"),
      options,
    );
    this.about = el("p", { class: "hint", id: "method-about" });
    const limit = () => this.seconds.reportValidity() && app.go({ seconds: this.seconds.value || "60" });
    this.seconds = el("input", {
      id: "seconds",
      type: "number",
      min: 1,
      max: 3600,
      step: 1,
      required: true,
      onchange: limit,
    });
    this.several = el("div", { class: "field", hidden: true });
    this.element = el(
      "section",
      { class: "card", "aria-labelledby": "method-heading" },
      el("h2", { id: "method-heading" }, "Method"),
      el("div", { class: "field" }, el("label", { for: "method" }, "Solve by"), this.method, this.about),
      el("div", { class: "field" }, el("label", { for: "seconds" }, "Time limit in seconds"), this.seconds),
      this.several,
    );
    app.on("state", () => this.#show());
    app.on("solution", () => this.#show());
    this.#show();
  }

  #show() {
    const { state, about, result } = this.app;
    this.#showMethods(result?.lacks ?? {});
    this.method.value = state.method;
    this.seconds.value = state.seconds;
    const usual = result
      ? `The kind of the game says which: here ${result.method} (${result.because}).`
      : "The kind of the game says which.";
    this.about.textContent = about.methods.find((one) => one.name === state.method)?.about ?? usual;
    this.#showEquilibria(result);
  }

  /** Methods that the game is not for cannot be chosen, and say why. */
  #showMethods(lacks) {
    for (const option of this.method.options) {
      const why = Object.hasOwn(lacks, option.value) ? lacks[option.value] : "";
      option.disabled = why !== "" && option.value !== this.app.state.method;
      option.textContent = `${option.value || "automatic"}${why && ` – ${why.slice(0, 70)}`}`;
    }
  }

  #showEquilibria(result) {
    const found = result?.equilibria ?? 1;
    this.several.hidden = found < 2;
    if (found < 2) return;
    if (Number(this.several.dataset.found) !== found) {
      const choose = (event) =>
        event.target.reportValidity() && this.app.go({ equilibrium: event.target.value || "1" });
      this.number = el("input", {
        id: "equilibrium",
        type: "number",
        min: 1,
        max: found,
        step: 1,
        required: true,
        onchange: choose,
      });
      const words = result.complete
        ? `These are all ${count(found, "extreme equilibrium", "extreme equilibria")}.`
        : `${count(found, "equilibrium", "equilibria")} were found; there may be others.`;
      const step = (by) => () =>
        this.app.go({ equilibrium: String(Math.min(found, Math.max(1, this.app.equilibrium + by))) });
      fill(
        this.several,
        el("label", { for: "equilibrium" }, "Equilibrium"),
        el(
          "div",
          { class: "stepper" },
          el("button", { type: "button", onclick: step(-1), "aria-label": "Previous equilibrium" }, "‹"),
          this.number,
          el("button", { type: "button", onclick: step(1), "aria-label": "Next equilibrium" }, "›"),
        ),
        el("p", { class: "hint" }, words),
      );
      this.several.dataset.found = found;
    }
    this.number.value = this.app.equilibrium;
  }
}
