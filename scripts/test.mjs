/**
 * `npm test`: everything, on a fresh clone too. The last line is `N passed, M failed`.
 *
 * No dependencies of its own, because nothing may be installed yet.
 */
import { build, lint, spelling, steps, types, unused } from "./steps.mjs";
import { ensureInstalled } from "./workspace.mjs";

ensureInstalled();
const { passed, failed } = steps([
  types,
  lint,
  unused,
  spelling,
  { title: "source", projects: ["unit", "structure", "docs"] },
  { title: "multiplayer", projects: ["multiplayer"], node: 22 },
  build,
  { title: "build: the same behaviour", projects: ["build", "examples"], target: "dist", needs: build },
  { title: "production build", projects: ["production"], needs: build },
  { title: "browser", projects: ["browser", "site"], target: "dist", needs: build },
  { title: "package", projects: ["package"], needs: build },
]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
