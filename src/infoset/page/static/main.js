/** Which application the server was started for, and its start. */

import { pause, request, Unanswered } from "./api.js";
import { el, fill } from "./dom.js";
import { followTheme } from "./theme.js";

async function about(root) {
  for (;;) {
    try {
      return await request("GET", "/api/about");
    } catch (error) {
      const retry = error instanceof Unanswered;
      fill(root, el("p", { class: "opening", role: "alert" }, error.message, retry && " Trying again…"));
      if (!retry) throw error;
      await pause(2000);
    }
  }
}

async function main() {
  followTheme();
  const root = document.getElementById("app");
  const found = await about(root);
  const application = await import(found.start === "table" ? "./table.js" : "./view.js");
  await application.start(root, found);
}

main();
