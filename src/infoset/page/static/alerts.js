/** What went wrong: one line each, until it is dismissed or is over. */

import { el } from "./dom.js";

export class Alerts {
  element = el("div", { class: "alerts", role: "alert" });
  #shown = new Map();

  /** Show a line; one with the same key is replaced. `action` is `[name, function]`. */
  show(line, { key = line, action = null } = {}) {
    this.close(key);
    const box = el(
      "div",
      { class: "alert" },
      el("span", { class: "alert-words", dir: "auto" }, line),
      action && el("button", { type: "button", onclick: action[1] }, action[0]),
      el(
        "button",
        { type: "button", class: "plain", "aria-label": "Dismiss", onclick: () => this.close(key) },
        "×",
      ),
    );
    this.#shown.set(key, box);
    this.element.append(box);
    while (this.#shown.size > 4) this.close(this.#shown.keys().next().value);
  }

  /** Take a line away. */
  close(key) {
    this.#shown.get(key)?.remove();
    this.#shown.delete(key);
  }

  /** Take all lines away. */
  clear() {
    for (const key of [...this.#shown.keys()]) this.close(key);
  }

  /** Is this line shown? */
  has(key) {
    return this.#shown.has(key);
  }
}
