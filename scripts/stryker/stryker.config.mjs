/** Options of Stryker; its packages lie beside this file, where scripts/mutants.mjs installs them. */
export default {
  plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
  testRunner: "vitest",
  vitest: { configFile: "scripts/stryker/vitest.config.ts", related: false },
  // What runs once, when a module is loaded, would need a new process for each change.
  ignoreStatic: true,
  // Messages of errors are not what is measured.
  mutator: { excludedMutations: ["StringLiteral", "ObjectLiteral"] },
  // Endless loops are noticed, too: after this and half as long again as the tests take otherwise.
  timeoutMS: 10_000,
  concurrency: 2,
  reporters: ["clear-text", "progress"],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  tempDirName: "node_modules/.cache/stryker",
  ignorePatterns: [
    "/bench",
    "/site",
    "/starters",
    "/examples",
    "/packages/*/dist*",
    "/packages/{cli,collab,colyseus,editor}",
  ],
};
