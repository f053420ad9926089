/**
 * `npm start`: installs and builds what is missing, then opens the editor on a sample project.
 *
 * Without a terminal (or in `CI`) it starts, checks that the page and the project respond, prints the tree and
 * ends. `npm start -- --demo` runs the demo of the terminal instead.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

ensureInstalled();
ensureBuilt();
if (process.argv.includes("--demo")) {
  process.exitCode = run(process.execPath, [join(root, "scripts/demo.mjs")]);
} else {
  const { startServer, sampleFiles, appFolder } = await import(
    pathToFileURL(join(root, "packages/editor/dist/server.mjs")).href
  );
  const folder = mkdtempSync(join(tmpdir(), "espalier-sample-"));
  const files = sampleFiles();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const [open] = Object.keys(files);
  const server = await startServer({ folder, app: appFolder(), open });
  const isWatched = process.stdout.isTTY === true && (process.env.CI ?? "") === "";
  console.log(server.url);
  if (isWatched) {
    const { openInBrowser } = await import(pathToFileURL(join(root, "packages/cli/dist/index.mjs")).href);
    openInBrowser(server.launchUrl);
    console.error(`The sample project is in ${folder}. Press Ctrl+C to stop.`);
    await new Promise((ended) => {
      process.once("SIGINT", ended);
      process.once("SIGTERM", ended);
    });
  } else await prove(server);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Requests the page, its script and the scene, and prints the tree.
 *
 * @param {{ url: string, token: string }} server
 */
async function prove({ url, token }) {
  const page = await ask(url);
  const script = /src="\.\/(assets\/[^"]+)"/.exec(page)?.[1];
  if (script === undefined) throw new Error("The page of the editor names no script.");
  await ask(new URL(script, url));
  const headers = { "x-espalier-token": token };
  const { open, prefabs } = JSON.parse(await ask(new URL("/api/project", url), headers));
  const { text } = JSON.parse(await ask(new URL(`/api/file?path=${open}`, url), headers));
  const { createWorld } = await load("index");
  const [{ createHierarchy, printTree }, { parseScene, toFlat }] = [
    await load("hierarchy"),
    await load("scene"),
  ];
  const tree = createHierarchy(createWorld());
  const byId = new Map();
  // The sample uses components of the editor: the tree alone needs none of them.
  for (const { id, name, parent, prefab } of toFlat(parseScene(text)).entities) {
    const entity = tree.attachNew(parent === undefined ? null : byId.get(parent));
    tree.setName(entity, prefab === undefined ? name : `${name} (${prefab})`);
    byId.set(id, entity);
  }
  console.log(printTree(tree));
  console.log(
    `The editor answers: ${open} with ${Object.keys(prefabs).length} prefabs, ${byId.size} entities of its own.`,
  );
}

/** @param {string} room */
function load(room) {
  return import(pathToFileURL(join(root, `packages/espalier/dist/${room}.mjs`)).href);
}

/**
 * @param {string | URL} url
 * @param {Record<string, string>} [headers]
 */
async function ask(url, headers = {}) {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url} answers ${response.status}.`);
  return await response.text();
}
