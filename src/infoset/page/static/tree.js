/**
 * The game tree as an outline. Rows are made once, when their parent is first expanded, and kept; a
 * click changes a few classes, however many rows there are. What is played is painted into the rows
 * when a solution is there.
 *
 * Outcomes of chance that are followed by the same move are folded into one row, as drawings fold
 * them: it shows one of them, and steps to the others. What is expanded below stays expanded.
 */

import { el, fill } from "./dom.js";
import { moveInTree } from "./treekeys.js";
import { isLeaf, outcomeNumber, row, setBar, setOutcomes, spoken } from "./treerow.js";

const PAGE = 60; // nodes that the server sends at a time
const AT_ONCE = 4; // requests for what is played
const MOST_EXPANDED = 200; // by one press of "Expand a level"
const ROWS_AT_FIRST = 30; // that are expanded when a game is opened

export class OutlineTree {
  constructor(app) {
    this.app = app;
    this.list = el("ul", { role: "tree", class: "tree", "aria-label": "Game tree" });
    this.expand = el("button", { type: "button", onclick: () => this.expandLevel() }, "Expand a level");
    this.collapse = el("button", { type: "button", onclick: () => this.#collapseAll() }, "Collapse");
    const toggle = () => app.go({ outcomes: this.folded ? "all" : "" });
    this.fold = el("button", { type: "button", class: "choice", onclick: toggle }, "Fold outcomes");
    this.element = el(
      "section",
      { class: "tree-pane", "aria-labelledby": "tree-heading" },
      el(
        "div",
        { class: "pane-head" },
        el("h2", { id: "tree-heading" }, "Tree"),
        el("div", { class: "tools" }, this.fold, this.expand, this.collapse),
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
    this.wanted = new Set(); // addresses of outcomes that are shown in place of others, if they can be
    this.sameSet = []; // addresses of the nodes that the selected one cannot be told from
  }

  /** Are outcomes of chance folded? */
  get folded() {
    return this.app.state.outcomes !== "all";
  }

  #listen() {
    this.list.addEventListener("click", (event) => this.#click(event));
    this.list.addEventListener("keydown", (event) => moveInTree(this, event));
    this.list.addEventListener("pointerover", (event) => this.#point(this.itemOf(event.target)));
    this.list.addEventListener("pointerleave", () => this.#point(null));
    this.list.addEventListener("focusin", (event) => this.#point(this.itemOf(event.target)));
    this.app.on("game", () => this.#begin());
    this.app.on("solution", () => this.#repaint());
    this.app.on("state", (changed) => {
      if (changed.has("outcomes")) this.#begin();
      else if (changed.has("at")) this.reveal(this.app.state.at);
    });
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
    this.fold.setAttribute("aria-pressed", String(this.folded));
    const begun = (this.begun = {});
    const root = await this.app.attempt(() => this.app.nodes.get(""));
    if (root === null || begun !== this.begun) return;
    const item = this.#item({ ...root, move: "start" }, 1, 1, 1);
    this.list.append(item.li);
    this.#rove(item.li);
    await this.open(item);
    if (this.folded) await this.#expandAtFirst(begun);
    if (begun === this.begun) await this.reveal(this.app.state.at, false);
  }

  /** Expand level after level of a game that is opened, as long as there are few rows. */
  async #expandAtFirst(begun) {
    for (let level = [this.items.get("")]; level.length;) {
      const below = level.flatMap((item) => this.#below(item)).filter((one) => !isLeaf(one.node));
      const more = (one) => (one.node.kind === "chance" ? 1 : one.node.count);
      if (this.items.size + below.reduce((sum, one) => sum + more(one), 0) > ROWS_AT_FIRST) return;
      await Promise.all(below.map((one) => this.open(one, 0, true)));
      if (begun !== this.begun) return;
      level = below;
    }
  }

  /** The items of the rows below one. */
  #below(item) {
    return [...(item.group?.children ?? [])].map((li) => this.items.get(li.dataset.at)).filter(Boolean);
  }

  #item(node, level, place, siblings, alike = null) {
    const item = {
      node,
      at: node.at,
      level,
      loaded: null,
      open: false,
      alike, // {members, shown, more}: the outcomes that are folded into this row
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

  /**
   * Show what follows a node; `near` is the number of a move that has to be among it. If it is
   * `quiet`, nothing is said of what cannot be shown.
   */
  async open(item, near = 0, quiet = false) {
    if (isLeaf(item.node)) return;
    while (item.pending) await item.pending;
    if (!item.loaded || near < item.loaded.from || near >= item.loaded.to) {
      const first = Math.floor(near / PAGE) * PAGE;
      if (item.loaded) this.#clear(item);
      if (!(await this.#load(item, first, quiet))) return;
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

  /** Take away the rows below one. */
  #clear(item) {
    this.#drop(item.group);
    item.group.replaceChildren();
    item.loaded = null;
    item.folds = null;
  }

  /** Forget the rows in an element. */
  #drop(element) {
    for (const li of element.querySelectorAll("[role=treeitem]")) {
      const item = this.items.get(li.dataset.at);
      if (item?.li !== li) continue;
      this.items.delete(item.at);
      this.sets.get(item.node.infoset?.id)?.delete(li);
    }
  }

  #load(item, first, quiet = false) {
    item.pending ??= this.#loadPage(item, first, quiet).finally(() => (item.pending = null));
    return item.pending;
  }

  async #loadPage(item, first, quiet) {
    item.li.setAttribute("aria-busy", "true");
    const { painting } = this;
    const asked = () => this.app.nodes.get(item.at, first, "actions");
    const found = await (quiet ? asked().catch(() => null) : this.app.attempt(asked));
    item.li.removeAttribute("aria-busy");
    if (!found || this.items.get(item.at) !== item) return false;
    const after = !item.loaded || first >= item.loaded.to;
    const rows = this.folded && found.kind === "chance" ? this.#folds(item, found, after) : null;
    const all =
      rows ?? found.below.map((node, at) => this.#item(node, item.level + 1, first + at + 1, found.count));
    if (after) item.group.append(...all.map((one) => one.li));
    else item.group.prepend(...all.map((one) => one.li));
    const last = first + found.below.length;
    item.loaded = {
      from: Math.min(item.loaded?.from ?? first, first),
      to: Math.max(item.loaded?.to ?? last, last),
    };
    this.#offerMore(item, found.count);
    if (painting === this.painting) this.#learn(item, found.solved);
    else this.#paintLater(item); // a solution was found meanwhile
    this.#paint(item);
    return true;
  }

  /** The rows of a page of outcomes: one for those that are followed by the same move, if it is new. */
  #folds(item, found, after) {
    item.folds ??= new Map(); // shape → {members, shown}
    const made = [];
    for (const node of after ? found.below : found.below.toReversed()) {
      const known = item.folds.get(node.shape);
      if (known) known.members[after ? "push" : "unshift"](node);
      else {
        const one = { members: [node], shown: null };
        item.folds.set(node.shape, one);
        made.push(one);
      }
    }
    const many = item.folds.size;
    const rows = made.map((one, at) => {
      const node = one.members.find(({ at: address }) => this.wanted.has(address)) ?? one.members[0];
      return (one.shown = this.#item(node, item.level + 1, many - made.length + at + 1, many, one));
    });
    const last = after ? found.first + found.below.length : item.loaded.to;
    for (const one of item.folds.values()) {
      one.more = last < found.count; // outcomes that are not loaded yet
      this.#markOutcomes(one.shown);
    }
    return after ? rows : rows.reverse();
  }

  /** Show another outcome in a row, with the same below it expanded. */
  async show(item, node, follow = true) {
    if (node.at === item.at) return;
    const moved = (at) => node.at + at.slice(item.at.length);
    const inside = (at) => at === item.at || at.startsWith(`${item.at}.`);
    const shown = [...item.li.querySelectorAll("[role=treeitem]")].map((li) => moved(li.dataset.at));
    const open = new Set(this.#openBelow(item).map((one) => moved(one.at)));
    const selected = follow && this.selected && inside(this.selected.at) ? moved(this.selected.at) : null;
    const roved = item.li.contains(this.roved);
    const focused = item.li.contains(document.activeElement);
    this.wanted = new Set(shown);
    const { level, li, alike } = item;
    const next = this.#item(
      node,
      level,
      li.getAttribute("aria-posinset"),
      li.getAttribute("aria-setsize"),
      alike,
    );
    alike.shown = next;
    this.#drop(li);
    this.items.delete(item.at);
    this.sets.get(item.node.infoset?.id)?.delete(li);
    li.replaceWith(next.li);
    this.#markOutcomes(next);
    if (roved) this.#rove(next.li);
    if (focused) next.li.focus({ preventScroll: true });
    for (let opened = item.open ? [next] : []; opened.length;) {
      await Promise.all(opened.map((one) => this.open(one, 0, true)));
      opened = opened.flatMap((one) => this.#below(one)).filter((one) => open.has(one.at));
    }
    if (selected !== null && this.items.get(node.at) === next) this.app.go({ at: this.#nearest(selected) });
  }

  #openBelow(item) {
    return this.#below(item).flatMap((one) => (one.open ? [one, ...this.#openBelow(one)] : []));
  }

  /** The address, or the one of the last row on the way there. */
  #nearest(at) {
    while (at && !this.items.has(at)) at = at.slice(0, Math.max(0, at.lastIndexOf(".")));
    return at;
  }

  /** Show the next outcome of those that are folded with a row, or with the next one above it that has some. */
  step(li, by) {
    let item = this.itemOf(li);
    while (item && !(item.alike?.members.length > 1))
      item = this.itemOf(item.li.parentElement.closest("[role=treeitem]") ?? this.list);
    if (!item) return;
    const { alike } = item; // it stays where another outcome is shown meanwhile
    this.stepping = (this.stepping ?? Promise.resolve()).then(() => this.#step(alike, by)).catch(() => {});
  }

  async #step(alike, by) {
    const { shown: item, members } = alike;
    if (this.items.get(item.at) !== item) return; // it is not there any more
    const above = this.items.get(item.at.slice(0, Math.max(0, item.at.lastIndexOf("."))));
    if (outcomeNumber(item) + by === members.length && above?.loaded?.to < above?.node.count)
      await this.#load(above, above.loaded.to);
    await this.show(item, members[(outcomeNumber(item) + by + members.length) % members.length]);
  }

  #markOutcomes(item) {
    const leads = (at) => this.sameSet.some((one) => one === at || one.startsWith(`${at}.`));
    setOutcomes(item, leads);
  }

  /** Mark the outcomes that lead to the information set of the selected node. */
  async #markSameSet() {
    const asked = (this.asked = {});
    const node = await this.app.nodes.get(this.app.state.at).catch(() => null);
    if (asked !== this.asked) return;
    this.sameSet = (node?.solved?.beliefs ?? []).map((one) => one.at).filter((at) => at !== null);
    for (const item of this.items.values()) if (item.alike?.members.length > 1) this.#markOutcomes(item);
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
      const next = neighbour ? (neighbour.nextElementSibling ?? neighbour) : item.group.firstElementChild;
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
      const next = steps.slice(0, depth + 1).join(".");
      if (!missing) await this.open(item, steps[depth]);
      if (!missing && !this.items.has(next)) await this.#unfold(item, next);
      item = this.items.get(next);
    }
    if (this.app.state.at !== at) return; // another one meanwhile
    if (!item) {
      if (missing) this.app.go({ at: "" }, false); // there is no such node: the details say so
      return;
    }
    this.#select(item);
    if (scroll || at !== "") this.#show(item.li, 1 / 3);
  }

  /** Show the row of an outcome that is folded into another one's. */
  async #unfold(item, at) {
    for (const { members, shown } of item.folds?.values() ?? []) {
      const node = members.find((one) => one.at === at);
      if (node) await this.show(shown, node, false);
    }
  }

  #select(item) {
    this.selected?.li.setAttribute("aria-selected", "false");
    this.#mark(this.selected, "same", false);
    this.selected = item;
    item.li.setAttribute("aria-selected", "true");
    this.#mark(item, "same", true);
    this.#rove(item.li);
    this.#markSameSet();
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
    const button = event.target.closest("[data-by]");
    if (button) this.step(li, Number(button.dataset.by));
    else if (event.target.closest(".twisty")) this.toggle(this.items.get(li.dataset.at));
    else this.choose(li);
  }

  /** Expand the rows that are shown and not yet expanded. */
  async expandLevel() {
    const closed = [...this.items.values()].filter(
      (item) => !item.open && !isLeaf(item.node) && item.li.offsetParent !== null,
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
    if (sign && solved?.actions) this.played.set(sign, solved.actions);
  }

  async #repaint() {
    this.played.clear();
    this.#markSameSet();
    const solution = (this.painting = {});
    const open = [...this.items.values()].filter((item) => item.loaded && item.node.kind === "decision");
    for (const item of open) this.#paint(item);
    if (this.app.solution === null) return;
    const queue = open.sort((one, other) => other.open - one.open);
    const work = async () => {
      for (let item = queue.shift(); item && solution === this.painting; item = queue.shift()) {
        await this.#paintLater(item);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  /** Ask what is played at a node, unless that is known, and show it. */
  async #paintLater(item) {
    const { painting } = this;
    const sign = item.node.infoset?.id;
    if (!sign || this.app.solution === null) return;
    if (!this.played.has(sign)) {
      const found = await this.app.nodes.get(item.at, 0, "actions").catch(() => null);
      if (painting !== this.painting) return;
      this.#learn(item, found?.solved);
    }
    this.#paint(item);
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
