/** A new table: who sits where, and whether there is a coach. */

import { address, request } from "./api.js";
import { el, fill, label } from "./dom.js";

const NOTE = "If nobody is a person, you watch. Of several people, you are the first; the others get a link.";
const COACH = "A coach says what each of your moves costs";
const NAMES = { human: "a person", auto: "automatic: an equilibrium, or a search" };

export class Setup {
  element = el("form", { class: "setup", onsubmit: (event) => this.#start(event) });

  /** `opened` is called with the answer of the server. */
  constructor(parameters, opened) {
    this.parameters = parameters;
    this.opened = opened;
  }

  /** Ask the server who may play. */
  async load() {
    const found = await request("GET", address("/api/tables", { set: this.parameters }));
    this.chosen = found.seats.map((seat, at) => [seat, this.#players(found.players, at === 0)]);
    this.coach = el("input", { type: "checkbox", id: "coach" });
    this.said = el("p", { class: "failed", role: "alert" });
    const rows = this.chosen.map(([seat, select], at) => {
      select.id = `seat-${at}`;
      return el("div", { class: "setup-row" }, label(seat, { for: select.id }, "label"), select);
    });
    fill(
      this.element,
      el("h2", {}, "A new table"),
      el("fieldset", {}, el("legend", {}, "Who plays"), rows),
      el("p", { class: "note" }, NOTE),
      el("div", { class: "setup-row" }, this.coach, el("label", { for: "coach" }, COACH)),
      this.said,
      el("button", { type: "submit", class: "primary" }, "Start"),
    );
  }

  #players(players, first) {
    const names = [{ name: "human", about: "" }, ...players];
    const options = names.map(({ name, about }) =>
      el(
        "option",
        { value: name, title: about, selected: name === (first ? "human" : "auto") },
        NAMES[name] ?? name,
      ),
    );
    return el("select", {}, options);
  }

  async #start(event) {
    event.preventDefault();
    const seats = Object.fromEntries(this.chosen.map(([seat, select]) => [seat, select.value]));
    this.said.textContent = "";
    try {
      this.opened(
        await request("POST", "/api/tables", { set: this.parameters, seats, coach: this.coach.checked }),
      );
    } catch (error) {
      this.said.textContent = error.message;
    }
  }
}
