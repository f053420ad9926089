import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", relay: "src/relay/index.ts" },
  format: "esm",
  platform: "neutral",
  target: "es2022",
  // Members that only this package uses are marked `@internal`.
  dts: { compilerOptions: { stripInternal: true } },
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
  // What users install beside it: never part of the build, also when the workspace has it.
  deps: { neverBundle: [/^espalier(\/|$)/, /^loro-/, "ws", /^node:/] },
});
