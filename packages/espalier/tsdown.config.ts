import { defineConfig, type UserConfig } from "tsdown";
import { compactDeclarations } from "../../scripts/compact-declarations.mjs";
import { minified } from "../../scripts/minify.mjs";
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
  // What entries share. Its names need no hashes, because a published version never changes.
  hash: false,
  outputOptions: { chunkFileNames: "shared/[name].mjs", minifyInternalExports: false },
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
    // The doc comments are in the declarations, once. There are no maps: see docs/decisions/0043-one-set-of-small-files.md.
    sourcemap: false,
    plugins: [minified()],
  },
  {
    ...shared,
    entry: entries,
    plugins: [publicDeclarations(), compactDeclarations()],
    dts: { emitDtsOnly: true },
  },
]);
