/** Who sits where, and links for those who are not there yet. */

import { PlayerColours } from "./colours.js";
import { el, fill, label } from "./dom.js";

const NAMES = { human: "a person", auto: "automatic" };

export class Seats {
  list = el("ul", { class: "players seats", "aria-label": "Seats" });
  invites = el("div", { class: "invites" });
  colours = new PlayerColours([]);
  #asked = "";

  /** Show who plays. */
  show(state) {
    const asked = JSON.stringify(state.seats);
    if (asked === this.#asked) return;
    this.#asked = asked;
    const agents = Object.fromEntries(state.seats.map((one) => [one.seat, one.player]));
    this.colours = new PlayerColours([...new Set(Object.values(agents))], agents);
    fill(
      this.list,
      state.seats.map((one) => this.#seat(one)),
    );
    fill(
      this.invites,
      state.seats.filter((one) => one.invite).map((one) => this.#invite(one)),
    );
  }

  #seat(one) {
    const known = one.you ? "you" : (NAMES[one.who] ?? one.who);
    const who = one.away ? "has left for now" : known;
    const team = one.player !== one.seat ? `of ${one.player} ` : "";
    const words = el("span", { class: "who" }, `${team}– ${who}`);
    return el("li", { class: "seat player", style: this.colours.style(one.player) }, label(one.seat), words);
  }

  #invite(one) {
    const link = new URL(one.invite, location.origin + location.pathname).href;
    const field = el("input", {
      type: "text",
      readonly: true,
      value: link,
      "aria-label": `Link for ${one.seat}`,
      onfocus: (event) => event.target.select(),
    });
    const copy = el("button", { type: "button", class: "tool", onclick: () => copied(field, copy) }, "Copy");
    return el(
      "div",
      { class: "invite" },
      el("p", {}, "Invite ", label(one.seat), ": who opens this link sits there. Do not open it yourself."),
      el("div", { class: "invite-row" }, field, copy),
    );
  }
}

async function copied(field, button) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl-C"; // the field is selected
  }
}
