/** Tabs with their panels, by mouse and keyboard, as the ARIA practices describe them. */

import { el } from "./dom.js";

export class Tabs {
  /** `views` is a list of `[name, title, panel]`; `chosen(name)` is called when a reader chooses. */
  constructor(views, chosen) {
    this.tabs = new Map();
    this.chosen = chosen;
    this.list = el("div", {
      role: "tablist",
      class: "tabs",
      "aria-label": "Views",
      onkeydown: (event) => this.#key(event),
    });
    this.panels = el("div", { class: "panels" });
    for (const [name, title, panel] of views) {
      const tab = el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `panel-${name}`,
          onclick: () => chosen(name),
        },
        title,
      );
      for (const [attribute, value] of [
        ["role", "tabpanel"],
        ["id", `panel-${name}`],
        ["aria-labelledby", `tab-${name}`],
      ]) {
        panel.setAttribute(attribute, value);
      }
      panel.classList.add("panel", `panel-${name}`);
      this.tabs.set(name, { tab, panel });
      this.list.append(tab);
      this.panels.append(panel);
    }
  }

  /** Show a view. */
  show(name) {
    for (const [other, { tab, panel }] of this.tabs) {
      const here = other === name;
      tab.setAttribute("aria-selected", String(here));
      tab.tabIndex = here ? 0 : -1;
      panel.hidden = !here;
    }
  }

  #key(event) {
    const names = [...this.tabs.keys()];
    const at = names.findIndex((name) => this.tabs.get(name).tab === document.activeElement);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 };
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    const name = names[(steps[event.key] + names.length) % names.length];
    this.chosen(name);
    this.tabs.get(name).tab.focus();
  }
}
