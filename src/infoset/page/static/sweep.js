/** The value of a game against one of its parameters: of games solved on this page, or of a range. */

import { pause } from "./api.js";
import { dataTable, row } from "./datatable.js";
import { el, fill, label } from "./dom.js";
import { decimal, shown } from "./numbers.js";
import { waited } from "./solving.js";
import { valuePlot } from "./valueplot.js";

const OFTEN = 300; // milliseconds
const MOST = 60; // games of a range
const TOUCH = 10; // games after which the main solution is asked about, so that it is kept

export class Sweep {
  constructor(app) {
    this.app = app;
    this.results = new Map(); // parameters and method → {values, result}
    this.parameter = el("select", { id: "vary", onchange: () => this.#suggest() });
    this.from = el("input", { id: "vary-from", type: "number", step: 1, required: true });
    this.to = el("input", { id: "vary-to", type: "number", step: 1, required: true });
    this.run = el("button", { type: "submit" }, "Solve each");
    this.cancel = el(
      "button",
      { type: "button", hidden: true, onclick: () => this.control?.abort() },
      "Cancel",
    );
    this.said = el("p", { class: "hint", role: "status" });
    this.plot = el("div", { class: "plot" });
    this.element = el(
      "section",
      { class: "card wide-card", "aria-labelledby": "vary-heading" },
      el("h2", { id: "vary-heading" }, "Value against a parameter"),
      this.#form(),
      this.said,
      this.plot,
    );
    this.linked = app.state.vary; // a range that the address asks for when the page is opened
    app.on("game", () => this.#begin());
    app.on("solution", () => this.#remember());
  }

  #form() {
    const field = (id, words, input) => el("div", { class: "field" }, el("label", { for: id }, words), input);
    const submit = (event) => {
      event.preventDefault();
      this.#solveEach();
    };
    this.form = el(
      "form",
      { class: "row-form", autocomplete: "off", onsubmit: submit },
      field("vary", "Vary", this.parameter),
      field("vary-from", "from", this.from),
      field("vary-to", "to", this.to),
      el("div", { class: "buttons" }, this.run, this.cancel),
    );
    return this.form;
  }

  /** The parameters that are whole numbers. */
  get #whole() {
    return this.app.game?.parameters.filter((one) => one.kind === "whole") ?? [];
  }

  #begin() {
    this.control?.abort();
    const before = this.parameter.value;
    fill(
      this.parameter,
      this.#whole.map((one) => el("option", { value: one.name }, one.name.slice(0, 60))),
    );
    if (this.#whole.some((one) => one.name === before)) this.parameter.value = before;
    this.form.hidden = this.#whole.length === 0;
    this.said.textContent = this.form.hidden ? "This game has no parameter that is a whole number." : "";
    this.#suggest();
  }

  #suggest() {
    const one = this.#whole.find((parameter) => parameter.name === this.parameter.value);
    if (one) {
      this.from.value = Number(one.value);
      this.to.value = Number(one.value) + 3;
    }
    this.#draw();
  }

  /** The values of all parameters of the game that is open. */
  get #values() {
    return Object.fromEntries(this.app.game.parameters.map((one) => [one.name, one.value]));
  }

  #remember() {
    if (this.app.game && this.app.result) this.#keep(this.#values, this.app.result);
    this.#draw();
    if (this.app.result && this.linked) this.#solveLinked();
  }

  /** Solve the range that the address asks for. */
  #solveLinked() {
    const [, name, from, to] = /^(.*):(-?\d+)\.\.(-?\d+)$/.exec(this.linked) ?? [];
    this.linked = "";
    if (!this.#whole.some((one) => one.name === name)) return;
    this.parameter.value = name;
    this.from.value = from;
    this.to.value = to;
    this.#solveEach();
  }

  #keep(values, result) {
    this.results.set(JSON.stringify([values, this.app.revision]), {
      values,
      result,
      revision: this.app.revision,
    });
  }

  async #solveEach() {
    const name = this.parameter.value;
    const [low, high] = [this.from, this.to]
      .map((one) => Number(one.value))
      .sort((one, other) => one - other);
    if (high - low >= MOST) {
      this.said.textContent = `These are more than ${MOST} games.`;
      return;
    }
    this.app.go({ vary: `${name}:${low}..${high}` }, false);
    const control = (this.control = new AbortController());
    this.run.disabled = true;
    this.cancel.hidden = false;
    const failed = [];
    try {
      for (let value = low; value <= high; value += 1) {
        this.said.textContent = `Solving ${name.slice(0, 60)} = ${value}…`;
        const problem = await this.#solveOne(name, String(value), control.signal);
        if (problem) failed.push(`${value}: ${problem}`);
        if ((value - low) % TOUCH === 0 && this.app.solution)
          await this.app.ask("GET", `/api/solutions/${this.app.solution}`).catch(() => {});
      }
      this.said.textContent = failed.join("; ").slice(0, 600);
    } catch (error) {
      this.said.textContent = error.name === "AbortError" ? "Cancelled." : error.message;
    }
    this.run.disabled = false;
    this.cancel.hidden = true;
  }

  /** Solve one game, and draw its value; what is wrong with it, if something is. */
  async #solveOne(name, value, signal) {
    const { app } = this;
    const set = [...app.parameters.filter((one) => !one.startsWith(`${name}=`)), `${name}=${value}`];
    const values = { ...this.#values, [name]: value };
    let job;
    try {
      job = await app.ask("POST", "/api/solutions", { ...app.solving.wanted, set }, signal);
      while (job.state === "queued" || job.state === "running") {
        await pause(OFTEN, signal);
        job = await app.ask("GET", waited(job), undefined, signal);
      }
    } catch (error) {
      if (error.name !== "AbortError") return error.message;
      if (job && job.solution !== app.solving.job?.solution) app.ask("DELETE", waited(job)).catch(() => {});
      throw error;
    }
    if (job.state !== "done") return job.error || job.state;
    this.#keep(values, job.result);
    this.#draw();
    return null;
  }

  /** The games that differ from the one that is open in this parameter only. */
  #alike(name) {
    const now = this.#values;
    const same = (values) => Object.keys(now).every((one) => one === name || values[one] === now[one]);
    return [...this.results.values()]
      .filter(({ values, revision }) => revision === this.app.revision && same(values))
      .map(({ values, result }) => ({ x: Number(values[name]), result }))
      .sort((one, other) => one.x - other.x);
  }

  #draw() {
    const name = this.parameter.value;
    const points = this.app.game && name ? this.#alike(name) : [];
    if (points.length === 0) fill(this.plot);
    else
      fill(
        this.plot,
        points.length > 1 && valuePlot(points, name, this.app),
        valueTable(points, name, this.app),
      );
  }
}

function valueTable(points, name, app) {
  const now = app.game.parameters.find((one) => one.name === name)?.value;
  const columns = [name, ...app.game.players].map((one) => [one.slice(0, 60), "number"]);
  const rows = points.map(({ x, result }) => {
    const paid = result.payoffs.map(({ amount }) =>
      el("span", { title: decimal(amount.value, 6) }, shown(amount)),
    );
    const cells = [...paid, [label(result.certificate), null], [result.method, null]];
    return row(x, cells, { class: String(x) === now ? "here" : null });
  });
  return dataTable("Values", [...columns, "proof", "method"], rows, { class: "values" });
}
