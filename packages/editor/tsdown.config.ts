import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", pixi: "src/pixi.ts", server: "src/server/index.ts" },
  format: "esm",
  platform: "neutral",
  target: "es2022",
  dts: true,
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
  // What users install beside it: never part of the build, also when the workspace has it.
  deps: {
    neverBundle: [
      /^espalier(\/|$)/,
      /^react(-dom)?(\/|$)/,
      /^pixi\.js(\/|$)/,
      "@tanstack/react-virtual",
      "browser-fs-access",
      "cmdk",
      "idb-keyval",
      "react-resizable-panels",
      /^node:/,
    ],
  },
});
