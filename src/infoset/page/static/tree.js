/**
 * The game tree as an outline. Rows are made once, when their parent is first expanded, and kept; a
 * click changes a few classes, however many rows there are. What is played is painted into the rows
 * when a solution is there.
 */

import { el, fill } from "./dom.js";
import { moveInTree } from "./treekeys.js";
import { row, setBar, spoken } from "./treerow.js";

const PAGE = 60; // nodes that the server sends at a time
const AT_ONCE = 4; // requests for what is played
const MOST_EXPANDED = 200; // by one press of "Expand a level"

export class OutlineTree {
  constructor(app) {
    this.app = app;
    this.list = el("ul", { role: "tree", class: "tree", "aria-label": "Game tree" });
    this.expand = el("button", { type: "button", onclick: () => this.expandLevel() }, "Expand a level");
    this.fold = el("button", { type: "button", onclick: () => this.#collapseAll() }, "Collapse");
    this.element = el(
      "section",
      { class: "tree-pane", "aria-labelledby": "tree-heading" },
      el(
        "div",
        { class: "pane-head" },
        el("h2", { id: "tree-heading" }, "Tree"),
        el("div", { class: "tools" }, this.expand, this.fold),
      ),
      el("div", { class: "tree-scroll" }, this.list),
    );
    this.#forget();
    this.#listen();
  }

  #forget() {
    this.items = new Map(); // address → item
    this.sets = new Map(); // sign of an information set → its rows
    this.played = new Map(); // sign → the actions of the solution
    this.selected = null;
    this.roved = null; // the row that the keyboard comes to
  }

  #listen() {
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("keydown", (event) => moveInTree(this, event));
    this.list.addEventListener("pointerover", (event) => this.#point(this.itemOf(event.target)));
    this.list.addEventListener("pointerleave", () => this.#point(null));
    this.list.addEventListener("focusin", (event) => this.#point(this.itemOf(event.target)));
    this.app.on("game", () => this.#begin());
    this.app.on("solution", () => this.#repaint());
    this.app.on("state", (changed) => changed.has("at") && this.reveal(this.app.state.at));
  }

  /** The item of the row that an element is in. */
  itemOf(element) {
    const li = element.closest?.("[role=treeitem]");
    return li ? (this.items.get(li.dataset.at) ?? null) : null;
  }

  // ------------------------------------------------------------------ rows

  async #begin() {
    this.#forget();
    fill(this.list);
    const begun = (this.begun = {});
    const root = await this.app.attempt(() => this.app.nodes.get(""));
    if (root === null || begun !== this.begun) return;
    const item = this.#item({ ...root, move: "start" }, 1, 1, 1);
    this.list.append(item.li);
    this.#rove(item.li);
    await this.open(item);
    await this.reveal(this.app.state.at, false);
  }

  #item(node, level, place, siblings) {
    const item = {
      node,
      at: node.at,
      level,
      loaded: null,
      open: false,
      probability: node.probability ?? null,
    };
    row(item, this.app, level, place, siblings);
    this.items.set(node.at, item);
    const sign = node.infoset?.id;
    if (sign) {
      if (!this.sets.has(sign)) this.sets.set(sign, new Set());
      this.sets.get(sign).add(item.li);
      if (this.selected?.node.infoset?.id === sign) item.li.classList.add("same");
    }
    return item;
  }

  /** Show what follows a node; `near` is the number of a move that has to be among it. */
  async open(item, near = 0) {
    if (item.node.kind === "end") return;
    while (item.pending) await item.pending;
    if (!item.loaded || near < item.loaded.from || near >= item.loaded.to) {
      const first = Math.floor(near / PAGE) * PAGE;
      if (item.loaded) item.group.replaceChildren();
      item.loaded = null;
      if (!(await this.#load(item, first))) return;
    }
    item.open = true;
    item.group.hidden = false;
    item.li.setAttribute("aria-expanded", "true");
  }

  /** Hide what follows a node. */
  close(item) {
    if (!item.open) return;
    if (item.group.contains(document.activeElement)) this.focus(item.li);
    else if (item.group.contains(this.roved)) this.#rove(item.li);
    item.open = false;
    item.group.hidden = true;
    item.li.setAttribute("aria-expanded", "false");
  }

  #load(item, first) {
    item.pending ??= this.#loadPage(item, first).finally(() => (item.pending = null));
    return item.pending;
  }

  async #loadPage(item, first) {
    item.li.setAttribute("aria-busy", "true");
    const found = await this.app.attempt(() => this.app.nodes.get(item.at, first));
    item.li.removeAttribute("aria-busy");
    if (!found || this.items.get(item.at) !== item) return false;
    const rows = found.below.map(
      (node, at) => this.#item(node, item.level + 1, first + at + 1, found.count).li,
    );
    const after = !item.loaded || first >= item.loaded.to;
    if (after) item.group.append(...rows);
    else item.group.prepend(...rows);
    const last = first + found.below.length;
    item.loaded = {
      from: Math.min(item.loaded?.from ?? first, first),
      to: Math.max(item.loaded?.to ?? last, last),
    };
    this.#offerMore(item, found.count);
    if (found.solved) this.#learn(item, found.solved);
    this.#paint(item);
    return true;
  }

  #offerMore(item, all) {
    const { from, to } = item.loaded;
    item.group.querySelectorAll(":scope > .more").forEach((one) => one.remove());
    if (from > 0) item.group.prepend(this.#more(item, Math.max(0, from - PAGE), "earlier", from));
    if (to < all) item.group.append(this.#more(item, to, "later", all - to));
  }

  #more(item, first, side, left) {
    const words = `${side === "later" ? "more" : "earlier"}: ${left.toLocaleString("en")} of ${item.node.count.toLocaleString("en")} moves`;
    const attributes = {
      role: "treeitem",
      class: "more",
      tabindex: -1,
      "aria-level": item.level + 1,
      "aria-selected": "false",
    };
    const li = el(
      "li",
      { ...attributes, dataset: { side, at: `${item.at}+${first}` } },
      el("div", { class: "row" }, words),
    );
    li.act = async () => {
      const neighbour = side === "later" ? li.previousElementSibling : null;
      const focused = li.contains(document.activeElement);
      await this.#load(item, first);
      const next = neighbour ? neighbour.nextElementSibling : item.group.firstElementChild;
      if (focused && next) this.focus(next);
    };
    return li;
  }

  // ------------------------------------------------------------------ selection and focus

  /** Select the node with this address, and show the way to it. */
  async reveal(at, scroll = true) {
    const steps = at === "" ? [] : at.split(".").map(Number);
    let item = this.items.get("");
    let missing = false;
    for (let depth = 0; item && depth < steps.length; depth += 1) {
      missing = !(steps[depth] < (item.node.count ?? 0));
      if (!missing) await this.open(item, steps[depth]);
      item = this.items.get(steps.slice(0, depth + 1).join("."));
    }
    if (this.app.state.at !== at) return; // another one meanwhile
    if (!item) {
      if (missing) this.app.go({ at: "" }, false); // there is no such node: the details say so
      return;
    }
    this.#select(item);
    if (scroll || at !== "") this.#show(item.li, 1 / 3);
  }

  #select(item) {
    this.selected?.li.setAttribute("aria-selected", "false");
    this.#mark(this.selected, "same", false);
    this.selected = item;
    item.li.setAttribute("aria-selected", "true");
    this.#mark(item, "same", true);
    this.#rove(item.li);
  }

  #mark(item, kind, on) {
    const sign = item?.node.infoset?.id;
    for (const li of (sign && this.sets.get(sign)) ?? []) li.classList.toggle(kind, on);
  }

  #point(item) {
    if (item === this.pointed) return;
    this.#mark(this.pointed, "same-pointed", false);
    this.pointed = item;
    this.#mark(item, "same-pointed", true);
  }

