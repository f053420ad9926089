import { defineConfig } from "tsdown";
import { publicNames } from "../../scripts/public-names.mjs";

export default defineConfig({
  entry: Object.fromEntries(publicNames().map(({ entry, source }) => [entry, source])),
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  dts: true,
  sourcemap: true,
  clean: true,
  // Shared chunks keep their names from build to build, so that two builds can be compared.
  hash: false,
  fixedExtension: true,
  failOnWarn: true,
});
