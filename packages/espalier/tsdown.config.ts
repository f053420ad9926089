import { defineConfig, type UserConfig } from "tsdown";
import { asciiOnly } from "../../scripts/ascii-only.mjs";
import { buildCondition, type conditions } from "../../scripts/build-condition.mjs";
import { publicNames } from "../../scripts/public-names.mjs";

const entries = Object.fromEntries(publicNames().map(({ entry, source }) => [entry, source]));

const shared: UserConfig = {
  format: ["esm"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: true,
  failOnWarn: true,
  // Only `espalier/log` and `espalier/vite` import them: they run in Node.
  deps: { neverBundle: [/^node:/] },
  // scripts/build.mjs builds into an empty folder, and all of these write to it.
  clean: false,
  hash: false,
  // That a machine is slow is nothing to warn of.
  checks: { pluginTimings: false },
};

/** Rooms that most programs import together, lowest first. */
const coreRooms = ["ecs", "hierarchy", "inherit", "transform"];

/** One build of the code, in a folder of its own below `folder`; see docs/decisions/0052-three-builds.md. */
function codeOf(condition: keyof typeof conditions, folder: string): UserConfig {
  const all = {
    ...entries,
    // For tests of the inside on the build; `files` in package.json leaves it out of what is published.
    "internal/ecs": "src/ecs/internal.ts",
    "internal/hierarchy": "src/hierarchy/internal.ts",
  };
  return {
    ...shared,
    entry: Object.fromEntries(Object.entries(all).map(([entry, source]) => [`${folder}${entry}`, source])),
    dts: false,
    sourcemap: true,
    outputOptions: {
      // What entries share. Its names need no hashes, because a published version never changes.
      chunkFileNames: `${folder}shared/[name].mjs`,
      // Names between files as they are.
      minifyInternalExports: false,
      // One file for each room of the core: Node takes about 0.7 ms for every file that it finds, reads and links. Kernels stay apart, because
      // they are imported when they are needed.
      codeSplitting: {
        groups: coreRooms.map((room) => ({ name: room, test: new RegExp(`/src/${room}/(?!.*-bytes)`) })),
      },
      // They are in the declarations, and in the published sources that the maps lead to.
      comments: { jsdoc: false },
      sourcemapExcludeSources: true,
    },
    plugins: [buildCondition(condition), asciiOnly()],
  };
}

export default defineConfig([
  codeOf("default", ""),
  codeOf("development", "development/"),
  codeOf("production", "production/"),
  {
    ...shared,
    entry: entries,
    outputOptions: { chunkFileNames: "shared/[name].mjs" },
    // Members that only rooms use of each other are marked `@internal`.
    dts: { emitDtsOnly: true, compilerOptions: { stripInternal: true } },
  },
]);