  /** Scroll to a row that is out of sight, so that it stands at this part of the height. */
  #show(li, part) {
    const box = this.list.parentElement;
    const place = li.firstElementChild.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    const above = place.top - frame.top;
    const below = above + place.height - box.clientHeight;
    if (above < 0 || below > 0)
      box.scrollTop += part === null ? (above < 0 ? above : below) : above - box.clientHeight * part;
    const left = place.left - frame.left;
    if (left < 0) box.scrollLeft += left - 40;
    else if (left > box.clientWidth - 160) box.scrollLeft += left - box.clientWidth / 3;
  }

  #rove(li) {
    if (this.roved) this.roved.tabIndex = -1;
    this.roved = li;
    li.tabIndex = 0;
  }

  /** Put the keyboard's focus on a row. */
  focus(li) {
    this.#rove(li);
    li.focus({ preventScroll: true });
    this.#show(li, null);
    const place = li.firstElementChild.getBoundingClientRect();
    if (place.top < 0) window.scrollBy(0, place.top - 8);
    else if (place.bottom > window.innerHeight) window.scrollBy(0, place.bottom - window.innerHeight + 8);
  }

  /** Choose a row: select its node, or load more. */
  choose(li) {
    if (li.act) li.act();
    else this.app.go({ at: li.dataset.at });
  }

  toggle(item) {
    if (item.open) this.close(item);
    else this.open(item);
  }

  #click(event) {
    const li = event.target.closest("[role=treeitem]");
    if (!li) return;
    this.focus(li);
    if (event.target.closest(".twisty")) this.toggle(this.items.get(li.dataset.at));
    else this.choose(li);
  }

  /** Expand the rows that are shown and not yet expanded. */
  async expandLevel() {
    const closed = [...this.items.values()].filter(
      (item) => !item.open && item.node.kind !== "end" && item.li.offsetParent !== null,
    );
    await Promise.all(closed.slice(0, MOST_EXPANDED).map((item) => this.open(item)));
  }

  #collapseAll() {
    for (const item of this.items.values()) if (item.at !== "") this.close(item);
    this.focus(this.items.get("").li);
  }

  // ------------------------------------------------------------------ what is played

  #learn(item, solved) {
    const sign = item.node.infoset?.id;
    if (sign && solved.actions) this.played.set(sign, solved.actions);
  }

  async #repaint() {
    this.played.clear();
    const solution = (this.painting = {});
    const open = [...this.items.values()].filter((item) => item.loaded && item.node.kind === "decision");
    for (const item of open) this.#paint(item);
    if (this.app.solution === null) return;
    const queue = open.sort((one, other) => other.open - one.open);
    const work = async () => {
      for (let item = queue.shift(); item && solution === this.painting; item = queue.shift()) {
        if (!this.played.has(item.node.infoset.id)) {
          const found = await this.app.nodes.get(item.at).catch(() => null);
          if (solution !== this.painting) return;
          if (found?.solved) this.#learn(item, found.solved);
        }
        this.#paint(item);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** The bars of the moves at a node. */
  #paint(item) {
    if (item.node.kind !== "decision") return;
    const actions = this.played.get(item.node.infoset.id) ?? [];
    for (const li of item.group.children) {
      const below = this.items.get(li.dataset.at);
      if (!below) continue;
      const number = Number(below.at.slice(below.at.lastIndexOf(".") + 1));
      below.probability = actions[number]?.probability ?? null;
      setBar(below, this.app.actionColours);
      spoken(below);
    }
  }
}
