/** The tables of a node: its actions with their values, and what its mover believes. */

import { dataTable, row } from "./datatable.js";
import { el, label } from "./dom.js";
import { bar } from "./marks.js";
import { likelihood, shown } from "./numbers.js";

const MOST = 200; // rows that are shown

/** The actions of a node, in the order of the rules. */
export function actionTable(node, app) {
  const { actions } = node.solved;
  const valued = actions.some((one) => one.value !== null); // not where the solution is on no tree
  const rows = actions.slice(0, MOST).map(({ action, probability, value, regret, best }) => {
    const cells = [
      barred(probability, app.actionColours.ifPlayed(action, probability.value)),
      shown(value),
      shown(regret),
      best ? tick() : "",
    ];
    return row(label(action), valued ? cells : cells.slice(0, 1), {
      class: probability.value === 0 ? "never" : null,
    });
  });
  const columns = ["probability", ...(valued ? ["value", "regret", "best"] : [])].map((one) => [
    one,
    "number",
  ]);
  return [dataTable("Actions", ["action", ...columns], rows), left(actions)];
}

/** The nodes of an information set, as likely as its mover believes them. */
export function beliefTable(beliefs, app) {
  const valued = beliefs.some((one) => one.value !== null);
  const rows = beliefs.slice(0, MOST).map(({ at, history, probability, value }) => {
    const cells = [barred(probability, "var(--chance)"), ...(valued ? [shown(value)] : [])];
    const words = label(history, { class: "wraps" });
    const here = at === null || at === app.state.at; // null where there is no tree
    return row(here ? words : el("a", { href: app.href({ at }) }, words), cells, {
      class: probability?.value === 0 ? "never" : null,
    });
  });
  const columns = ["history", ["probability", "number"], ...(valued ? [["value", "number"]] : [])];
  return [el("h3", {}, "Beliefs"), dataTable("Beliefs", columns, rows), left(beliefs)];
}

function barred(probability, colour) {
  const words = el("span", { class: "beside-bar", title: shown(probability) }, likelihood(probability));
  return [[bar(probability?.value, colour), words], "number"];
}

function tick() {
  return el("span", { class: "best", title: "best" }, "✓", el("span", { class: "sr" }, "best"));
}

function left(all) {
  return all.length > MOST && el("p", { class: "hint" }, `${all.length - MOST} more are not shown.`);
}
