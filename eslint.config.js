import js from "@eslint/js";
import globals from "globals";

const rules = { eqeqeq: "error", "no-shadow": "error", "prefer-const": "error" };

export default [js.configs.recommended, { languageOptions: { globals: globals.browser }, rules }];
