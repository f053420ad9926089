import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", client: "src/client/index.ts", server: "src/server/index.ts" },
  format: "esm",
  platform: "neutral",
  target: "es2022",
  dts: true,
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
  // What users install beside it: never part of the build. Two copies of the schema would not know each other's classes.
  deps: { neverBundle: [/^espalier(\/|$)/, /^@colyseus\//] },
});
