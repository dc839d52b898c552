/** The strategy of a player: a chart for each public history, or a table of its information sets. */

import { recorded } from "./api.js";
import { chart } from "./chart.js";
import { dataTable, row } from "./datatable.js";
import { debounced, el, fill, label } from "./dom.js";
import { mixBar } from "./marks.js";
import { count, likelihood, shown } from "./numbers.js";

export class Strategies {
  constructor(app) {
    this.app = app;
    this.players = el("div", { class: "choices", role: "group", "aria-label": "Player" });
    const asked = debounced(() => app.go({ where: this.where.value }, false), 300);
    const attributes = {
      type: "search",
      id: "where",
      placeholder: "e.g. Q, raise",
      spellcheck: "false",
      autocomplete: "off",
    };
    this.where = el("input", {
      ...attributes,
      "aria-describedby": "where-help",
      oninput: asked,
      onchange: asked.now,
    });
    this.form = el("div", { class: "choices", role: "group", "aria-label": "Form" });
    this.counted = el("p", { class: "hint", role: "status" });
    this.content = el("div", { class: "strategy" });
    this.more = el(
      "button",
      { type: "button", class: "more-button", hidden: true, onclick: () => this.#load() },
      "More",
    );
    this.element = el("div", {}, this.#controls(), this.counted, this.content, this.more);
    app.on("game", () => this.#begin());
    app.on("solution", () => this.#begin());
    app.on(
      "state",
      (changed) => ["player", "where", "as", "tab"].some((one) => changed.has(one)) && this.#begin(),
    );
  }

  #controls() {
    const help = "In labels: any text, * and ? in patterns, cards such as Ah Kh, ranges such as 66+.";
    return el(
      "div",
      { class: "controls" },
      el("h2", {}, "Strategies"),
      this.players,
      this.form,
      el(
        "div",
        { class: "field", hidden: Boolean(recorded) },
        el("label", { for: "where" }, "Search"),
        this.where,
        el("span", { class: "hint", id: "where-help" }, help),
      ),
    );
  }

  get #player() {
    const players = this.app.game?.players ?? [];
    return players.includes(this.app.state.player) ? this.app.state.player : players[0];
  }

  #begin() {
    this.#showControls();
    if (this.app.state.tab !== "strategies") return;
    const { app } = this;
    const { where, as } = app.state;
    const key = JSON.stringify([app.solution, app.equilibrium, this.#player, where, as]);
    if (key === this.key && app.solution !== null) return;
    this.key = key;
    this.next = 0;
    this.more.hidden = true;
    fill(this.content);
    this.counted.textContent =
      app.solution === null ? "Strategies are shown when the game is solved." : "Loading…";
    if (app.solution !== null) this.#load();
  }

  #showControls() {
    const { app } = this;
    const { state } = app;
    if (document.activeElement !== this.where) this.where.value = state.where;
    const player = (one) =>
      choice(label(one), one === this.#player, () => app.go({ player: one }), app.playerColours.style(one));
    keepFocus(this.players, (app.game?.players ?? []).map(player));
    const forms = [
      ["panels", "Charts"],
      ["rows", "Table"],
    ];
    keepFocus(
      this.form,
      forms.map(([as, words]) => choice(words, state.as === as, () => app.go({ as }))),
    );
  }

  async #load() {
    const { app, key } = this;
    const first = this.next;
    const path = app.solutionPath("strategy", {
      player: this.#player,
      where: app.state.where.trim(),
      first: first || null,
      as: app.state.as === "rows" ? "rows" : null,
    });
    this.more.disabled = true;
    const found = await app.attempt(() => this.#found(path));
    if (key !== this.key) return;
    this.more.disabled = false;
    if (!found || found.wrong) {
      this.counted.textContent = found?.wrong ?? "";
      this.key = null;
      return;
    }
    if (found.rows) this.#addRows(found);
    else this.content.append(...found.panels.map((panel) => chart(panel, app.actionColours)));
    this.next = first + (found.rows ?? found.panels).length;
    this.#tellCount(found);
  }

  /** What is found; what is wrong with words that are being typed is told beside them. */
  async #found(path) {
    try {
      return await this.app.ask("GET", path);
    } catch (error) {
      if (!this.app.state.where.trim() || /solve again$/.test(error.message)) throw error;
      return { wrong: error.message };
    }
  }

  #tellCount(found) {
    const { count: all } = found;
    const what = found.rows
      ? count(all, "information set")
      : count(all, "public history", "public histories");
    this.counted.textContent =
      this.next < found.count ? `${what}; the first ${this.next} are shown.` : `${what}.`;
    this.more.hidden = this.next >= found.count;
    this.more.textContent = `More (${(found.count - this.next).toLocaleString("en")} left)`;
  }

  #addRows(found) {
    if (!this.content.firstChild) {
      const columns = ["information set", ["reach", "number"], "strategy"];
      fill(this.content, dataTable("Information sets", columns, [], { class: "wide" }));
    }
    const rows = found.rows.map((one) => infosetRow(one, this.app.actionColours));
    this.content.querySelector("tbody").append(...rows);
  }
}

function infosetRow({ label: known, reach, actions }, colours) {
  const played = actions.filter((one) => one.probability.value > 0);
  const words = ({ action, probability }) =>
    el(
      "span",
      { class: "mix-word" },
      label(action),
      el("strong", { title: shown(probability) }, likelihood(probability)),
    );
  const shares = played.map(({ action, probability }) => [action, probability.value]);
  const mix = [mixBar(shares, colours), el("div", { class: "mix-words" }, played.map(words))];
  return row(label(known, { class: "wraps" }), [shown(reach), [mix, null]], {
    class: reach?.value === 0 ? "never" : null,
  });
}

/** One of several buttons of which one is pressed. */
function choice(words, pressed, onclick, style = {}) {
  return el(
    "button",
    { type: "button", class: "choice", "aria-pressed": String(pressed), style, onclick },
    words,
  );
}

/** New buttons in place of old ones, with the focus where it was. */
function keepFocus(box, buttons) {
  const at = [...box.children].indexOf(document.activeElement);
  fill(box, buttons);
  if (at >= 0) buttons[at]?.focus();
}
