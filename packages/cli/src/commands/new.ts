/**
 * `espalier new <name>`: a small project that runs.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExitCode, exitCodes, Stop } from "../exit-codes.ts";
import { shown, whyNot } from "../files.ts";
import type { Output } from "../output.ts";
import { libraryVersion, ownVersion } from "../versions.ts";
import { type NewFile, writeFiles } from "../write-files.ts";

export interface NewOptions {
  readonly install?: boolean;
  readonly espalier?: string;
}

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
  const files = copyTemplate(folder, {
    name: packageName,
    espalier: options.espalier ?? `^${libraryVersion()}`,
    cli: `^${ownVersion()}`,
  });
  const installed = options.install !== false && install(output, folder);
  if (output.isJson) {
    output.json({ folder: shown(folder), files, installed });
  } else {
    output.line(`${output.style("green", "✓")} ${shown(folder)}`);
    for (const file of files) output.line(`  ${output.style("dim", file)}`);
    output.line();
    output.line(`Next: cd ${shown(folder)} && ${installed ? "" : "npm install && "}npm start`);
  }
  return options.install === false || installed ? exitCodes.ok : exitCodes.missing;
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

function copyTemplate(folder: string, words: { readonly [word: string]: string }): string[] {
  // Beside dist, where the built program is.
  const template = fileURLToPath(new URL("../template", import.meta.url));
  const files = readdirSync(template, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(template.length + 1))
    .sort();
  const made = files.map((file): NewFile => {
    const text = readFileSync(join(template, file), "utf8").replace(
      /\{\{(\w+)\}\}/g,
      (_, word) => words[word] ?? "",
    );
    // npm does not publish files of that name.
    return { file: join(folder, file === "gitignore" ? ".gitignore" : file), text };
  });
  writeFiles(made, false);
  return files.map((file) => (file === "gitignore" ? ".gitignore" : file.replaceAll("\\", "/")));
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
