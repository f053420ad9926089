/** Options of Stryker; its packages are beside this file, where scripts/mutants.mjs installs them. */
export default {
  plugins: [import.meta.resolve("@stryker-mutator/vitest-runner")],
  testRunner: "vitest",
  vitest: { configFile: "scripts/stryker/vitest.config.ts", related: false },
  // Code that runs once, when a module is loaded, would need a new process for each change.
  ignoreStatic: true,
  // Error messages are not measured.
  mutator: { excludedMutations: ["StringLiteral", "ObjectLiteral"] },
  // Endless loops count as detected after this time plus one and a half times the usual duration of the tests.
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
