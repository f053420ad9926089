/** Commands that documents tell readers to type, and whether there is such a command. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../structure/source-files.ts";

/** The command line of the library: the long and short options of each command. */
export type CommandLine = ReadonlyMap<string, ReadonlySet<string>>;

/** Commands of a Markdown text, with their lines: what lines of blocks and code in backticks begin with `npm`, `npx`, `node` or `espalier`. */
export function commandsIn(markdown: string): { line: number; command: string }[] {
  let fence: string | undefined;
  return markdown.split("\n").flatMap((text, index) => {
    const mark = /^\s*```(\w*)/.exec(text);
    if (mark !== null) {
      fence = fence === undefined ? mark[1]! : undefined;
      return [];
    }
    // Programs have no commands in them, and what is not one in a block is what it prints.
    if (fence !== undefined && !["sh", "console"].includes(fence)) return [];
    if (fence === "console" && !text.startsWith("$ ")) return [];
    const isBlock = fence !== undefined;
    const parts = isBlock
      ? text.trim().split(" && ")
      : [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
    return parts
      .map((part) =>
        part
          .replace(/^\$ /, "")
          .replace(/\s+#.*$/, "")
          .trim(),
      )
      .filter((part) => /^(npm|npx|node|espalier) /.test(part))
      .map((command) => ({ line: index + 1, command }));
  });
}

/** What is wrong with a command; nothing when it exists. Only names are looked at: nothing is run. */
export function problemWith(command: string, espalier: CommandLine): string | undefined {
  const words = command.split(/\s+/);
  const [tool, first = ""] = words;
  if (tool === "espalier") return wrongUse(words.slice(1), espalier);
  if (tool === "npx") {
    if (first === "espalier" || first === "@espalier/cli") return wrongUse(words.slice(2), espalier);
    return knownPackages().has(first === "tsc" ? "typescript" : first)
      ? undefined
      : `there is no tool ${first}`;
  }
  if (tool === "node") {
    const isThere = first.startsWith("-") || existsSync(join(root, first));
    return isThere || first.includes("<") ? undefined : `there is no file ${first}`;
  }
  if (first === "install") {
    const names = words.slice(2).map((name) => name.replace(/(?<=.)@.*$/, ""));
    const unknown = names.find((name) => !name.startsWith("-") && !knownPackages().has(name));
    return unknown === undefined ? undefined : `there is no package ${unknown}`;
  }
  if (first !== "run") return undefined;
  const [, , script = "", ...rest] = words;
  if (!knownScripts().has(script)) return `there is no script ${script}`;
  const name = rest[0] === "--" ? (rest[1] ?? "") : "";
  if (!/^[a-z]/.test(name)) return undefined;
  const folder = { example: "examples", bench: "bench" }[script];
  return folder === undefined || existsSync(join(root, folder, name))
    ? undefined
    : `there is no ${folder}/${name}`;
}

function wrongUse([name = "", ...rest]: readonly string[], espalier: CommandLine): string | undefined {
  if (name === "" || name.startsWith("-") || name.startsWith("<")) return undefined;
  const options = espalier.get(name);
  if (options === undefined) return `there is no command ${name}`;
  const unknown = rest.find((word) => /^--?[a-z]/.test(word) && !options.has(word));
  return unknown === undefined ? undefined : `${name} has no option ${unknown}`;
}

interface Manifest {
  readonly name?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Of the repository, its packages, and the project that `espalier new` makes. */
function manifests(): Manifest[] {
  const folders = [
    "",
    "packages/espalier",
    "packages/cli",
    "packages/editor",
    "packages/colyseus",
    "packages/collab",
    "packages/cli/template",
    "bench",
    "site",
  ];
  return folders.map((folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
}

function knownScripts(): Set<string> {
  return new Set(manifests().flatMap(({ scripts = {} }) => Object.keys(scripts)));
}

function knownPackages(): Set<string> {
  return new Set(
    manifests().flatMap(({ name = "", dependencies, devDependencies, peerDependencies }) => [
      name,
      ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
    ]),
  );
}
