/**
 * `npm run example -- <name>`: builds the library when needed and runs examples/<name>/main.ts on it. Those of
 * examples/browser are served instead: `npm run example -- browser` shows all of them, `browser/<name>` one.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

const [name = "", ...args] = process.argv.slice(2);
const inBrowser = listed("examples/browser", "index.html").map((entry) => `browser/${entry}`);
const examples = [...listed("examples", "main.ts"), "browser", ...inBrowser];
if (!examples.includes(name)) {
  console.error(`Which example? ${examples.join(", ")}`);
  process.exit(1);
}

ensureInstalled();
ensureBuilt();
if (name.startsWith("browser")) await serve(name);
else {
  const { bundleExample } = await import("./bundle-example.mjs");
  process.exitCode = run(process.execPath, [await bundleExample(name, "dist"), ...args]);
}

/**
 * The folders of `path` that have such a file.
 *
 * @param {string} path
 * @param {string} file
 */
function listed(path, file) {
  const folder = join(root, path);
  return existsSync(folder)
    ? readdirSync(folder).filter((entry) => existsSync(join(folder, entry, file)))
    : [];
}

/**
 * Serves the examples of the browser until the process ends.
 *
 * @param {string} name
 */
async function serve(name) {
  const { createServer } = await import("vite");
  const { aliases } = await import("./public-names.mjs");
  const server = await createServer({
    configFile: false,
    root: join(root, "examples"),
    resolve: { alias: aliases("dist") },
    server: { fs: { allow: [root] } },
  });
  await server.listen();
  console.log(`Open ${server.resolvedUrls?.local[0]}${name}/`);
}
