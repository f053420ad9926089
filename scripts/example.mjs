/**
 * `npm run example -- <name>`: builds the library when needed and runs examples/<name>/main.ts on it. Those of
 * examples/browser are served instead: `npm run example -- browser` shows all of them, `browser/<name>` one.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

const [name = "", ...args] = process.argv.slice(2);
const inBrowser = listed("examples/browser", "index.html").map((entry) => `browser/${entry}`);
// Examples with their own server: the page beside it is served, too.
const withServer = listed("examples", "start.ts");
const examples = [...listed("examples", "main.ts"), ...withServer, "browser", ...inBrowser];
if (!examples.includes(name)) {
  console.error(`Which example? ${examples.join(", ")}`);
  process.exit(1);
}

ensureInstalled();
ensureBuilt();
if (name.startsWith("browser")) await serve(name);
else if (withServer.includes(name)) await startWithServer(name);
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
 * Starts the server of an example, in a Node that it can run in, and serves its page.
 *
 * @param {string} name
 */
async function startWithServer(name) {
  const { bundleExample } = await import("./bundle-example.mjs");
  const { nodeOf } = await import("./newer-node.mjs");
  const node = nodeOf(22);
  if (node === undefined) {
    console.error(`The server of ${name} needs Node 22 or later; this is ${process.version}.`);
    process.exit(1);
  }
  const program = await bundleExample(name, "dist", "start.ts");
  const server = spawn(node, [program, ...args], { stdio: "inherit", cwd: root });
  process.once("exit", () => server.kill());
  await serve(name);
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
