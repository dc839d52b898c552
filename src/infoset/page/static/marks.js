/** Small marks that mean the same everywhere: bars, colours of actions, mixes of actions. */

import { el, label } from "./dom.js";
import { percent } from "./numbers.js";

/** A bar that is filled as far as a probability says. */
export function bar(probability, colour) {
  const width = `${100 * (probability ?? 0)}%`;
  const filled = el("span", { class: "likely-part", style: { width, background: colour } });
  return el("span", { class: "likely-bar", "aria-hidden": "true" }, filled);
}

/** A small square of a colour. */
export function swatch(colour) {
  return el("span", { class: "swatch", style: { background: colour } });
}

/** An action with its colour and its probability. */
export function share(action, probability, colours) {
  return el(
    "span",
    { class: "mix-word" },
    swatch(colours.of(action)),
    label(action),
    ` ${percent(probability)}`,
  );
}

/** The actions that are played, and those that are always listed, with their probabilities. */
export function mix(actions, row, colours, always = []) {
  const listed = (action, at) => row[at] > 0 || always.includes(action);
  return actions.map((action, at) => listed(action, at) && share(action, row[at] ?? 0, colours));
}

/** A bar with a part for each action that is played; `shares` are `[action, probability]`. */
export function mixBar(shares, colours) {
  const part = ([action, one]) =>
    el("span", { class: "mix-part", style: { "flex-grow": one, background: colours.of(action) } });
  return el("div", { class: "mix", "aria-hidden": "true" }, shares.map(part));
}

/** How likely something is reached. */
export function reached(probability) {
  return el("span", { class: "reach" }, `reached ${percent(probability)}`);
}

/** The same in words: what is played with one name, and how likely that is. */
export function spokenMix(name, actions, row, reach) {
  const played = actions.map((action, at) => [action, row[at]]).filter(([, one]) => one > 0);
  const words = played.map(([action, one]) => `${action.slice(0, 60)} ${percent(one)}`).slice(0, 20);
  return `${name.slice(0, 100)}: ${words.join(", ")}; reached ${percent(reach)}`;
}
