/** A program of the tests as one file that Node can run, with the library's sources in it. */
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

/** @param files - Modules that are not on the disk, by the names they are imported by. */
export async function bundleProgram(
  input: string,
  file: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const bundle = await rolldown({
    input,
    platform: "node",
    external: ["node-sqlite3-wasm"],
    // The longest first: `espalier` is the beginning of all.
    resolve: {
      alias: {
        "espalier/hierarchy": `${sources}hierarchy/index.ts`,
        "espalier/history": `${sources}history/index.ts`,
        "espalier/log": `${sources}log/index.ts`,
        espalier: `${sources}index.ts`,
      },
    },
    plugins: [
      {
        name: "files",
        resolveId: (id: string) => (id in files ? `\0${id}.ts` : undefined),
        load: (id: string) => (id.startsWith("\0") ? files[id.slice(1, -3)] : undefined),
      },
    ],
  });
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
}
