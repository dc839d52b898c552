/**
 * Boards: squares that show what the seat knows, and are chosen by a click or with the keyboard.
 *
 * An option may be a square, or several squares at once, such as where a ship lies. For those, squares
 * are picked one after the other, until only one option has all of them.
 */

import { el, fill } from "./dom.js";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const HINT = "Pick squares, one after the other, until only one option has them all.";
const MARKS = ["✕", "○", "△", "◇"];
const NOTES = { hit: "✸", sunk: "✹", miss: "•", "shot at": "•" };

export class Boards {
  element = el("div", { class: "boards" });
  #picked = new Set();
  #focus = "";
  #asked = "";

  /** `choose` is called with the place of an option in the list. */
  constructor(choose) {
    this.choose = choose;
  }

  /** Do options need no buttons, because the board has them all? */
  static covers(state) {
    const options = state.options ?? [];
    if (!state.boards.length || options.length < state.count) return false;
    const sets = new Set(options.map((one) => (one.squares ? [...one.squares].sort() : [one.square]).join(" ")));
    return options.every((one) => one.kind === "square" || one.kind === "squares") && sets.size === options.length;
  }

  /** Show what a seat knows. */
  show(state) {
    const asked = JSON.stringify([state.boards, state.options, state.told.length]);
    const same = asked === this.#asked;
    this.#asked = asked;
    if (same) {
      this.state = state;
      return; // so that the keyboard and what is picked stay
    }
    const focused = this.element.contains(document.activeElement);
    this.state = state;
    this.#picked.clear();
    this.#draw();
    if (focused) this.#square(this.#focus)?.focus({ preventScroll: true });
  }

  /** Put the keyboard on a square. */
  focus() {
    this.element.querySelector("button[tabindex='0']")?.focus({ preventScroll: true });
  }

  #draw() {
    const { state } = this;
    const options = state.options ?? [];
    this.single = new Map(options.flatMap((one, at) => (one.kind === "square" ? [[one.square, at]] : [])));
    this.several = options.flatMap((one, at) => (one.kind === "squares" ? [[one.squares, at]] : []));
    // While ships are placed, there is nothing to see on the other side.
    const active = this.several.length && state.boards.length > 1 ? 1 : 0;
    const seen = active ? [state.boards[active]] : state.boards;
    const hint = this.several.length > 0 && el("p", { class: "note" }, HINT);
    fill(this.element, seen.map((board) => this.#board(board, board === state.boards[active])), hint);
    this.element.hidden = !state.boards.length;
  }

  #board(board, active) {
    const rows = [];
    for (let row = board.height; row >= 1; row -= 1) {
      const cells = [];
      for (let column = 0; column < board.width; column += 1) {
        cells.push(el("td", {}, this.#cell(board, `${LETTERS[column]}${row}`, active)));
      }
      rows.push(el("tr", {}, el("th", { scope: "row" }, row), cells));
    }
    const columns = [...LETTERS.slice(0, board.width)].map((letter) => el("th", { scope: "col" }, letter));
    const table = el(
      "table",
      { class: "board", style: { "--columns": board.width }, onkeydown: (event) => this.#key(event, board) },
      board.title && el("caption", {}, board.title),
      el("tbody", {}, rows),
      el("tfoot", {}, el("tr", {}, el("td", {}), columns)),
    );
    if (!table.caption) table.setAttribute("aria-label", "Board");
    const found = [`[data-square='${this.#focus}']`, ".free", "button"].map((one) => table.querySelector(one));
    found.find(Boolean)?.setAttribute("tabindex", "0");
    return el("div", { class: "board-frame" }, table);
  }

  #cell(board, square, active) {
    const mark = board.squares[square];
    const picked = active && this.#picked.has(square);
    const free = active && !picked && (this.single.has(square) || this.#fits(square));
    const words = [square, this.#said(mark, board), picked && "picked", free && "free to choose"].filter(Boolean);
    const kinds = { [`by-${mark?.by}`]: mark, noted: mark?.note, free, picked };
    return el(
      "button",
      {
        type: "button",
        class: ["square", ...Object.keys(kinds).filter((one) => kinds[one])].join(" "),
        tabindex: "-1",
        "aria-label": words.join(", "),
        "aria-disabled": free || picked ? null : "true",
        title: words.join(", "),
        dataset: { square },
        onclick: () => this.#chosen(square, free, picked),
        onfocus: () => this.#focused(square),
      },
      mark ? this.#sign(mark) : "",
    );
  }

  #said(mark, board) {
    if (!mark) return "";
    const whose = mark.by === "own" ? "yours" : "named to you";
    return mark.note ? (mark.by === "own" && !board.title ? mark.note : `${whose}, ${mark.note}`) : whose;
  }

  #sign(mark) {
    const { seats } = this.state;
    const own = Math.max(0, seats.findIndex((one) => one.you));
    const ours = MARKS[own % MARKS.length];
    const theirs = seats.length === 2 ? MARKS[(1 - own) % MARKS.length] : "●";
    if (mark.note === "taken") return theirs;
    if (mark.note in NOTES) return mark.by === "own" && mark.note === "shot at" ? "✸" : NOTES[mark.note];
    if (mark.by === "told") return theirs;
    if (mark.note) return mark.note.slice(0, 4);
    return this.state.boards.length > 1 ? "■" : ours;
  }

  /** Is there an option with this square and those picked? */
  #fits(square) {
    const wanted = new Set([...this.#picked, square]);
    return this.several.some(([squares]) => [...wanted].every((one) => squares.includes(one)));
  }

  #chosen(square, free, picked) {
    if (picked) this.#picked.delete(square);
    else if (this.single.has(square)) {
      this.choose(this.single.get(square));
      return;
    } else if (free) this.#picked.add(square);
    else return;
    const left = this.several.filter(([squares]) => [...this.#picked].every((one) => squares.includes(one)));
    if (this.#picked.size && left.length === 1) {
      this.choose(left[0][1]);
      return;
    }
    this.#focus = square;
    this.#draw();
    this.#square(square)?.focus({ preventScroll: true });
  }

  #focused(square) {
    this.#focus = square;
    for (const one of this.element.querySelectorAll("button.square")) {
      one.setAttribute("tabindex", one.dataset.square === square ? "0" : "-1");
    }
  }

  #square(name) {
    const found = [...this.element.querySelectorAll("button.square")].filter((one) => one.dataset.square === name);
    return found.find((one) => one.classList.contains("free")) ?? found[0];
  }

  #key(event, board) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    const name = event.target.dataset?.square;
    if (!step || !name) return;
    event.preventDefault();
    const column = LETTERS.indexOf(name[0]) + step[0];
    const row = Number(name.slice(1)) + step[1];
    if (column < 0 || column >= board.width || row < 1 || row > board.height) return;
    event.currentTarget.querySelector(`[data-square='${LETTERS[column]}${row}']`)?.focus();
  }
}
