/** The game: its name, what it is, who plays, and where it comes from. */

import { el, fill, label } from "./dom.js";
import { shown } from "./numbers.js";
import { themeButton } from "./theme.js";

export class Header {
  constructor(app) {
    this.app = app;
    this.name = el("h1", { class: "game-name" }, label(app.about.asked));
    this.about = el("p", { class: "about", dir: "auto" });
    this.source = el("p", { class: "source", dir: "auto" });
    this.players = el("ul", { class: "players", "aria-label": "Players" });
    this.element = el(
      "header",
      { class: "top" },
      el(
        "div",
        { class: "brand" },
        el("img", { src: "icon.svg", alt: "", width: 22, height: 22 }),
        "Infoset",
      ),
      el("div", { class: "game-head" }, this.name, this.about, this.source),
      this.players,
      themeButton(),
    );
    app.on("game", () => this.#show());
    app.on("solution", () => this.#showPlayers());
  }

  #show() {
    const { game } = this.app;
    fill(this.name, label(game.name));
    const first = game.about
      .trim()
      .split(/\n\s*\n/)[0]
      .replace(/\s+/g, " ")
      .replaceAll("``", "");
    this.about.textContent = first.slice(0, 600);
    fill(
      this.source,
      game.source && cited(game.source.slice(0, 400)),
      game.source && game.rules && " · ",
      this.#rulesLink(),
    );
    this.#showPlayers();
  }

  #rulesLink() {
    const { rules } = this.app.game;
    if (!rules) return null;
    const go = (event) => {
      event.preventDefault();
      this.app.go({ tab: "rules" });
    };
    return el("a", { href: this.app.href({ tab: "rules" }), onclick: go }, label(rules.file));
  }

  async #showPlayers() {
    this.#listPlayers(this.app.result?.payoffs.map((one) => one.amount) ?? []);
    if (this.app.solution === null || this.app.equilibrium < 2) return;
    const root = await this.app.nodes.get("").catch(() => null); // the result is of the first equilibrium
    if (this.app.equilibrium > 1) this.#listPlayers(root?.solved?.values ?? []);
  }

  #listPlayers(paid) {
    const { app } = this;
    const rows = (app.game?.players ?? []).map((player, at) => {
      const payoff = paid[at];
      const words = payoff && el("span", { class: "payoff", title: "expected payoff" }, shown(payoff));
      return el("li", { class: "player", style: app.playerColours.style(player) }, label(player), words);
    });
    fill(this.players, rows);
  }
}

/** A source with its web address, if it has one, as a link. */
function cited(source) {
  const found = /https?:\/\/[^\s<>"]+[^\s<>".,;)]/.exec(source);
  if (!found) return [source];
  const link = el("a", { href: found[0], rel: "noreferrer noopener", target: "_blank" }, found[0]);
  return [source.slice(0, found.index), link, source.slice(found.index + found[0].length)];
}
