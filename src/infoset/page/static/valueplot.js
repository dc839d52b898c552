/** A small plot of values against a parameter: one line, or one for each player. */

import { el, label, svg } from "./dom.js";
import { swatch } from "./marks.js";
import { decimal } from "./numbers.js";

const WIDTH = 460;
const HEIGHT = 200;
const LEFT = 58;
const RIGHT = 14;
const TOP = 10;
const BOTTOM = 34;

/** The plot of points `{x, result}`, in the order of x. */
export function valuePlot(points, name, app) {
  const zeroSum = points.every(({ result }) => result.value !== null) && app.game.players.length === 2;
  const players = zeroSum ? app.game.players.slice(0, 1) : app.game.players;
  const lines = players.map((player, at) => [
    player,
    points.map(({ x, result }) => [x, result.payoffs[at].amount.value]),
  ]);
  const all = lines.flatMap(([, line]) => line.map(([, y]) => y));
  const x = scale(
    points.map((one) => one.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = scale(
    [...all, ...(Math.min(...all.map(Math.abs)) < spread(all) ? [0] : [])],
    HEIGHT - BOTTOM,
    TOP,
  );
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": `Values against ${name.slice(0, 60)}; the table below has the numbers`,
    },
    y.ticks.map((value) => [
      svg("line", {
        class: value === 0 ? "grid zero" : "grid",
        x1: LEFT,
        x2: WIDTH - RIGHT,
        y1: y.at(value),
        y2: y.at(value),
      }),
      svg(
        "text",
        { class: "tick", x: LEFT - 6, y: y.at(value) + 4, "text-anchor": "end" },
        decimal(value, 5),
      ),
    ]),
    ticksOf(points).map((value) =>
      svg(
        "text",
        { class: "tick", x: x.at(value), y: HEIGHT - BOTTOM + 16, "text-anchor": "middle" },
        decimal(value, 5),
      ),
    ),
    svg(
      "text",
      { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 4, "text-anchor": "middle" },
      name.slice(0, 40),
    ),
    lines.map(([player, line]) => marks(line, x, y, app.playerColours.style(player)["--fill"])),
  );
  const key = (player) => el("li", {}, swatch(app.playerColours.style(player)["--fill"]), label(player));
  return el(
    "figure",
    { class: "value-plot" },
    picture,
    el("figcaption", { class: "legend" }, el("ul", {}, players.map(key))),
  );
}

function marks(line, x, y, colour) {
  const points = line.map(([one, value]) => `${x.at(one)},${y.at(value)}`).join(" ");
  return svg(
    "g",
    { style: { stroke: colour, fill: colour } },
    svg("polyline", { class: "line", points }),
    line.map(([one, value]) =>
      svg(
        "circle",
        { cx: x.at(one), cy: y.at(value), r: 3.4 },
        svg("title", {}, `${one}: ${decimal(value, 6)}`),
      ),
    ),
  );
}

function spread(values) {
  return Math.max(...values) - Math.min(...values) || 1;
}

/** From values to places, with some round values in between. */
function scale(values, begin, end) {
  const low = Math.min(...values);
  const wide = spread(values);
  const rough = wide / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((one) => one * power >= rough);
  const ticks = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= low + wide * (1 + 1e-9); value += step)
    ticks.push(Number(value.toPrecision(12)));
  return { ticks, at: (value) => begin + ((value - low) / wide) * (end - begin) };
}

function ticksOf(points) {
  const every = Math.ceil(points.length / 12);
  return points.filter((_, at) => at % every === 0).map((one) => one.x);
}
