/** One board as it looks: a grid of squares, or rows of hexagons, with marks on them. */

import { el } from "./dom.js";
import { pieceSign, pieceWords } from "./table-pieces.js";

export const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const MARKS = ["✕", "○", "△", "◇"];
const STONES = ["●", "○", "▲", "△"]; // on hexagons
const NOTES = { hit: "✸", sunk: "✹", miss: "•", "shot at": "•" };
const FEW = 5; // signs of a mark that are seen on a square

/** A board; `cell(square)` makes a button, and `key` hears its keys. */
export function boardElement(board, cell, key) {
  const rows = [];
  for (let row = board.height; row >= 1; row -= 1) {
    rows.push([row, [...LETTERS.slice(0, board.width)].map((letter) => cell(`${letter}${row}`))]);
  }
  const attributes = {
    class: ["board", board.shape === "hex" && "hexes", board.chequered && "chequered"]
      .filter(Boolean)
      .join(" "),
    style: { "--columns": board.shape === "hex" ? board.width + (board.height - 1) / 2 : board.width },
    onkeydown: key,
  };
  const made = board.shape === "hex" ? hexagons(board, rows, attributes) : grid(board, rows, attributes);
  return el("div", { class: "board-frame" }, made);
}

function grid(board, rows, attributes) {
  const letters = [...LETTERS.slice(0, board.width)].map((letter) => el("th", { scope: "col" }, letter));
  const name = board.title ? {} : { "aria-label": "Board" };
  return el(
    "table",
    { ...attributes, ...name },
    board.title && el("caption", { dir: "auto" }, board.title),
    el(
      "tbody",
      {},
      rows.map(([row, cells]) => {
        const squares = cells.map((one, at) => el("td", { class: (row + at) % 2 ? "dark" : "light" }, one));
        return el("tr", {}, el("th", { scope: "row" }, row), squares);
      }),
    ),
    el("tfoot", {}, el("tr", {}, el("td", {}), letters)),
  );
}

/** Each row lies half a hexagon further to the right than the row below it. */
function hexagons(board, rows, attributes) {
  const letters = [...LETTERS.slice(0, board.width)].map((letter) => el("span", {}, letter));
  return el(
    "div",
    { ...attributes, role: "group", "aria-label": board.title || "Board of hexagons" },
    board.title && el("p", { class: "board-title", dir: "auto", "aria-hidden": "true" }, board.title),
    rows.map(([row, cells]) =>
      el(
        "div",
        { class: "hex-row", style: { "--row": row - 1 } },
        el("span", { class: "hex-number", "aria-hidden": "true" }, row),
        cells,
      ),
    ),
    el("div", { class: "hex-letters", "aria-hidden": "true" }, letters),
  );
}

/** What is said of a mark. */
export function said(mark, board) {
  if (!mark) return "";
  const told = [
    mark.piece && pieceWords(mark.piece),
    !mark.piece && mark.text,
    whose(mark, board),
    mark.note && !(mark.whose && mark.note === "taken") && mark.note,
    mark.hidden && "hidden from you",
  ];
  return told.filter(Boolean).join(", ");
}

function whose(mark, board) {
  if (mark.by === "none" || (mark.piece && !mark.whose)) return "";
  const answered = mark.note && !(board.title && mark.note === "shot at"); // what a shot of one's own met
  if (mark.by === "own") return answered || mark.piece ? "" : "yours";
  return mark.whose ? `of ${mark.whose}` : "named to you";
}

/** A mark as it is seen. */
export function sign(mark, board, seats, several) {
  if (mark.piece) return pieceSign(mark.piece);
  if (mark.text !== undefined) return words(mark.text);
  const signs = board.shape === "hex" ? STONES : MARKS;
  const you = Math.max(
    0,
    seats.findIndex((one) => one.you),
  );
  const of = (at) => (at < 0 ? "●" : signs[at % signs.length]);
  const theirs = seats.length === 2 ? of(1 - you) : "●";
  if (mark.note === "taken") return theirs;
  if (mark.note in NOTES) return mark.by === "own" && mark.note === "shot at" ? "✸" : NOTES[mark.note];
  if (several && mark.whose) return "■";
  if (mark.whose) return of(seats.findIndex((one) => one.seat === mark.whose || one.player === mark.whose));
  if (mark.by === "told") return theirs;
  if (mark.note) return mark.note.slice(0, 4);
  return several ? "■" : of(you);
}

function words(given) {
  const signs = [...given];
  const seen = signs.length > FEW ? `${signs.slice(0, FEW - 1).join("")}…` : given;
  const size = signs.length < 2 ? {} : { style: { "--signs": Math.min(signs.length, FEW) } };
  return el("span", { class: signs.length < 2 ? "sign" : "sign sign-words", dir: "auto", ...size }, seen);
}
