import { defineConfig } from "tsdown";

const shared = {
  format: "esm",
  target: "es2022",
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
} as const;

export default defineConfig([
  {
    ...shared,
    entry: { index: "src/index.ts", relay: "src/relay/index.ts" },
    platform: "neutral",
    // Members that only this package uses are marked `@internal`.
    dts: { compilerOptions: { stripInternal: true } },
    // What users install beside it: never part of the build, also when the workspace has it.
    deps: { neverBundle: [/^espalier(\/|$)/, /^loro-/, "ws", /^node:/] },
  },
  {
    // For the page of `espalier edit --share`, which has the library and gets the engine by its name, and nothing else.
    ...shared,
    entry: { page: "src/index.ts" },
    platform: "browser",
    clean: false,
    dts: false,
    deps: {
      neverBundle: [/^espalier(\/|$)/, /^loro-crdt$/],
      alwaysBundle: [/^loro-(websocket|protocol|adaptors)/],
    },
  },
]);
