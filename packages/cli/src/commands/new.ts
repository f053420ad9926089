/**
 * `espalier new <name>`: a small game on a screen.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown, whyNot } from "../files.ts";
import type { Output } from "../output.ts";
import { toolVersions } from "../tool-versions.ts";
import { libraryVersion, ownVersion } from "../versions.ts";
import { writeFiles } from "../write-files.ts";

export interface NewOptions {
  readonly install?: boolean;
  readonly espalier?: string;
  readonly template?: string;
}

interface Template {
  /** Shown in the question on a terminal. */
  readonly summary: string;
  /** Folders of this package, later ones over earlier ones. */
  readonly folders: readonly string[];
  /** Files of earlier folders that it does not need. */
  readonly without?: readonly string[];
}

/** What a project can start from; the first is the default. */
const templates: { readonly [name: string]: Template } = {
  canvas: { summary: "the 2D canvas, no dependencies", folders: ["template"] },
  pixi: { summary: "PixiJS", folders: ["template", "template-pixi"] },
  three: { summary: "three.js", folders: ["template", "template-three"] },
  physics: {
    summary: "the 2D canvas, with bodies and joints by Box2D",
    folders: ["template", "template-physics"],
    without: ["scenes/tank.prefab.json"],
  },
  complete: {
    summary: "a complete small game: menus, sound, animation, a map of Tiled, a stick for fingers",
    folders: ["template", "template-complete"],
    without: [
      "scenes/main.scene.json",
      "scenes/scene.schema.json",
      "scenes/tank.prefab.json",
      "src/driver.ts",
      "src/parts.ts",
      "src/renderer.ts",
      "src/scenes.ts",
    ],
  },
  "react-three": { summary: "React and three.js", folders: ["template", "template-react-three"] },
};

export async function startProject(output: Output, options: NewOptions, name: string): Promise<ExitCode> {
  if (name.trim() === "") {
    throw new Stop(exitCodes.usage, "Cannot name a project by an empty string. Write: espalier new my-game");
  }
  const folder = resolve(name);
  const packageName = basename(folder).toLowerCase();
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(packageName)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot name a project ${JSON.stringify(name)}: use letters, digits, - and _, and begin with a letter or digit.`,
    );
  }
  const why = whyNotNew(folder);
  if (why !== undefined) {
    throw new Stop(exitCodes.usage, `Cannot make ${shown(folder)}: ${why}. Choose another name.`);
  }
  const template = await chooseTemplate(output, options.template);
  const words = {
    name: packageName,
    espalier: options.espalier ?? `^${libraryVersion()}`,
    cli: `^${ownVersion()}`,
    ...toolVersions(process.versions.node),
  };
  const files = copyTemplate(folder, templates[template] as Template, words);
  const installed = options.install !== false && install(output, folder);
  if (output.isJson) {
    output.json({ folder: shown(folder), template, files, installed });
  } else {
    output.line(`${output.style("green", "✓")} ${shown(folder)}`);
    for (const file of files) output.line(`  ${output.style("dim", file)}`);
    output.line();
    output.line(`Next: cd ${shown(folder)} && ${installed ? "" : "npm install && "}npm run dev`);
  }
  return options.install === false || installed ? exitCodes.ok : exitCodes.missing;
}

/** The requested template; if left out, asks on a terminal, and uses the default elsewhere. */
async function chooseTemplate(output: Output, asked: string | undefined): Promise<string> {
  const names = Object.keys(templates);
  const isQuestion = asked === undefined && !output.isJson && process.stdin.isTTY && process.stderr.isTTY;
  const name = (isQuestion ? await askForTemplate() : asked) ?? (names[0] as string);
  if (names.includes(name)) return name;
  const known = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  throw new Stop(exitCodes.usage, `Cannot start from ${JSON.stringify(name)}. Choose ${known}.`);
}

/** The name of a template, which may be abbreviated; `undefined` for an empty answer. */
async function askForTemplate(): Promise<string | undefined> {
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const choices = Object.entries(templates).map(
      ([name, { summary }]) => `  ${name.padEnd(12)} ${summary}\n`,
    );
    const said = await questions.question(`Start from:\n${choices.join("")}[canvas] `);
    const answer = said.trim().toLowerCase();
    if (answer === "") return undefined;
    const found = Object.keys(templates).filter((name) => name.startsWith(answer));
    return found.length === 1 ? found[0] : answer;
  } finally {
    questions.close();
  }
}

/** Why a folder cannot be used for a new project; `undefined` when it can. */
function whyNotNew(folder: string): string | undefined {
  try {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (!status.isDirectory()) return "a file with that name already exists";
    return readdirSync(folder).length > 0 ? "the folder already exists and is not empty" : undefined;
  } catch (error) {
    return whyNot(error);
  }
}

/** Copies a template with `{{words}}` filled in: all files or none. Returns them, sorted. */
function copyTemplate(
  folder: string,
  { folders, without = [] }: Template,
  words: { readonly [word: string]: string },
): string[] {
  const made = new Map<string, string | Uint8Array>();
  for (const name of folders) {
    // Beside dist, where the built program is.
    const template = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const entries = readdirSync(template, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((entry) => entry.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const file = path.slice(template.length + 1).replaceAll("\\", "/");
      if (/\.(png|wav)$/.test(file)) {
        made.set(file, readFileSync(path));
        continue;
      }
      const text = readFileSync(path, "utf8").replace(/\{\{(\w+)\}\}/g, (_, word) => words[word] ?? "");
      const earlier = made.get(file);
      if (file === "package.json" && typeof earlier === "string")
        made.set(file, mergedManifest(earlier, text));
      // npm does not publish files of that name.
      else made.set(file === "gitignore" ? ".gitignore" : file, text);
    }
  }
  for (const file of without) made.delete(file);
  const files = [...made].map(([file, text]) => ({ file: join(folder, file), text }));
  writeFiles(files, false);
  return [...made.keys()].sort();
}

/** A manifest with the dependencies of a second one added to its own. */
function mergedManifest(text: string, added: string): string {
  const manifest = JSON.parse(text);
  for (const [field, packages] of Object.entries(JSON.parse(added))) {
    const all = Object.entries({ ...manifest[field], ...(packages as object) });
    manifest[field] = Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function install(output: Output, folder: string): boolean {
  output.note("Installing packages (npm install)");
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0)
    output.note("Installing failed. The project is there; run npm install in it when you can.");
  return status === 0;
}
