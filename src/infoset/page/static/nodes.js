/** Nodes as the server describes them, each asked for once. */

import { address } from "./api.js";

const KEPT = 2000;

export class Nodes {
  #kept = new Map();

  constructor(app) {
    this.app = app;
  }

  /**
   * A node with the page of nodes below it that begins at `first`. What the solution says of it is all,
   * or `only` the probabilities of its "actions", which the server knows at once.
   */
  get(at, first = 0, only = null) {
    const path = address("/api/node", {
      set: this.app.parameters,
      at,
      first: first || null,
      solution: this.app.solution,
      only: this.app.solution && only,
      equilibrium: this.app.solution && this.app.equilibrium > 1 ? this.app.equilibrium : null,
    });
    if (!this.#kept.has(path)) {
      const asked = this.app.ask("GET", path);
      asked.catch(() => this.#kept.delete(path));
      this.#kept.set(path, asked);
      if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
    }
    return this.#kept.get(path);
  }

  /** The rules have changed: nothing is known any more. */
  forget() {
    this.#kept.clear();
  }
}
