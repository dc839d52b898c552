/**
 * The colours of players and of actions, the same everywhere: those of Okabe and Ito, as in Infoset's
 * drawings, for players, and ones like Paul Tol's "muted" for actions. Readers with any kind of colour
 * vision can tell them apart. The values are in app.css, for both themes.
 */

const PLAYERS = 6;
const ACTIONS = 9;
const USUAL = { fold: 0, pass: 1, check: 1, call: 1, bet: 2, raise: 2, "all in": 5 };
const OTHERS = [3, 7, 4, 8, 6, 5, 0, 1, 2]; // for actions without a usual colour, in this order

/** The colours of the players of a game; the agents of a team have the colour of the team. */
export class PlayerColours {
  #places = new Map();

  constructor(players, agents = {}) {
    players.forEach((name, at) => this.#places.set(name, at));
    for (const [agent, player] of Object.entries(agents ?? {})) {
      if (!this.#places.has(agent)) this.#places.set(agent, players.indexOf(player));
    }
  }

  /** Which colour a player or agent has, from 1; null for chance. */
  number(name) {
    if (name === null || name === undefined || name === "chance") return null;
    if (!this.#places.has(name)) this.#places.set(name, this.#places.size);
    return (this.#places.get(name) % PLAYERS) + 1;
  }

  /** Custom properties for an element that stands for a player: --fill, --words and --on. */
  style(name) {
    const number = this.number(name);
    if (number === null)
      return { "--fill": "var(--chance)", "--words": "var(--muted)", "--on": "var(--paper)" };
    return {
      "--fill": `var(--player-${number})`,
      "--words": `var(--words-${number})`,
      "--on": `var(--on-player-${number})`,
    };
  }
}

function usual(action) {
  return Object.hasOwn(USUAL, action) ? USUAL[action] : undefined;
}

/** The colours of actions: usual words have theirs, others get the next one when they are first seen. */
export class ActionColours {
  #numbers = new Map();

  /** The number of an action, from 0. */
  number(action) {
    if (!this.#numbers.has(action)) this.#numbers.set(action, usual(action) ?? this.#free(action));
    return this.#numbers.get(action);
  }

  /** The colour of an action. */
  of(action) {
    return `var(--action-${(this.number(action) % ACTIONS) + 1})`;
  }

  /** The same if an action is played at all; otherwise it needs none. */
  ifPlayed(action, probability) {
    return probability > 0 ? this.of(action) : "none";
  }

  /** The next colour that nobody has; "bet 10" gets the one of "bet" if it can. */
  #free(action) {
    const taken = new Set(this.#numbers.values());
    const like = usual(action.split(" ", 1)[0]);
    if (like !== undefined && !taken.has(like)) return like;
    return OTHERS.find((number) => !taken.has(number)) ?? taken.size;
  }
}
