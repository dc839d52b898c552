/**
 * A chart of what is played after one public history, by what is private: lines where the names have
 * an order, stacked areas where there are many, a grid where they have two parts, as hands of two
 * cards have. Names without an order are stacked bars; if there are many, a table, the likeliest first.
 * The column that is pointed at, or reached with the arrow keys, is told in numbers.
 */

import { dataTable, row as tableRow } from "./datatable.js";
import { el, fill, label, svg } from "./dom.js";
import { gridOf, handGrid } from "./grid.js";
import { bar, mix, mixBar, reached, share, spokenMix, swatch } from "./marks.js";
import { percent } from "./numbers.js";

const MANY = 40; // names: areas from here on
const BARS = 24; // names without an order: a table from here on
const ROWS = 5; // of that table, before all of them are asked for
const FEW = 12; // actions that are all shown, even those that are never taken
const KEY = 8; // actions that are listed with their probabilities, so that no legend is needed
const WIDTH = 420;
const HEIGHT = 184;
const LEFT = 44;
const TOP = 8;
const AXIS = 148; // where the names begin
const REACH = 14; // the height of the strip that shows how likely each name is
const GROUND = AXIS + 20 + REACH; // where that strip stands
const DASHES = ["", "6 3", "2 2.5", "8 3 2 3"];

/** The chart of a panel, with heading and legend. */
export function chart(panel, colours) {
  const parts = panel.names.length === 1 && !panel.private ? [single(panel, colours)] : drawn(panel, colours);
  return el(
    "section",
    { class: "chart" },
    el(
      "div",
      { class: "chart-head" },
      label(panel.title, {}, "h3"),
      reached(Math.min(total(panel.reach), 1)),
    ),
    parts,
  );
}

function drawn(panel, colours) {
  const grid = gridOf(panel);
  if (!grid && !panel.ordered && panel.names.length > BARS) return tableOf(panel, colours);
  const readout = el("p", { class: "readout", dir: "auto" });
  const usual = overall(panel, colours);
  const tell = (words) => fill(readout, words ?? usual);
  tell(null);
  const picture = grid ? handGrid(panel, grid, colours, tell, listed(panel)) : columns(panel, colours, tell);
  return [picture, readout, legend(panel, colours)];
}

/** The actions that are taken with some name. */
function taken(panel) {
  return panel.actions.filter((_, at) => panel.probabilities.some((row) => row[at] > 0));
}

/** The actions that are listed with every name. */
function listed(panel) {
  const found = taken(panel);
  return found.length <= KEY ? found : [];
}

/** What is played on the whole, each name as often as it is held there. */
function overall(panel, colours) {
  const reach = total(panel.reach);
  if (reach <= 0) {
    const words = el("span", { class: "all" }, "Not reached in the solution: ");
    return [words, listed(panel).map((action) => share(action, null, colours))];
  }
  const held = panel.reach.map((one) => (one ?? 0) / reach);
  const row = panel.actions.map((_, number) =>
    total(panel.probabilities.map((one, at) => (one[number] ?? 0) * held[at])),
  );
  return [el("span", { class: "all" }, "overall"), mix(panel.actions, row, colours, listed(panel))];
}

/** The names with what is played, those that are likeliest to be held first. */
function tableOf(panel, colours) {
  const reach = (at) => panel.reach[at] ?? 0;
  const order = panel.names.map((_, at) => at).sort((one, other) => reach(other) - reach(one));
  const one = (at) => {
    const shares = panel.actions.map((action, number) => [action, panel.probabilities[at][number]]);
    const played = shares.filter(([, often]) => often > 0);
    const words = el("div", { class: "mix-words" }, mix(panel.actions, panel.probabilities[at], colours));
    const cells = [
      [[mixBar(played, colours), words], null],
      [percent(panel.reach[at]), "number"],
    ];
    return tableRow(label(panel.names[at] || "–", { class: "wraps" }), cells, {
      class: reach(at) === 0 ? "never" : null,
    });
  };
  const heads = ["private", "strategy", ["reach", "number"]];
  const table = dataTable(`Table, ${panel.title.slice(0, 200)}`, heads, order.slice(0, ROWS).map(one));
  const rest = el("button", { type: "button" }, `All ${panel.names.length.toLocaleString("en")}`);
  rest.addEventListener("click", () => {
    table.querySelector("tbody").append(...order.slice(ROWS).map(one));
    rest.remove();
  });
  return [table, rest];
}

