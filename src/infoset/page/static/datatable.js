/** Tables: a caption for screen readers, heads, rows; they scroll by themselves where there is no room. */

import { el, label } from "./dom.js";

/** A table; `columns` are words, or `[words, "number"]`, and `rows` elements, of which more may be added. */
export function dataTable(caption, columns, rows, attributes = {}) {
  const head = (column) => {
    const [words, kind] = Array.isArray(column) ? column : [column, null];
    return el("th", { scope: "col", class: kind }, label(words, { class: "wraps" }));
  };
  return el(
    "div",
    { class: "table-box", tabindex: 0 },
    el(
      "table",
      attributes,
      el("caption", { class: "sr" }, caption),
      el("thead", {}, el("tr", {}, columns.map(head))),
      el("tbody", {}, rows),
    ),
  );
}

/** A row with its head and cells; cells are words, or `[words, class]`. */
export function row(head, cells, attributes = {}) {
  const cell = (one) => {
    const [words, kind] = Array.isArray(one) ? one : [one, "number"];
    return el("td", { class: kind }, words);
  };
  return el("tr", attributes, el("th", { scope: "row" }, head), cells.map(cell));
}
