/**
 * Boards: squares that show what the seat knows, and are chosen by a click or with the keyboard.
 *
 * An option may be a square; a move, which is chosen by its first square and then its second; or
 * several squares at once, such as where a ship lies. For those, squares are picked one after the
 * other, until only one option has all of them. Where squares leave several options, such as what a
 * pawn becomes, these are buttons.
 */

import { el, fill } from "./dom.js";
import { boardElement, LETTERS, said, sign } from "./table-squares.js";
import { drawn } from "./table-values.js";

const HINT = "Pick squares, one after the other, until only one option has them all.";
const MOVES = "Choose a square, and then where to go from there; Escape takes the first one back.";
const HIDDEN = "Striped: hidden from you until the end.";
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Boards {
  element = el("div", { class: "boards" });
  #picked = new Set();
  #start = ""; // the first square of a move
  #choice = []; // options that the squares leave
  #focus = "";
  #asked = "";

  /** `choose` is called with the place of an option in the list. */
  constructor(choose) {
    this.choose = choose;
    this.element.addEventListener("keydown", (event) => this.#escape(event));
  }

  /** The places of the options that need no buttons, because the board has them. */
  static covered(state) {
    const options = state.options ?? [];
    if (!state.boards.length || options.length < state.count) return new Set();
    const board = state.boards[active(state)];
    const here = (one) => squaresOf(one).length && squaresOf(one).every((name) => isOn(board, name));
    return new Set(options.flatMap((one, at) => (here(one) ? [at] : [])));
  }

  /** Show what a seat knows. */
  show(state) {
    const asked = JSON.stringify([state.boards, state.options, state.told.length]);
    const same = asked === this.#asked;
    this.#asked = asked;
    this.state = state;
    if (same) return; // so that the keyboard and what is picked stay
    const focused = this.element.contains(document.activeElement);
    this.#forget();
    this.#read(state.options ?? []);
    this.#draw();
    if (focused) this.#square(this.#focus)?.focus({ preventScroll: true });
  }

  /** Put the keyboard on a square. */
  focus() {
    this.element.querySelector("button[tabindex='0']")?.focus({ preventScroll: true });
  }

  #forget() {
    this.#picked.clear();
    this.#start = "";
    this.#choice = [];
  }

  /** Sort the options by how they are chosen. */
  #read(options) {
    this.single = new Map();
    this.several = [];
    this.moves = [];
    options.forEach((one, at) => {
      if (one.kind === "squares") this.several.push([one.squares, at]);
      else if (one.kind === "move") this.moves.push([one.from, one.to, at]);
      else if (one.kind === "square" || one.kind === "piece")
        this.single.set(one.square, [...(this.single.get(one.square) ?? []), at]);
    });
  }

  #draw() {
    const { state } = this;
    const at = active(state);
    const seen = at ? [state.boards[at]] : state.boards;
    const hidden = seen.some((board) => Object.values(board.squares).some((mark) => mark.hidden));
    const hint = this.several.length ? HINT : this.moves.length ? MOVES : "";
    fill(
      this.element,
      seen.map((board) => this.#board(board, board === state.boards[at])),
      this.#choice.length > 0 && this.#chooser(),
      hint && el("p", { class: "note" }, hint),
      hidden && el("p", { class: "note legend" }, el("span", { class: "hidden-mark swatch" }), HIDDEN),
    );
    this.element.hidden = !state.boards.length;
  }

  #board(board, chosenHere) {
    const cell = (square) => this.#cell(board, square, chosenHere);
    const made = boardElement(board, cell, (event) => this.#key(event, board));
    const found = [`[data-square='${this.#focus}']`, ".free", "button"].map((one) => made.querySelector(one));
    found.find(Boolean)?.setAttribute("tabindex", "0");
    return made;
  }

  #cell(board, square, chosenHere) {
    const { seats, boards } = this.state;
    const mark = board.squares[square];
    const picked = chosenHere && (this.#picked.has(square) || square === this.#start);
    const free = chosenHere && !picked && this.#free(square);
    const words = [square, said(mark, board), picked && "picked", free && "free to choose"];
    const told = words.filter(Boolean).join(", ");
    const kinds = {
      [`by-${mark?.by}`]: mark,
      first: mark?.whose && !seats.some((one) => one.you) && seats[0].seat === mark.whose,
      noted: mark?.note,
      "hidden-mark": mark?.hidden,
      free,
      target: free && this.#start && this.#ends(square).length,
      picked,
    };
    return el(
      "button",
      {
        type: "button",
        class: ["square", ...Object.keys(kinds).filter((one) => kinds[one])].join(" "),
        tabindex: "-1",
        "aria-label": told,
        "aria-disabled": free || picked ? null : "true",
        title: told,
        dataset: { square },
        onclick: () => this.#chosen(square, free, picked),
        onfocus: () => this.#focused(square),
      },
      mark ? sign(mark, board, seats, boards.length > 1) : "",
    );
  }

  #chooser() {
    const buttons = this.#choice.map((at) =>
      el(
        "button",
        { type: "button", class: "option", onclick: () => this.choose(at) },
        drawn(this.state.options[at]),
      ),
    );
    return el("div", { class: "chooser options", role: "group", "aria-label": "Which of these?" }, buttons);
  }

  // ------------------------------------------------------------------ what squares mean

  /** Can something be chosen by this square now? */
  #free(square) {
    if (this.#start && this.#ends(square).length) return true;
    if (this.single.has(square) || this.#fits(square)) return true;
    return this.moves.some(([start]) => start === square);
  }

  /** The moves from the first square to this one. */
  #ends(square) {
    return this.moves.flatMap(([start, end, at]) => (start === this.#start && end === square ? [at] : []));
  }

  /** Is there an option with this square and those picked? */
  #fits(square) {
    const wanted = new Set([...this.#picked, square]);
    return this.several.some(([squares]) => [...wanted].every((one) => squares.includes(one)));
  }

  #chosen(square, free, picked) {
    if (!free && !picked) return;
    this.#choice = [];
    const found = this.#pressed(square, picked);
    if (found.length === 1) {
      this.choose(found[0]);
      return;
    }
    this.#choice = found;
    this.#focus = square;
    this.#draw();
    const chooser = this.element.querySelector(".chooser button");
    (chooser ?? this.#square(square))?.focus({ preventScroll: true });
  }

  /** The options that are left after a square was pressed, if no more squares are needed. */
  #pressed(square, picked) {
    if (picked) {
      this.#picked.delete(square);
      this.#start = "";
      return this.#picked.size ? this.#left() : [];
    }
    const ends = this.#start ? this.#ends(square) : [];
    if (ends.length) return ends;
    this.#start = "";
    if (this.single.has(square)) return this.single.get(square);
    if (this.moves.some(([start]) => start === square)) {
      this.#start = square;
      return [];
    }
    this.#picked.add(square);
    return this.#left();
  }

  /** Of the options with all squares that are picked, the only one; or those with no others. */
  #left() {
    const left = this.several.filter(([squares]) => [...this.#picked].every((one) => squares.includes(one)));
    const whole = left.filter(([squares]) => squares.length === this.#picked.size);
    return (left.length === 1 ? left : whole).map(([, at]) => at);
  }

  // ------------------------------------------------------------------ the keyboard

  #focused(square) {
    this.#focus = square;
    for (const one of this.element.querySelectorAll("button.square")) {
      one.setAttribute("tabindex", one.dataset.square === square ? "0" : "-1");
    }
  }

  #square(name) {
    const found = [...this.element.querySelectorAll("button.square")].filter(
      (one) => one.dataset.square === name,
    );
    return found.find((one) => one.classList.contains("free")) ?? found[0];
  }

  #key(event, board) {
    const step = STEPS[event.key];
    const name = event.target.dataset?.square;
    if (!step || !name) return;
    event.preventDefault();
    const column = LETTERS.indexOf(name[0]) + step[0];
    const row = Number(name.slice(1)) + step[1];
    if (column < 0 || column >= board.width || row < 1 || row > board.height) return;
    event.currentTarget.querySelector(`[data-square='${LETTERS[column]}${row}']`)?.focus();
  }

  #escape(event) {
    if (event.key !== "Escape" || !(this.#start || this.#picked.size || this.#choice.length)) return;
    event.preventDefault();
    const focus = this.#start || this.#focus;
    this.#forget();
    this.#draw();
    this.#square(focus)?.focus({ preventScroll: true });
  }
}

/** The squares that an option names. */
function squaresOf(one) {
  if (one.kind === "squares") return one.squares;
  if (one.kind === "move") return [one.from, one.to];
  return one.kind === "square" || one.kind === "piece" ? [one.square] : [];
}

function isOn(board, square) {
  return LETTERS.indexOf(square[0]) < board.width && Number(square.slice(1)) <= board.height;
}

/** The board on which options are chosen. While ships are placed, the other side has nothing to see. */
function active(state) {
  const placing = state.options?.some((one) => one.kind === "squares");
  return placing && state.boards.length > 1 && !hasPicture(state) ? 1 : 0;
}

function hasPicture(state) {
  return Boolean(state.picture && !state.picture.failed);
}
