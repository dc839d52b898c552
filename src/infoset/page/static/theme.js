/** Light or dark: as the system says, until the reader chooses. */

import { el } from "./dom.js";

const KEPT = "infoset-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function chosen() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // storage is refused
  }
}

function keep(theme) {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    /* it holds for this page only */
  }
}

function now() {
  return document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
}

/** Show the theme that was chosen before, if one was. */
export function followTheme() {
  const before = chosen();
  if (before === "light" || before === "dark") document.documentElement.dataset.theme = before;
}

/** A button that goes to the other theme. */
export function themeButton() {
  const button = el("button", { type: "button", class: "plain theme" });
  const show = () => {
    const isDark = now() === "dark";
    button.textContent = isDark ? "☀" : "☾";
    button.setAttribute("aria-label", isDark ? "Light theme" : "Dark theme");
    button.title = button.getAttribute("aria-label");
  };
  button.addEventListener("click", () => {
    const theme = now() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    keep(theme);
    show();
  });
  dark.addEventListener("change", show);
  show();
  return button;
}
