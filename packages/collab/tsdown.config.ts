import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Rolldown } from "tsdown";

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
    plugins: [notices("THIRD-PARTY-LICENSES.md")],
    deps: {
      neverBundle: [/^espalier(\/|$)/, /^loro-crdt$/],
      alwaysBundle: [/^loro-(websocket|protocol|adaptors)/],
    },
  },
]);

/** Lists the licences of the packages that are in the bundle, in the form in which Vite does it for the page of the editor. */
function notices(fileName: string): Rolldown.Plugin {
  return {
    name: "notices",
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const inside = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
      const folders = chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => inside.exec(id) ?? []));
      const entries = [...new Set(folders)].map(noticeOf).sort();
      const source = `# Licenses\n\nThe module contains these packages:\n${entries.join("")}`;
      this.emitFile({ type: "asset", fileName, source });
    },
  };
}

function noticeOf(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license, author } = manifest as { readonly [key: string]: string };
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each));
  let text = file === undefined ? undefined : readFileSync(join(folder, file), "utf8").trim();
  // Some name the licence in their manifest only. Ours is the same one.
  if (text === undefined && license === "MIT" && typeof author === "string") {
    const own = readFileSync(join(import.meta.dirname, "../../LICENSE"), "utf8").trim();
    text = own.replace(/^Copyright .*$/m, `Copyright (c) ${author}`);
  }
  if (text === undefined) throw new Error(`${name} is in the bundle, and its licence is not known.`);
  return `\n## ${name} - ${version} (${license})\n\n${text}\n`;
}
