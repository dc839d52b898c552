/** What the seat may choose from: large buttons, by mouse, by number, or with the arrows. */

import { address, request } from "./api.js";
import { el, fill } from "./dom.js";
import { drawn } from "./table-values.js";

const MANY = 24; // options from which on they can be searched

export class Options {
  element = el("div", { class: "options-box" });
  #list = el("ol", { class: "options", onkeydown: (event) => this.#arrows(event) });
  #known = [];
  #covered = new Set();
  #asked = "";

  /** `choose` is called with the place of an option in the list; `where` gives the table and token. */
  constructor(choose, where) {
    this.choose = choose;
    this.where = where;
  }

  /** Show options, without those at places that are `covered`: a board has them. */
  show(state, covered) {
    const asked = JSON.stringify([state.options, [...covered], state.told?.length]);
    if (asked === this.#asked) return; // so that the keyboard stays where it is
    this.#asked = asked;
    this.#covered = covered;
    this.count = state.options ? state.count - covered.size : 0;
    this.#known = this.count ? state.options : [];
    this.element.hidden = !this.count;
    const words = "Search the options";
    this.search = el("input", { type: "search", class: "search", placeholder: words, "aria-label": words });
    this.search.addEventListener("input", () => this.#draw());
    this.more = el("button", { type: "button", class: "more-options", onclick: () => this.#load() });
    fill(this.element, this.count > MANY && this.search, this.#list, this.more);
    this.#draw();
  }

  /** Put the keyboard on the first option. */
  focus() {
    this.#list.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Choose by a key: where all options are numbers the one that reads so, else by its place. */
  press(number) {
    const key = this.#list.querySelector(`button[data-key="${number}"]`);
    key?.click();
  }

  /** The key of an option, if it has one. */
  #key(one, place) {
    const numbers = this.#known.every(({ text }, at) => this.#covered.has(at) || /^\d+$/.test(text));
    const key = numbers ? Number(one.text) : place + 1;
    return key >= 1 && key <= 9 ? key : null;
  }

  #draw() {
    const words = this.search.value.trim().toLowerCase();
    const found = this.#known
      .map((one, at) => [one, at])
      .filter(([, at]) => !this.#covered.has(at))
      .filter(([one]) => one.text.toLowerCase().includes(words));
    fill(
      this.#list,
      found.map(([one, at], place) => el("li", {}, this.#button(one, at, place))),
    );
    this.#list.classList.toggle("compact", this.count > MANY);
    this.more.hidden = this.#known.length - this.#covered.size >= this.count;
    this.more.textContent = `Show more of ${this.count.toLocaleString("en")} options`;
  }

  #button(one, at, place) {
    const key = this.#key(one, place);
    const hint = key !== null && key !== Number(one.text) && el("kbd", { "aria-hidden": "true" }, key);
    const dataset = key === null ? {} : { key };
    const attributes = { type: "button", class: "option", dataset, onclick: () => this.choose(at) };
    return el("button", attributes, hint, drawn(one));
  }

  async #load() {
    const { table, token } = this.where();
    const found = await request(
      "GET",
      address(`/api/tables/${table}/options`, { token, first: this.#known.length }),
    );
    this.#known = [...this.#known, ...found.options];
    this.#draw();
  }

  #arrows(event) {
    const steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
    if (!(event.key in steps)) return;
    const buttons = [...this.#list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    buttons[(at + steps[event.key] + buttons.length) % buttons.length].focus();
  }
}
