/** Chess pieces as drawings, which look the same whatever fonts there are. */

import { el, svg } from "./dom.js";

const BASE = "M9 31h22v4.5H9Z";
const SHAPES = {
  pawn: "M20 8a5.6 5.6 0 0 1 3.3 10.1c.7 5 3.2 7.9 5.2 11.4h-17c2-3.5 4.5-6.4 5.2-11.4A5.6 5.6 0 0 1 20 8Z",
  rook: "M10 6.5h5v3.5h2.8V6.5h4.4v3.5H25V6.5h5V14l-3.5 2.5V26l3 3.5h-19l3-3.5v-9.5L10 14Z",
  knight:
    "M12.5 29.5c-.2-6.2 6.3-8 6.7-12.7-2.3 2.5-4.7 3.1-7.4 4.3L8.5 18.2c2.3-5 4-9 9-11.4l.7-3.3 3.3 2.7c6.7 1.8 10 7.9 10 15.3 0 2.8-.4 5.5-1 8Z",
  bishop:
    "M20 3.5a2.4 2.4 0 0 1 1.8 4c4.2 3 6.6 6.7 5.9 10.7-.5 2.6-1.9 4.3-3.5 5.4l2.3 5.9h-13l2.3-5.9c-1.6-1.1-3-2.8-3.5-5.4-.7-4 1.7-7.7 5.9-10.7a2.4 2.4 0 0 1 1.8-4Z",
  queen: "M5.5 11l6.3 5.5L13 6.5l7 8.5 7-8.5 1.2 10 6.3-5.5-4.3 18.5H9.8Z",
  king: "M18.4 3h3.2v3h3v3h-3v4c5.2-3.3 11.2-1.2 11.7 4.2.3 4.2-2.9 7.3-4.8 12.3h-17c-1.9-5-5.1-8.1-4.8-12.3.5-5.4 6.5-7.5 11.7-4.2V9h-3V6h3Z",
};

/** What a piece is called. */
export function pieceWords({ colour, piece }) {
  return colour ? `${colour} ${piece}` : piece;
}

/** A piece; its words are told by what it stands on, unless it is `alone`. */
export function pieceSign({ colour, piece }, alone = false) {
  const told = alone
    ? { role: "img", "aria-label": pieceWords({ colour, piece }) }
    : { "aria-hidden": "true" };
  return el(
    "span",
    { class: `chess chess-${colour || "plain"}`, ...told },
    svg("svg", { viewBox: "0 0 40 40" }, svg("path", { d: `${SHAPES[piece] ?? SHAPES.pawn}${BASE}` })),
  );
}
