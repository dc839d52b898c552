/** One row of the tree: the move that leads there, how likely it is, and who moves next. */

import { el, fill, label } from "./dom.js";
import { bar } from "./marks.js";
import { likelihood, shown } from "./numbers.js";

/** Does nothing follow a node: is the game over there, or do its rules fail? */
export function isLeaf({ kind }) {
  return kind === "end" || kind === "failed";
}

/** Make the elements of an item. */
export function row(item, app, level, place, siblings) {
  const { node } = item;
  const leaf = isLeaf(node);
  item.bar = el("span", { class: "likely" });
  if (!leaf) item.group = el("ul", { role: "group", hidden: true });
  item.outcomes = item.alike && el("span", { class: "outcomes" });
  item.payoffs = node.payoffs?.map((one, at) => [app.game.players[at], one]);
  const line = el(
    "div",
    { class: "row" },
    el("span", { class: leaf ? "twisty none" : "twisty", "aria-hidden": "true" }),
    node.at === "" ? el("span", { class: "start" }, "start") : label(node.move, { class: "move" }),
    item.outcomes,
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
  setOutcomes(item);
}

const DOTS = 12; // outcomes that have a dot each

/**
 * Show which of the outcomes that are folded into one row this is, and which of them lead to the
 * information set of the selected node.
 */
export function setOutcomes(item, isSame = () => false) {
  const members = item.alike?.members ?? [];
  item.outcomes?.classList.toggle("several", members.length > 1);
  if (members.length > 1) {
    const same = members.filter((one) => isSame(one.at)).length;
    const kind = (one) => [one.at === item.at && "here", isSame(one.at) && "same"].filter(Boolean).join(" ");
    const dots = members.map((one) => el("span", { class: `dot ${kind(one)}` }));
    const all = `${members.length.toLocaleString("en")}${item.alike.more ? "+" : ""}`;
    const words = `${outcomeNumber(item) + 1} of ${all}`;
    fill(
      item.outcomes,
      step("‹", -1, "Previous outcome"),
      members.length <= DOTS ? el("span", { class: "dots", title: words }, dots) : el("span", {}, words),
      step("›", 1, "Next outcome"),
      same > 1 &&
        members.length > DOTS &&
        el("span", { class: "same-words" }, `${same} in the information set`),
    );
  } else if (item.outcomes) fill(item.outcomes);
  spoken(item);
}

/** The place of an item among the outcomes that are folded with it. */
export function outcomeNumber(item) {
  return item.alike.members.findIndex((one) => one.at === item.at);
}

function step(words, by, name) {
  return el(
    "button",
    { type: "button", tabindex: -1, dataset: { by }, "aria-label": name, title: name },
    words,
  );
}

function state({ node, payoffs }, app) {
  if (node.failed) return label(node.failed.message, { class: "fails" });
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
  const alike = item.alike?.members.length ?? 1;
  if (alike > 1)
    words.push(`outcome ${outcomeNumber(item) + 1} of ${alike} that are followed by the same move`);
  if (probability) words.push(`probability ${likelihood(probability)}`);
  if (payoffs)
    words.push(`end, ${payoffs.map(([player, one]) => `${player.slice(0, 100)} ${shown(one)}`).join(", ")}`);
  else if (node.failed) words.push(`the rules fail: ${node.failed.message.slice(0, 300)}`);
  else if (node.kind === "chance") words.push("chance moves");
  else words.push(`${node.infoset.player.slice(0, 100)} moves, knowing ${node.infoset.label.slice(0, 200)}`);
  li.setAttribute("aria-label", words.join("; "));
}
