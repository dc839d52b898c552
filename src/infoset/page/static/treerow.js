/** One row of the tree: the move that leads there, how likely it is, and who moves next. */

import { el, fill, label } from "./dom.js";
import { bar } from "./marks.js";
import { likelihood, shown } from "./numbers.js";

/** Make the elements of an item. */
export function row(item, app, level, place, siblings) {
  const { node } = item;
  const leaf = node.kind === "end";
  item.bar = el("span", { class: "likely" });
  if (!leaf) item.group = el("ul", { role: "group", hidden: true });
  item.payoffs = node.payoffs?.map((one, at) => [app.game.players[at], one]);
  const line = el(
    "div",
    { class: "row" },
    el("span", { class: leaf ? "twisty none" : "twisty", "aria-hidden": "true" }),
    node.at === "" ? el("span", { class: "start" }, "start") : label(node.move, { class: "move" }),
    item.bar,
    state(item, app),
  );
  const attributes = {
    role: "treeitem",
    tabindex: -1,
    "aria-level": level,
    "aria-posinset": place,
    "aria-setsize": siblings,
    "aria-selected": "false",
    "aria-expanded": leaf ? null : "false",
    dataset: { at: node.at },
  };
  item.li = el("li", attributes, line, item.group);
  setBar(item);
  spoken(item);
}

function state({ node, payoffs }, app) {
  if (payoffs) {
    const one = ([player, amount]) =>
      el(
        "span",
        { class: "amount", style: app.playerColours.style(player), title: player.slice(0, 200) },
        shown(amount),
      );
    return el("span", { class: "ends" }, payoffs.map(one));
  }
  if (node.kind === "chance") return el("span", { class: "badge chance" }, "chance");
  const { player, label: known } = node.infoset;
  return [
    label(player, { class: "badge", style: app.playerColours.style(player) }),
    label(known, { class: "known" }),
  ];
}

/** Show the probability of the move that leads to a node; it is of nature, if no colours are given. */
export function setBar(item, colours = null) {
  const { probability, bar: place, li } = item;
  const one = probability?.value;
  li.classList.toggle("never", one === 0);
  if (!probability) {
    fill(place);
    return;
  }
  const colour = colours === null ? "var(--chance)" : colours.ifPlayed(item.node.move, one);
  fill(place, bar(one, colour), el("span", { class: "likely-words" }, likelihood(probability)));
}

/** What a screen reader says of a row. */
export function spoken(item) {
  const { node, probability, payoffs, li } = item;
  const words = [node.at === "" ? "start" : node.move.slice(0, 200)];
  if (probability) words.push(`probability ${likelihood(probability)}`);
  if (payoffs)
    words.push(`end, ${payoffs.map(([player, one]) => `${player.slice(0, 100)} ${shown(one)}`).join(", ")}`);
  else if (node.kind === "chance") words.push("chance moves");
  else words.push(`${node.infoset.player.slice(0, 100)} moves, knowing ${node.infoset.label.slice(0, 200)}`);
  li.setAttribute("aria-label", words.join("; "));
}
