/**
 * Solving in the background: one job at a time, asked about until it is over. When another game is
 * opened, the job is left to those who wait for it elsewhere; the server stops it if there are none.
 */

import { address, client, pause, recorded } from "./api.js";
import { USUAL } from "./state.js";

const OFTEN = 350; // milliseconds
const AT_WORK = ["queued", "running"];

/** A job as somebody asks about it who waits for it. */
export function waited(job) {
  return address(`/api/solutions/${job.solution}`, { client });
}

export class Solving {
  job = null; // as the server last told of it

  constructor(app) {
    this.app = app;
  }

  /** Begin to solve the game that is open, in place of what is being solved. */
  async begin() {
    this.drop();
    const control = (this.control = new AbortController());
    this.#tell({ solution: null, state: "queued", before: 0, said: "", error: "", result: null });
    try {
      await this.#follow(await this.#submitted(control.signal), control.signal);
    } catch (error) {
      if (control.signal.aborted) return;
      this.#tell({ ...this.job, state: "failed", error: error.message });
    }
  }

  async #submitted(signal) {
    if (recorded && recorded.solution === null) throw new Error("this page was saved without a solution");
    if (recorded) return this.app.ask("GET", `/api/solutions/${recorded.solution}`);
    return this.app.ask("POST", "/api/solutions", this.wanted, signal);
  }

  /** What is asked for: the game, the method, the time. */
  get wanted() {
    const { state, parameters } = this.app;
    const seconds = Number(state.seconds) || Number(USUAL.seconds);
    return { set: parameters, method: state.method || null, seconds, client };
  }

  async #follow(job, signal) {
    while (!signal.aborted) {
      this.#tell(job);
      if (!AT_WORK.includes(job.state)) return;
      await pause(OFTEN, signal);
      job = await this.app.ask("GET", waited(job), undefined, signal);
    }
  }

  /** End with the best answer so far. */
  async stop() {
    const number = this.job?.solution;
    if (number) await this.app.attempt(() => this.app.ask("DELETE", `/api/solutions/${number}`));
  }

  /** Nobody here waits for the job any more. */
  drop() {
    this.control?.abort();
    if (this.job?.solution && AT_WORK.includes(this.job.state)) {
      this.app.ask("DELETE", waited(this.job)).catch(() => {});
    }
    this.job = null;
  }

  #tell(job) {
    this.job = job;
    this.app.tell("solving");
  }
}
