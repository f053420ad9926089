/**
 * `npm run test:build`: all behaviour tests on the build; once more as in production, on the source, where
 * messages can be compared; and the refusals of the production build. `npm test` has a sample of it.
 */
import { build, steps } from "./steps.mjs";
import { ensureInstalled } from "./workspace.mjs";

ensureInstalled();
const { passed, failed } = steps([
  build,
  { title: "build: all behaviour", projects: ["unit", "examples"], target: "dist", needs: build },
  {
    title: "source: all behaviour without what only teaches",
    projects: ["unit"],
    env: { NODE_ENV: "production" },
  },
  { title: "production build", projects: ["production"], needs: build },
]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
