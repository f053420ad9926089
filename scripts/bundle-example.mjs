/**
 * Turning an example into one JavaScript file that Node can run.
 *
 * Examples are TypeScript and import the library by its public names, as a user's program does.
 */
import { join } from "node:path";
import { rolldown } from "rolldown";
import { publicNames } from "./public-names.mjs";
import { root } from "./workspace.mjs";

/**
 * @param {string} name A folder of examples/.
 * @param {"source" | "dist"} target How public names are resolved: to the source, bundled in, or to the built
 * package, imported by name when the bundle runs.
 * @param {string} [program] The file that is bundled.
 * @returns {Promise<string>} Path of the bundle.
 */
export async function bundleExample(name, target, program = "main.ts") {
  const sources = new Map(publicNames().map((publicName) => [publicName.name, publicName.source]));
  // A package beside the library, whose dependencies are resolved where they are installed.
  sources.set("@espalier/collab", join(root, "packages/collab/src/index.ts"));
  sources.set("@espalier/collab/relay", join(root, "packages/collab/src/relay/index.ts"));
  const bundle = await rolldown({
    input: join(root, "examples", name, program),
    platform: "node",
    cwd: root,
    // The engine looks for its .wasm file next to itself.
    external: [
      "box2d3-wasm",
      "loro-crdt",
      "ws",
      /^@(colyseus\/|espalier\/colyseus)/,
      ...(target === "dist" ? sources.keys() : []),
    ],
    plugins: [
      { name: "public-names", resolveId: (id) => (target === "source" ? sources.get(id) : undefined) },
    ],
  });
  const file = join(root, "node_modules/.cache/espalier/examples", target, `${name}.mjs`);
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}
