/** The parameters of the family as fields, and the game that they choose. */

import { address } from "./api.js";
import { el, fill, label } from "./dom.js";

const SMALL = 30; // whole numbers that have a slider

export class ParameterForm {
  constructor(app) {
    this.app = app;
    this.fields = el("div", { class: "fields" });
    this.problem = el("p", { class: "problem", role: "alert" });
    this.buttons = el(
      "div",
      { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Apply"),
      el("button", { type: "button", onclick: () => this.#apply([]) }, "Usual parameters"),
    );
    const submit = (event) => {
      event.preventDefault();
      this.#apply(this.#chosen());
    };
    this.form = el(
      "form",
      { onsubmit: submit, autocomplete: "off" },
      this.fields,
      this.problem,
      this.buttons,
    );
    this.element = el(
      "section",
      { class: "card", "aria-labelledby": "parameters-heading" },
      el("h2", { id: "parameters-heading" }, "Parameters"),
      this.form,
    );
    app.on("game", () => this.#show());
  }

  #show() {
    const { parameters } = this.app.game;
    const none = el("p", { class: "hint" }, "This game has no parameters.");
    const apply = () => this.form.reportValidity() && this.#apply(this.#chosen());
    fill(this.fields, parameters.length ? parameters.map((one) => field(one, apply)) : none);
    fill(this.problem);
    this.buttons.hidden = parameters.length === 0;
  }

  /** What is set otherwise than usual. */
  #chosen() {
    const set = [];
    for (const one of this.app.game.parameters) {
      const input = this.form.elements[`parameter-${one.name}`];
      const value = one.kind === "truth" ? String(input.checked) : input.value.trim();
      if (value !== one.default) set.push(`${one.name}=${value}`);
    }
    return set;
  }

  async #apply(set) {
    const { app } = this;
    fill(this.problem);
    const game = await app.attempt(() => app.ask("GET", address("/api/game", { set })));
    if (!game) return;
    if (game.problem) this.problem.textContent = game.problem.message;
    else app.go({ set, at: "", equilibrium: "1", lock: [] });
  }
}

/** The field of a parameter; a slider calls `apply` when it is released. */
function field(one, apply) {
  const id = `parameter-${one.name}`;
  const name = el("label", { for: id, dir: "auto" }, one.name.slice(0, 100));
  const usual =
    one.default !== one.value && one.default !== ""
      ? el("span", { class: "hint" }, "usually ", label(one.default))
      : null;
  if (one.kind === "truth") {
    const box = el("input", { type: "checkbox", id, name: id, checked: one.value === "true" });
    return el("div", { class: "field check" }, box, name, usual);
  }
  if (one.kind === "whole") return el("div", { class: "field" }, name, wholeField(one, id, apply), usual);
  const mode = one.kind === "number" ? "decimal" : "text";
  return el(
    "div",
    { class: "field" },
    name,
    el("input", {
      type: "text",
      inputmode: mode,
      id,
      name: id,
      value: one.value,
      spellcheck: "false",
      maxlength: 400,
    }),
    usual,
  );
}

/** A whole number, with a slider where it is small. */
function wholeField(one, id, apply) {
  const value = Number(one.value);
  const number = el("input", { type: "number", step: 1, id, name: id, value: one.value, required: true });
  if (Math.abs(value) > SMALL) return number;
  const most = Math.max(8, 2 * Math.abs(value), 2 * Math.abs(Number(one.default) || 0));
  const slider = el("input", {
    type: "range",
    min: Math.min(0, value),
    max: most,
    step: 1,
    value: one.value,
    "aria-label": `${one.name}, slider`,
  });
  slider.addEventListener("input", () => (number.value = slider.value));
  slider.addEventListener("change", apply);
  number.addEventListener("input", () => (slider.value = number.value));
  return el("div", { class: "with-slider" }, number, slider);
}
