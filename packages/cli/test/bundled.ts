/** The command line as a program of its own, made from the sources: for tests in which git or an agent starts it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface BundledProgram {
  /** The file that Node runs. */
  readonly main: string;
  readonly remove: () => void;
}

export async function bundleProgram(): Promise<BundledProgram> {
  const dir = mkdtempSync(join(tmpdir(), "espalier-program-"));
  mkdirSync(join(dir, "dist"));
  writeFileSync(join(dir, "package.json"), `{ "version": "0.0.0", "type": "module" }`);
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  const library = join(root, "packages/espalier");
  const { exports } = JSON.parse(readFileSync(join(library, "package.json"), "utf8")) as { exports: object };
  const rooms = Object.keys(exports).filter((path) => path !== "./package.json");
  // The longest first: `espalier` is the beginning of all.
  const alias = Object.fromEntries(
    rooms
      .sort((a, b) => b.length - a.length)
      .map((room) => [`espalier${room.slice(1)}`, join(library, "src", room, "index.ts")]),
  );
  const bundle = await rolldown({
    input: join(root, "packages/cli/src/main.ts"),
    platform: "node",
    resolve: { alias },
    external: ["jiti", "diff", "commander", /^@gltf-transform\//, /^@modelcontextprotocol\//, /^@napi-rs\//],
    logLevel: "silent",
  });
  await bundle.write({ file: join(dir, "dist/main.mjs"), format: "esm", codeSplitting: false });
  await bundle.close();
  return { main: join(dir, "dist/main.mjs"), remove: () => rmSync(dir, { recursive: true, force: true }) };
}
