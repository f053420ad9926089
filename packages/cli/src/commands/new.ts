/**
 * `espalier new <name>`: a small game on a screen.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown, writeText } from "../files.ts";
import type { Output } from "../output.ts";
import { libraryVersion, ownVersion } from "../versions.ts";

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
  const folder = resolve(name);
  const packageName = basename(folder).toLowerCase();
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(packageName)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot name a project ${JSON.stringify(name)}: use letters, digits, - and _, and begin with a letter or digit.`,
    );
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Stop(
      exitCodes.usage,
      `Cannot make ${shown(folder)}: the folder is there and not empty. Choose another name.`,
    );
  }
  const renderer = await chooseRenderer(output, options.renderer);
  const files = copyTemplates(folder, renderer === "pixi" ? ["template", "template-pixi"] : ["template"], {
    name: packageName,
    espalier: options.espalier ?? `^${libraryVersion()}`,
    cli: `^${ownVersion()}`,
    ...toolVersions,
  });
  if (renderer === "pixi") addDependency(folder, "pixi.js", toolVersions.pixi);
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

/** Copies folders, later ones over earlier ones, with `{{words}}` filled in. Gives the files, sorted. */
function copyTemplates(
  folder: string,
  names: readonly string[],
  words: { readonly [word: string]: string },
): string[] {
  const written = new Set<string>();
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
      const target = file === "gitignore" ? ".gitignore" : file;
      writeText(join(folder, target), text);
      written.add(target.replaceAll("\\", "/"));
    }
  }
  return [...written].sort();
}

function addDependency(folder: string, name: string, version: string): void {
  const file = join(folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  manifest.dependencies[name] = version;
  writeText(file, `${JSON.stringify(manifest, null, 2)}\n`);
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
