import { defineConfig } from "tsdown";
import { publicNames } from "../../scripts/public-names.mjs";

export default defineConfig({
  entry: {
    ...Object.fromEntries(publicNames().map(({ entry, source }) => [entry, source])),
    // For tests of the inside on the build; `files` in package.json leaves it out of what is published.
    internal: "src/ecs/internal.ts",
    "internal.hierarchy": "src/hierarchy/internal.ts",
  },
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  dts: true,
  sourcemap: true,
  fixedExtension: true,
  failOnWarn: true,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
});
