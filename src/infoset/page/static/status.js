/** How far the solution is, and what it says in one line. */

import { recorded } from "./api.js";
import { el, fill, label } from "./dom.js";
import { count, seconds, shown } from "./numbers.js";

export class Status {
  constructor(app) {
    this.app = app;
    this.words = el("div", { class: "status-words", role: "status", "aria-live": "polite" });
    this.progress = el("span", { class: "progress-words" }); // changes too often to be read aloud
    this.bar = el("div", { class: "working", "aria-hidden": "true", hidden: true });
    this.cancel = el("button", { type: "button", hidden: true, onclick: () => this.#stop() }, "Stop");
    this.again = el(
      "button",
      { type: "button", hidden: true, onclick: () => app.solving.begin() },
      "Solve again",
    );
    this.element = el(
      "section",
      { class: "status", "aria-label": "Solution" },
      this.bar,
      el("div", { class: "status-line" }, this.words, this.progress, this.cancel, this.again),
    );
    app.on("solving", () => this.#show());
    app.on("game", () => this.#show());
    app.on("solution", () => this.#show());
  }

  #stop() {
    this.cancel.disabled = true;
    this.app.solving.stop();
  }

  #show() {
    const job = this.app.solving.job;
    if (!job) return;
    const busy = job.state === "queued" || job.state === "running";
    this.bar.hidden = this.cancel.hidden = !busy;
    if (!busy) this.cancel.disabled = false;
    this.again.hidden = Boolean(recorded) || !["failed", "stopped"].includes(job.state);
    this.progress.textContent = busy ? job.said.slice(0, 300) : "";
    const { equilibrium } = this.app;
    const key = `${equilibrium} ${job.state} ${job.before} ${job.solution} ${job.error}`;
    if (key === this.key) return; // say nothing twice
    this.key = key;
    fill(this.words, job.state === "done" ? found(job.result, equilibrium) : waiting(job));
    this.words.classList.toggle("is-failed", job.state === "failed");
  }
}

function waiting(job) {
  if (job.state === "queued")
    return job.before ? `Queued: ${count(job.before, "game")} before this one.` : "Queued.";
  if (job.state === "running") return "Solving…";
  const what = job.state === "failed" ? "Not solved: " : "";
  return el("span", { dir: "auto" }, what + (job.error || job.state).slice(0, 600));
}

function found(result, equilibrium) {
  const proof = result.certificate === "exact" ? "exact" : result.certificate;
  return [
    equilibrium > 1 ? fact("equilibrium", `${equilibrium} of ${result.equilibria}`) : value(result),
    fact("proof", proof, result.certificate === "exact" ? "good" : ""),
    fact("method", result.method),
    result.because && el("span", { class: "because", dir: "auto" }, result.because.slice(0, 300)),
    result.equilibria > 1 &&
      equilibrium === 1 &&
      fact("equilibria", `${result.equilibria}${result.complete ? ", all" : ""}`),
    result.nodes !== null &&
      fact("size", `${count(result.nodes, "node")}, ${count(result.infosets, "information set")}`),
    fact("time", seconds(result.seconds)),
    result.note && el("p", { class: "because", dir: "auto" }, result.note.slice(0, 900)),
  ];
}

function value(result) {
  if (result.value) {
    const near = result.value.text.includes("/")
      ? ` ≈ ${shown({ text: String(Number(result.value.value.toFixed(5))) })}`
      : "";
    const who = result.payoffs[0] ? ["for ", label(result.payoffs[0].player)] : [];
    return el(
      "span",
      { class: "fact value" },
      "value ",
      el("strong", {}, shown(result.value)),
      near,
      " ",
      who,
    );
  }
  const each = result.payoffs.map((one) =>
    el("span", { class: "paid" }, label(one.player), " ", el("strong", {}, shown(one.amount)), " "),
  );
  return el("span", { class: "fact value" }, "payoffs ", each);
}

function fact(name, words, kind = "") {
  return el(
    "span",
    { class: `fact ${kind}` },
    el("span", { class: "fact-name" }, name),
    " ",
    el("span", { dir: "auto" }, String(words).slice(0, 200)),
  );
}
