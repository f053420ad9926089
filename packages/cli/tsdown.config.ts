import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { main: "src/main.ts", index: "src/index.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  dts: true,
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
  // What users install beside it: never part of the build, also when the workspace has it.
  deps: {
    neverBundle: [
      /^espalier(\/|$)/,
      "@gltf-transform/core",
      /^@modelcontextprotocol\//,
      "jiti",
      "commander",
      "diff",
    ],
  },
});
