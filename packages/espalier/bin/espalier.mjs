#!/usr/bin/env node
/**
 * `npx espalier`: finds the command line, which is a package of its own so that the library has no dependencies, and
 * starts it. The one of the project comes first, then one that is installed beside this library.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const name = "@espalier/cli";

function find() {
  for (const from of [join(process.cwd(), "x.js"), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve(`${name}/package.json`);
      return pathToFileURL(join(manifest, "../dist/index.mjs")).href;
    } catch {
      // Not there; look further.
    }
  }
  return undefined;
}

const found = find();
if (found !== undefined) {
  // A tool for those who write programs: with the messages of development, wherever it runs.
  process.env.NODE_ENV = "development";
  const { run } = await import(found);
  process.exitCode = await run(process.argv.slice(2));
} else {
  const args = process.argv.slice(2);
  const why = "The command line of Espalier is a package of its own, and it is not installed here.";
  const ways = [
    [`npx ${[name, ...args].join(" ")}`, "to run it once"],
    [`npm install --save-dev ${name}`, "to have it in this project, as: npx espalier"],
    [`npm install --global espalier ${name}`, "to have it everywhere, as: espalier"],
  ];
  const width = Math.max(...ways.map(([command]) => command.length));
  const lines = ways.map(([command, use]) => `  ${command.padEnd(width)}   ${use}`);
  if (args.includes("--json"))
    console.log(JSON.stringify({ error: why, install: ways.map(([command]) => command) }));
  else console.error([why, "", ...lines].join("\n"));
  process.exitCode = 3;
}
