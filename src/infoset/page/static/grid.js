/**
 * Names of two parts as a grid: hands of two cards by their ranks, suited above the diagonal, offsuit
 * below and pairs on it; other names of two words as rows and columns. A cell shows the mix of actions.
 */

import { el, label } from "./dom.js";
import { mix, reached, spokenMix } from "./marks.js";

const RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"];
const CARD = "(10|[2-9TJQKA])([♠♥♦♣shdc])";
const HAND = new RegExp(`^${CARD}[ ,]*${CARD}$`);
const FEWEST = 6; // names that are worth a grid
const FEW_RANKS = 6; // of a small deck, of which no others are shown

/** How the names of a panel make a grid: `{rows, columns, cells, heading}`, or null. */
export function gridOf(panel) {
  if (panel.names.length < FEWEST) return null;
  return handsOf(panel) ?? pairsOf(panel);
}

function handsOf(panel) {
  const cells = new Map();
  const seen = new Set();
  for (const [at, name] of panel.names.entries()) {
    const found = HAND.exec(name);
    if (!found) return null;
    const [high, low] = [found[1], found[3]]
      .map(plain)
      .sort((one, other) => RANKS.indexOf(one) - RANKS.indexOf(other));
    const suited = found[2] === found[4];
    seen.add(high).add(low);
    const kind = high === low ? "" : suited ? "s" : "o";
    const [row, column] = kind === "o" ? [low, high] : [high, low];
    add(cells, `${row} ${column}`, at, `${high}${low}${kind}`);
  }
  if (seen.size < 3) return null;
  const ranks = seen.size > FEW_RANKS ? RANKS : RANKS.filter((rank) => seen.has(rank));
  return { rows: ranks, columns: ranks, cells, hands: true };
}

/** The name of the hands in a cell: pairs on the diagonal, suited hands above it. */
function handName(row, column) {
  if (row === column) return row + column;
  return RANKS.indexOf(row) < RANKS.indexOf(column) ? `${row}${column}s` : `${column}${row}o`;
}

function plain(rank) {
  return rank === "10" ? "T" : rank;
}

function pairsOf(panel) {
  const parts = panel.names.map((name) => name.split(name.includes(", ") ? ", " : " "));
  if (!parts.every((one) => one.length === 2 && one[0] && one[1])) return null;
  const rows = [...new Set(parts.map((one) => one[0]))];
  const columns = [...new Set(parts.map((one) => one[1]))];
  if (rows.length < 2 || columns.length < 2 || columns.length > 40) return null;
  if (panel.names.length < 0.4 * rows.length * columns.length) return null;
  const cells = new Map();
  parts.forEach(([row, column], at) => add(cells, `${row} ${column}`, at, panel.names[at]));
  return { rows, columns, cells, hands: false };
}

function add(cells, key, at, name) {
  if (!cells.has(key)) cells.set(key, { name, members: [] });
  cells.get(key).members.push(at);
}

/** The grid with its cells, which the arrow keys go through. */
export function handGrid(panel, grid, colours, tell, listed) {
  const corner = grid.hands ? [] : [el("td", {})];
  const head = grid.hands
    ? null
    : el(
        "tr",
        {},
        corner,
        grid.columns.map((one) => el("th", { scope: "col" }, label(one))),
      );
  const body = grid.rows.map((row) => {
    const cells = grid.columns.map((column) => {
      const found = grid.cells.get(`${row} ${column}`);
      if (found) return cell(panel, grid, found, colours, tell, listed);
      const name = grid.hands ? el("span", { class: "hand" }, handName(row, column)) : null;
      return el("td", { role: "gridcell", class: "empty" }, name);
    });
    return el("tr", {}, grid.hands ? null : el("th", { scope: "row" }, label(row)), cells);
  });
  const attributes = {
    role: "grid",
    class: grid.hands ? "hands" : "pairs",
    "aria-label": `Chart, ${panel.title.slice(0, 200)}`,
  };
  const table = el("table", { ...attributes, onkeydown: steer }, head, body);
  table.querySelector("[role=gridcell][data-at]")?.setAttribute("tabindex", "0");
  table.addEventListener("pointerleave", () => tell(null));
  return el("div", { class: "grid-box" }, table);
}

function cell(panel, grid, found, colours, tell, listed) {
  const { row, reach } = average(panel, found.members);
  const show = () => tell(mixWords(found, panel, row, reach, colours, listed));
  const words = spokenMix(found.name, panel.actions, row, reach);
  return el(
    "td",
    {
      role: "gridcell",
      tabindex: -1,
      class: reach === 0 ? "unreached" : "",
      dataset: { at: found.members[0] },
      style: { background: stripes(panel.actions, row, colours) },
      "aria-label": words,
      onpointerenter: show,
      onfocus: show,
    },
    grid.hands ? el("span", { class: "hand" }, found.name) : null,
  );
}

/** The mix of several names, each as often as it is held. */
function average(panel, members) {
  const reach = members.reduce((sum, at) => sum + (panel.reach[at] ?? 0), 0);
  const weight = (at) => (reach > 0 ? (panel.reach[at] ?? 0) / reach : 1 / members.length);
  const played = (at, action) => panel.probabilities[at][action] ?? 0;
  const row = panel.actions.map((_, action) =>
    members.reduce((sum, at) => sum + weight(at) * played(at, action), 0),
  );
  return { row, reach };
}

function stripes(actions, row, colours) {
  let sum = 0;
  const stops = [];
  actions.forEach((action, at) => {
    if (row[at] <= 0) return;
    const colour = colours.of(action);
    stops.push(`${colour} ${100 * sum}%`, `${colour} ${100 * (sum + row[at])}%`);
    sum += row[at];
  });
  return stops.length ? `linear-gradient(to right, ${stops.join(", ")})` : "none";
}

function mixWords(found, panel, row, reach, colours, listed) {
  const many = found.members.length > 1 ? ` (${found.members.length} hands)` : "";
  return [
    el("strong", {}, label(found.name)),
    many,
    mix(panel.actions, row, colours, listed),
    reached(reach),
  ];
}

const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

function steer(event) {
  const here = event.target.closest("[role=gridcell]");
  if (!here || !(event.key in STEPS)) return;
  event.preventDefault();
  const [down, right] = STEPS[event.key];
  const rows = [...here.closest("table").rows];
  let row = rows.indexOf(here.parentElement);
  let column = here.cellIndex;
  for (;;) {
    row += down;
    column += right;
    const next = rows[row]?.cells[column];
    if (!next || next.tagName !== "TD") return;
    if (next.dataset.at === undefined) continue;
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
    return;
  }
}
