/** The start of a page that was saved with its answers, which are in the page. */

import { request } from "./api.js";
import { followTheme } from "./theme.js";
import { start } from "./view.js";

followTheme();
request("GET", "/api/about").then((about) => start(document.getElementById("app"), about));