function total(values) {
  return values.reduce((sum, one) => sum + (one ?? 0), 0);
}

/** Of a situation in which nothing is private: a bar for each action. */
function single(panel, colours) {
  const row = panel.probabilities[0];
  const all = panel.actions.map((action, at) => [action, at]);
  const few = all.length <= FEW ? all : all.filter(([, at]) => row[at] > 0).slice(0, MANY);
  const left = all.length - few.length;
  const one = ([action, at]) => [
    el("dt", {}, label(action)),
    el(
      "dd",
      {},
      bar(row[at], colours.ifPlayed(action, row[at])),
      el("span", { class: "likely-words" }, percent(row[at])),
    ),
  ];
  const why = few.length < MANY ? "are never taken" : "are not shown";
  const others = left > 0 && el("p", { class: "hint" }, `${left.toLocaleString("en")} other actions ${why}.`);
  return [el("dl", { class: "single" }, few.map(one)), others];
}

function legend(panel, colours) {
  const played = taken(panel);
  const never = panel.actions.filter((action) => !played.includes(action));
  const key = (action) => el("li", {}, swatch(colours.of(action)), label(action));
  const few = never.slice(0, FEW).map((one, at) => [at ? ", " : "", label(one)]);
  return el(
    "div",
    { class: "legend" },
    played.length > KEY && el("ul", { "aria-label": "Actions" }, played.map(key)),
    never.length > 0 && el("p", {}, "never: ", few, never.length > FEW && ` and ${never.length - FEW} more`),
  );
}

/** What is played with one name, in numbers. */
function told(panel, at, colours) {
  const played = mix(panel.actions, panel.probabilities[at], colours, listed(panel));
  return [el("strong", {}, label(panel.names[at] || "–")), played, reached(panel.reach[at])];
}

// -------------------------------------------------------------------- columns

function columns(panel, colours, tell) {
  const step = (WIDTH - LEFT) / panel.names.length;
  const cursor = svg("rect", {
    class: "cursor",
    y: TOP,
    height: AXIS - TOP,
    width: step,
    visibility: "hidden",
  });
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
    scale(),
    reachStrip(panel, step),
    cursor,
    marks(panel, colours, step),
    names(panel, step),
  );
  return steered(picture, panel, cursor, step, (at) => tell(at === null ? null : told(panel, at, colours)));
}

/** Lines, areas or bars, as suits the names. */
function marks(panel, ...given) {
  const many = panel.names.length;
  if (many > MANY) return areas(panel, ...given);
  return panel.ordered && many > 2 ? lines(panel, ...given) : bars(panel, ...given);
}

function height(value) {
  return AXIS - (AXIS - TOP) * value;
}

function scale() {
  return [0, 0.5, 1].map((value) => [
    svg("line", { class: "grid", x1: LEFT, x2: WIDTH, y1: height(value), y2: height(value) }),
    svg("text", { class: "tick", x: LEFT - 6, y: height(value) + 4, "text-anchor": "end" }, percent(value)),
  ]);
}

/** The place of a bar. */
function column(at, step) {
  return { x: LEFT + step * (at + 0.12), width: step * 0.76 };
}

function reachStrip(panel, step) {
  const most = Math.max(...panel.reach.map((one) => one ?? 0));
  const one = (reach, at) => {
    const tall = most > 0 ? (REACH * (reach ?? 0)) / most : 0;
    return svg("rect", { class: "reach-bar", ...column(at, step), y: GROUND - tall, height: tall });
  };
  return [
    svg("text", { class: "tick", x: LEFT - 6, y: GROUND, "text-anchor": "end" }, "reach"),
    panel.reach.map(one),
  ];
}

