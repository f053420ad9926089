/** Serves each snippet of a file as a module of its own: `virtual:snippet/<path>:<line>:<run>.ts`. */
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { snippetsOf } from "./documents.ts";
import { checksName, instrument } from "./expectations.ts";

const prefix = "virtual:snippet/";
const checks = fileURLToPath(new URL("snippet-checks.ts", import.meta.url));

/** For the docs project of vitest.config.ts. */
export function snippets(): Plugin {
  return {
    name: "espalier-snippets",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(prefix) ? id : undefined),
    load(id) {
      if (!id.startsWith(prefix)) return undefined;
      const name = id.slice(prefix.length, -".ts".length);
      const [path, line] = name.split(":") as [string, string];
      const snippet = snippetsOf(path).find((candidate) => candidate.line === Number(line));
      if (snippet === undefined) throw new Error(`There is no snippet at ${path}:${line}.`);
      // On one line with the start of the snippet, so that its own lines keep their numbers.
      return [
        `import { checksOf as $checksOf } from ${JSON.stringify(checks)};`,
        `const ${checksName} = $checksOf(${JSON.stringify(name)});`,
        instrument(snippet),
      ].join(" ");
    },
  };
}
