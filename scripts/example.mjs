/** `npm run example -- <name>`: builds the library when needed and runs examples/<name>/main.ts on it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

const [name = "", ...args] = process.argv.slice(2);
const examples = existsSync(join(root, "examples"))
  ? readdirSync(join(root, "examples")).filter((entry) =>
      existsSync(join(root, "examples", entry, "main.ts")),
    )
  : [];
if (!examples.includes(name)) {
  console.error(`Which example? ${examples.join(", ") || "There are none yet."}`);
  process.exit(1);
}

ensureInstalled();
ensureBuilt();
const { bundleExample } = await import("./bundle-example.mjs");
process.exitCode = run(process.execPath, [await bundleExample(name, "dist"), ...args]);
