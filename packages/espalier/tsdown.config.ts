import { defineConfig, type UserConfig } from "tsdown";
import { publicDeclarations } from "../../scripts/public-declarations.mjs";
import { publicNames } from "../../scripts/public-names.mjs";

const entries = Object.fromEntries(publicNames().map(({ entry, source }) => [entry, source]));

const shared: UserConfig = {
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  failOnWarn: true,
  // scripts/build.mjs builds into an empty folder, and both of these write to it.
  clean: false,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
};

export default defineConfig([
  {
    ...shared,
    entry: {
      ...entries,
      // What the files behind the condition `development` load first: see scripts/development-entries.mjs.
      development: "src/ecs/development-entry.ts",
      // For tests of the inside on the build; `files` in package.json leaves it out of what is published.
      internal: "src/ecs/internal.ts",
      "internal.hierarchy": "src/hierarchy/internal.ts",
    },
    dts: false,
    // The doc comments are in the declarations, once. Code without them is what a debugger shows, so there are no maps.
    sourcemap: false,
    outputOptions: { comments: { jsdoc: false, annotation: true, legal: true } },
  },
  {
    ...shared,
    entry: entries,
    plugins: [publicDeclarations()],
    dts: { emitDtsOnly: true },
  },
]);
