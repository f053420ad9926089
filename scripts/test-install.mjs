/**
 * `npm run test:install`: the packed library in fresh folders, with every tool and engine that it supports. They come from npm,
 * about 450 MB, so this is not part of `npm test`, which runs only the core of it.
 */
import { build, steps } from "./steps.mjs";
import { ensureInstalled } from "./workspace.mjs";

ensureInstalled();
const { passed, failed } = steps([build, { title: "install", projects: ["install"], needs: build }]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
