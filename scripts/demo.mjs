/** The demo: examples/demo on the built package. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleExample } from "./bundle-example.mjs";
import { root, run } from "./workspace.mjs";

if (existsSync(join(root, "examples/demo/main.ts"))) {
  process.exitCode = run(process.execPath, [await bundleExample("demo", "dist"), ...process.argv.slice(2)]);
} else {
  const { name, version } = JSON.parse(readFileSync(join(root, "packages/espalier/package.json"), "utf8"));
  console.log(`${name} ${version}`);
}