function names(panel, step) {
  const room = Math.max(1, Math.floor(step / 6.6));
  const longest = Math.max(...panel.names.map((name) => Math.min(name.length, 12)));
  const every = Math.max(1, Math.ceil((Math.min(longest, 4) * 6.6 + 4) / step));
  const most = Math.max(room * every, 2);
  return panel.names.map((name, at) => {
    if (at % every) return null;
    const words = name.length > most ? `${name.slice(0, most - 1)}…` : name;
    return svg(
      "text",
      { class: "name", x: LEFT + step * (at + 0.5), y: AXIS + 14, "text-anchor": "middle" },
      words,
    );
  });
}

function bars(panel, colours, step) {
  return panel.probabilities.map((row, at) => {
    let sum = 0;
    const faint = panel.reach[at] === 0 ? "unreached" : null;
    return row.map((value, action) => {
      if (!value) return null;
      const base = height(sum);
      sum += value;
      const box = { ...column(at, step), y: height(sum), height: base - height(sum) };
      return svg("rect", { ...box, class: faint, style: { fill: colours.of(panel.actions[action]) } });
    });
  });
}

function areas(panel, colours, step) {
  const x = (at) => LEFT + step * (at + 0.5);
  const base = panel.names.map(() => 0);
  return panel.actions.map((action, number) => {
    if (!panel.probabilities.some((row) => row[number] > 0)) return null;
    const below = base.map((value, at) => `${x(at)},${height(value)}`);
    panel.probabilities.forEach((row, at) => (base[at] += row[number] ?? 0));
    const above = base.map((value, at) => `${x(at)},${height(value)}`);
    const points = [...below, ...above.reverse()].join(" ");
    return svg("polygon", { points, style: { fill: colours.of(action) } });
  });
}

function lines(panel, colours, step) {
  return panel.actions.map((action, number) => {
    const points = panel.probabilities
      .map((row, at) => [LEFT + step * (at + 0.5), row[number], at])
      .filter(([, value]) => value !== null);
    if (!points.some(([, value]) => value > 0)) return null;
    const colour = colours.of(action);
    const dash = DASHES[Math.floor(colours.number(action) / 9) % DASHES.length];
    const path = points.map(([x, value]) => `${x},${height(value)}`).join(" ");
    return svg(
      "g",
      { style: { stroke: colour, fill: colour } },
      svg("polyline", { class: "line", points: path, "stroke-dasharray": dash || null }),
      points.map(([x, value, at]) => {
        return svg("circle", {
          cx: x,
          cy: height(value),
          r: 3.4,
          class: panel.reach[at] === 0 ? "unreached" : null,
        });
      }),
    );
  });
}

// -------------------------------------------------------------------- the cursor

/** A picture whose columns can be pointed at and reached with the arrow keys. */
function steered(picture, panel, cursor, step, tell) {
  const last = panel.names.length - 1;
  let now = null;
  const box = el(
    "div",
    {
      class: "steered",
      tabindex: 0,
      role: "slider",
      "aria-label": `Chart, ${panel.title.slice(0, 200)}`,
      "aria-valuemin": 0,
      "aria-valuemax": last,
    },
    picture,
  );
  const show = (at) => {
    now = at;
    tell(at);
    cursor.setAttribute("visibility", at === null ? "hidden" : "visible");
    if (at !== null) cursor.setAttribute("x", LEFT + step * at);
    const here = at ?? 0;
    const words = spokenMix(panel.names[here], panel.actions, panel.probabilities[here], panel.reach[here]);
    box.setAttribute("aria-valuenow", here);
    box.setAttribute("aria-valuetext", words);
  };
  const keys = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -Infinity, End: Infinity };
  box.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    show(Math.min(last, Math.max(0, (now ?? 0) + keys[event.key])));
  });
  const point = (event) => {
    const frame = picture.getBoundingClientRect();
    const x = ((event.clientX - frame.left) / frame.width) * WIDTH - LEFT;
    show(x < 0 ? null : Math.min(last, Math.floor(x / step)));
  };
  box.addEventListener("pointermove", point);
  box.addEventListener("pointerdown", point);
  box.addEventListener("pointerleave", () => show(document.activeElement === box ? now : null));
  box.addEventListener("focus", () => show(now ?? 0));
  box.addEventListener("blur", () => show(null));
  show(null);
  return box;
}
