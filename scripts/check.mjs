/** `npm run check`: the quick part of the tests, for while you work: types, lint, unused code, spelling, structure. */
import { lint, spelling, steps, types, unused } from "./steps.mjs";
import { ensureInstalled } from "./workspace.mjs";

ensureInstalled();
process.exitCode =
  steps([types, lint, unused, spelling, { title: "structure", projects: ["structure"] }]).failed > 0 ? 1 : 0;
