/** `npm run check`: the quick part of the tests, for while you work: types, lint, structure. */
import { lint, steps, types } from "./steps.mjs";
import { ensureInstalled } from "./workspace.mjs";

ensureInstalled();
process.exitCode = steps([types, lint, { title: "structure", projects: ["structure"] }]).failed > 0 ? 1 : 0;
