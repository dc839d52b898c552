/**
 * Facts and options as they look: cards, dice, numbers, squares and texts. The server says of each
 * value what kind it is; whatever a page does not know is shown as its text.
 */

import { el, label, svg } from "./dom.js";
import { pieceSign } from "./table-pieces.js";

const SUITS = { "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" };
const RANKS = { J: "jack", Q: "queen", K: "king", A: "ace", T: "10" };
// The places of pips on a die of 3 by 3.
const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A value as an element. */
export function drawn(value) {
  switch (value.kind) {
    case "card":
      return card(value);
    case "cards":
      return el("span", { class: "pcards" }, value.cards.map(card));
    case "dice":
      return el("span", { class: "pdice" }, value.faces.map(die));
    case "parts":
      return el("span", { class: "parts" }, value.parts.map(drawn));
    case "piece":
      return el("span", { class: "placed" }, pieceSign(value, true), ` ${value.square}`);
    case "number":
      return el("span", { class: "plain-number" }, value.text);
    default:
      return label(value.text, { class: "wraps" });
  }
}

/** A playing card. */
export function card({ rank, suit }) {
  const words = `${RANKS[rank] ?? rank}${suit ? ` of ${SUITS[suit] ?? suit}` : ""}`;
  const kind = suit in SUITS ? `pcard-${SUITS[suit]}` : "pcard-plain";
  const long = rank.length + suit.length > 4 ? " pcard-long" : "";
  return el(
    "span",
    { class: `pcard ${kind}${long}`, role: "img", "aria-label": words, title: words },
    el("span", { class: "pcard-rank", dir: "auto" }, rank),
    suit && el("span", { class: "pcard-suit", dir: "auto" }, suit),
  );
}

/** A die, with pips where it has a usual face. */
export function die(face) {
  const pips = PIPS[face];
  if (!pips) return el("span", { class: "pdie", role: "img", "aria-label": `a die showing ${face}` }, face);
  const dots = pips.map((at) =>
    svg("circle", { cx: 9 + (at % 3) * 11, cy: 9 + Math.floor(at / 3) * 11, r: 3.6 }),
  );
  return el(
    "span",
    { class: "pdie", role: "img", "aria-label": `a die showing ${face}`, title: face },
    svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, dots),
  );
}

/** The cards and dice that somebody has been told of, without the cards that it has played. */
export function held(told) {
  const played = told.filter((one) => one.by === "own").map((one) => one.text);
  const found = [];
  for (const one of told) {
    if (one.by === "own") continue;
    if (one.kind === "dice") found.push(one);
    if (one.kind === "card" || one.kind === "cards") {
      const cards = one.kind === "card" ? [one] : one.cards;
      const left = cards.filter(({ rank, suit }) => !taken(played, rank + suit));
      if (left.length) found.push({ kind: "cards", cards: left });
    }
  }
  return found;
}

function taken(played, name) {
  const at = played.indexOf(name);
  if (at >= 0) played.splice(at, 1);
  return at >= 0;
}
