/** How a game ended: who got what, what was hidden, and what the moves cost. */

import { el, label } from "./dom.js";
import { change, percent, shown } from "./numbers.js";
import { drawn } from "./table-values.js";

/** The result, for who sits at a seat: in one line. */
export function headline(state) {
  const { over } = state;
  if (!over) return "";
  if (over.failed) return "The rules have failed, and the game has ended.";
  const own = state.seats.find((one) => one.you);
  const paid = over.payoffs.find((one) => one.player === own?.player)?.amount;
  if (!paid) return "The game is over.";
  if (paid.value > 0) return `The game is over: you get ${shown(paid)}.`;
  if (paid.value < 0) return `The game is over: you lose ${shown({ text: paid.text.replace(/^-/, "") })}.`;
  return "The game is over: you get 0.";
}

/** The cards and dice that the others saw: hidden until the game was over. */
export function hands(state, colours) {
  const others = (state.over?.hands ?? []).filter((one) => one.seat !== state.seat);
  return others.map(({ seat, values }) => {
    const player = state.seats.find((one) => one.seat === seat)?.player;
    const who = label(seat, { class: "who player", style: colours.style(player) });
    return el("li", {}, who, el("span", { class: "held-cards" }, values.map(drawn)));
  });
}

/** The result with all moves; `colours` are those of the players. */
export function ending(state, colours) {
  const { over } = state;
  if (over.failed)
    return el("section", { class: "ending" }, el("p", { class: "failed", dir: "auto" }, over.failed));
  const payoffs = over.payoffs.map(({ player, amount }) => {
    const paid = el("b", { class: ["loss", "", "gain"][Math.sign(amount.value) + 1] }, change(amount));
    return el("li", { class: "player", style: colours.style(player) }, label(player), paid);
  });
  const moves = over.moves.map((one) =>
    el("li", {}, label(one.who, { class: "who player", style: colours.style(one.who) }), drawn(one.move)),
  );
  return el(
    "section",
    { class: "ending", "aria-labelledby": "ending-title" },
    el("h2", { id: "ending-title" }, "What happened"),
    el("ul", { class: "payoffs", "aria-label": "Payoffs" }, payoffs),
    over.forfeit &&
      el("p", { class: "failed", dir: "auto" }, `${over.forfeit.seat} forfeits: it ${over.forfeit.reason}`),
    el("ol", { class: "moves" }, moves),
    known(state, colours),
    el(
      "p",
      { class: "note" },
      `Deal number ${over.seed}: infoset play with --seed ${over.seed} deals the same.`,
    ),
  );
}

/** What the others knew in the end, which may be more than cards and dice. */
function known(state, colours) {
  const others = state.over.knew.filter((one) => one.seat !== state.seat);
  const row = ({ seat, label: words }) => {
    const player = state.seats.find((one) => one.seat === seat)?.player;
    const who = label(seat, { class: "who player", style: colours.style(player) });
    return el("div", {}, el("dt", {}, who, " knew"), el("dd", {}, label(words, { class: "wraps" })));
  };
  return others.length > 0 && el("dl", { class: "insight" }, others.map(row));
}

/** What each move cost. */
export function review(state) {
  const found = state.review;
  if (!found || state.over?.failed) return null;
  const parts = [el("h2", { id: "review-title" }, "Your moves")];
  const note = (words) => parts.push(el("p", { class: "note" }, words));
  if (found.state === "working") note("Solving the game, to see what they cost…");
  else if (found.state === "none") note(found.why ? `What they cost is not known: ${found.why}.` : "");
  else if (!found.moves.length) note("You had nothing to decide.");
  else parts.push(summary(found), el("ol", { class: "decisions" }, found.moves.map(decision)));
  return el("section", { class: "review", "aria-labelledby": "review-title" }, parts);
}

function summary(found) {
  if (!found.total) return el("p", { class: "total" }, "What they cost together is not known.");
  const whole = `${about(found)}${shown(found.total)}`;
  const missing = found.unknown ? `, without ${found.unknown} whose cost is not known` : "";
  const proof = found.exact ? "an exact solution" : "a solution";
  const by = `${missing}, measured by ${proof} (${found.method}).`;
  return el("p", { class: "total" }, "All of them together cost ", el("b", {}, whole), by);
}

function about(found) {
  return found.exact || found.total.value === 0 ? "" : "about ";
}

function decision(one) {
  const knew = label(one.knew, { class: "knew wraps" });
  const took = el("span", { class: "took" }, "you: ", drawn(one.took));
  return el(
    "li",
    { class: "decision" },
    el("div", { class: "decision-head" }, knew, took, costChip(one.cost)),
    one.cost.why && el("p", { class: "note" }, one.cost.why),
    actions(one.cost.actions, "What the solution does here"),
  );
}

/** What a move cost, in a few words. */
export function costChip(cost) {
  if (!cost.amount) return el("span", { class: "cost cost-unknown", title: cost.why }, "cost not known");
  if (cost.amount.value === 0) return el("span", { class: "cost cost-none" }, "costs nothing");
  return el("span", { class: "cost cost-some" }, `costs ${shown(cost.amount)}`);
}

/** Actions with the probabilities of a solution, as bars. */
export function actions(rows, title) {
  if (!rows.length) return null;
  const shownRows = rows.map((one) =>
    el(
      "tr",
      { class: [one.taken && "taken", one.best && "best"].filter(Boolean).join(" ") },
      el("th", { scope: "row" }, drawn(one.action), one.taken && el("span", { class: "mark" }, " yours")),
      el(
        "td",
        { class: "often" },
        el("span", { class: "bar", style: { "--share": one.probability.value } }),
        el("span", { class: "percent", title: one.probability.text }, percent(one.probability.value)),
      ),
      el("td", { class: "worth" }, shown(one.value)),
    ),
  );
  const head = el(
    "tr",
    {},
    ["option", "how often", "value"].map((name) => el("th", { scope: "col" }, name)),
  );
  return el(
    "table",
    { class: "advice" },
    el("caption", {}, title),
    el("thead", {}, head),
    el("tbody", {}, shownRows),
  );
}
