/** The tables of a node: its actions with their values, and what its mover believes. */

import { el, label } from "./dom.js";
import { likelihood, shown } from "./numbers.js";

const MOST = 200; // rows that are shown

/** The actions of a node, in the order of the rules. */
export function actionTable(node, app) {
  const { actions } = node.solved;
  const valued = actions.some((one) => one.value !== null); // not where the solution is on no tree
  const rows = actions.slice(0, MOST).map((one) => {
    const { value } = one.probability;
    const best = one.best ? el("span", { class: "best", title: "best" }, "✓", el("span", { class: "sr" }, "best")) : "";
    return el(
      "tr",
      { class: value === 0 ? "never" : "" },
      el("th", { scope: "row" }, label(one.action)),
      el("td", { class: "number" }, bar(value, value > 0 ? app.actionColours.of(one.action) : "none"), el("span", { class: "beside-bar", title: shown(one.probability) }, likelihood(one.probability))),
      valued && [shown(one.value), shown(one.regret), best].map((words) => el("td", { class: "number" }, words)),
    );
  });
  return table("Actions", ["action", "probability", ...(valued ? ["value", "regret", "best"] : [])], rows, actions.length);
}

/** The nodes of an information set, as likely as its mover believes them. */
export function beliefTable(beliefs) {
  const rows = beliefs.slice(0, MOST).map((one) => {
    const value = one.probability?.value ?? null;
    return el(
      "tr",
      { class: value === 0 ? "never" : "" },
      el("th", { scope: "row" }, label(one.history, { class: "wraps" })),
      el("td", { class: "number" }, bar(value, "var(--chance)"), el("span", { class: "beside-bar", title: shown(one.probability) }, likelihood(one.probability))),
      el("td", { class: "number" }, shown(one.value)),
    );
  });
  return [el("h3", {}, "Beliefs"), table("Beliefs", ["history", "probability", "value"], rows, beliefs.length)];
}

function bar(value, colour) {
  const part = el("span", { class: "likely-part", style: { width: `${100 * (value ?? 0)}%`, background: colour } });
  return el("span", { class: "likely-bar", "aria-hidden": "true" }, part);
}

function table(caption, columns, rows, all) {
  const heads = columns.map((name, at) => el("th", { scope: "col", class: at ? "number" : "" }, name));
  const left = all > rows.length ? el("p", { class: "hint" }, `${all - rows.length} more are not shown.`) : null;
  return el(
    "div",
    { class: "table-box", tabindex: "0" },
    el("table", {}, el("caption", { class: "sr" }, caption), el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)),
    left,
  );
}
