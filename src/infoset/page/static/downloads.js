/** The tree and the strategies as files. */

import { recorded, requestFile } from "./api.js";
import { el, fill } from "./dom.js";

const FILES = [
  ["tree.svg", "Tree, SVG", "a drawing for the web and for vector editors"],
  ["tree.png", "Tree, PNG", "a picture"],
  ["tree.tex", "Tree, TikZ", "a drawing for LaTeX documents"],
  ["strategies.csv", "Strategies, CSV", "every probability, with exact fractions"],
  ["strategies.svg", "Strategies, SVG", "charts of what is played"],
  ["strategies.png", "Strategies, PNG", "the same as a picture"],
  ["page.html", "This page, HTML", "the game with its solution, for readers without a server"],
];

export class Downloads {
  constructor(app) {
    this.app = app;
    this.hint = el("p", { class: "hint", role: "status" });
    this.list = el("ul", { class: "downloads" });
    this.element = el(
      "div",
      {},
      el("div", { class: "card narrow-card" }, el("h2", {}, "Export"), this.hint, this.list),
    );
    app.on("solution", () => this.#show());
    this.#show();
  }

  #show() {
    const ready = this.app.solution !== null && !recorded;
    const without = recorded
      ? "This page was saved without its files."
      : "Files can be made when the game is solved.";
    const tree = Boolean(this.app.result?.nodes);
    const drawn = tree ? "Large trees are drawn in part." : "The game was solved without its tree.";
    this.hint.textContent = ready ? drawn : without;
    const files = FILES.filter(([name]) => tree || !name.startsWith("tree."));
    fill(this.list, ready && files.map((file) => this.#item(file)));
  }

  #item([name, title, what]) {
    const { app } = this;
    const path = app.solutionPath(name);
    const link = el(
      "a",
      { href: path, download: name, onclick: (event) => this.#load(event, path, name) },
      title,
    );
    return el("li", {}, link, el("span", { class: "hint" }, what));
  }

  /** Load the file first, so that a refusal is shown as one. */
  async #load(event, path, name) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.hint.textContent = `Making ${name}…`;
    await this.app.attempt(async () => save(await requestFile(path), name));
    this.#show();
  }
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
