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
import { libraryVersion, ownVersion } from "../versions.ts";
import { type NewFile, writeFiles } from "../write-files.ts";

export interface NewOptions {
  readonly install?: boolean;
  readonly espalier?: string;
  readonly renderer?: string;
}

const renderers = ["canvas", "pixi"] as const;
type RendererName = (typeof renderers)[number];

/** Versions of what the project is built with. */
const toolVersions = { vite: "^8.0.0", vitest: "^4.0.0", pixi: "^8.0.0" };

export async function startProject(output: Output, options: NewOptions, name: string): Promise<ExitCode> {
  if (name.trim() === "") {
    throw new Stop(exitCodes.usage, "Cannot name a project by an empty text. Write: espalier new my-game");
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
  const renderer = await chooseRenderer(output, options.renderer);
  const words = {
    name: packageName,
    espalier: options.espalier ?? `^${libraryVersion()}`,
    cli: `^${ownVersion()}`,
    ...toolVersions,
  };
  const isPixi = renderer === "pixi";
  const templates = isPixi ? ["template", "template-pixi"] : ["template"];
  const files = copyTemplates(folder, templates, words, isPixi ? { "pixi.js": toolVersions.pixi } : {});
  const installed = options.install !== false && install(output, folder);
  if (output.isJson) {
    output.json({ folder: shown(folder), renderer, files, installed });
  } else {
    output.line(`${output.style("green", "✓")} ${shown(folder)}`);
    for (const file of files) output.line(`  ${output.style("dim", file)}`);
    output.line();
    output.line(`Next: cd ${shown(folder)} && ${installed ? "" : "npm install && "}npm run dev`);
  }
  return options.install === false || installed ? exitCodes.ok : exitCodes.missing;
}

/** What was asked for; on a terminal it is a question, elsewhere the canvas. */
async function chooseRenderer(output: Output, asked: string | undefined): Promise<RendererName> {
  if (asked !== undefined) {
    if ((renderers as readonly string[]).includes(asked)) return asked as RendererName;
    throw new Stop(
      exitCodes.usage,
      `Cannot draw with ${JSON.stringify(asked)}. Choose ${renderers.join(" or ")}.`,
    );
  }
  if (output.isJson || !process.stdin.isTTY || !process.stderr.isTTY) return "canvas";
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await questions.question(
      "Draw with the 2D canvas (no dependencies) or with PixiJS? [canvas/pixi] ",
    );
    return /^p/i.test(answer.trim()) ? "pixi" : "canvas";
  } finally {
    questions.close();
  }
}

/** Why a folder cannot be that of a new project; nothing when it can. */
function whyNotNew(folder: string): string | undefined {
  try {
    const status = statSync(folder, { throwIfNoEntry: false });
    if (status === undefined) return undefined;
    if (!status.isDirectory()) return "a file of that name is there";
    return readdirSync(folder).length > 0 ? "the folder is there and not empty" : undefined;
  } catch (error) {
    return whyNot(error);
  }
}

/** Copies folders, later ones over earlier ones, with `{{words}}` filled in: all files or none. Gives them, sorted. */
function copyTemplates(
  folder: string,
  names: readonly string[],
  words: { readonly [word: string]: string },
  dependencies: { readonly [name: string]: string },
): string[] {
  const made = new Map<string, string>();
  for (const name of names) {
    // Beside dist, where the built program is.
    const template = fileURLToPath(new URL(`../${name}`, import.meta.url));
    const files = readdirSync(template, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1));
    for (const file of files) {
      const text = readFileSync(join(template, file), "utf8").replace(
        /\{\{(\w+)\}\}/g,
        (_, word) => words[word] ?? "",
      );
      // npm does not publish files of that name.
      made.set(file === "gitignore" ? ".gitignore" : file.replaceAll("\\", "/"), text);
    }
  }
  made.set("package.json", withDependencies(made.get("package.json") as string, dependencies));
  const files = [...made].map(([file, text]): NewFile => ({ file: join(folder, file), text }));
  writeFiles(files, false);
  return [...made.keys()].sort();
}

function withDependencies(text: string, dependencies: { readonly [name: string]: string }): string {
  const manifest = JSON.parse(text);
  Object.assign(manifest.dependencies, dependencies);
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
