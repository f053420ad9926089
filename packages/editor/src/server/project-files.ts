/**
 * The files of a project folder, as the editor sees them.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, relative, sep } from "node:path";
import { insidePath, Refusal } from "./inside.ts";

export const sceneEndings: readonly string[] = [".json", ".jsonc"];
export const imageTypes: { readonly [ending: string]: string } = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".avif": "image/avif",
};

/** More files than this are not listed. */
const MOST_FILES = 5000;

export interface FoundFiles {
  readonly scenes: readonly string[];
  readonly prefabs: readonly string[];
  readonly images: readonly string[];
}

/** Scenes, prefabs and images below a folder, with paths from there. Links are not followed. */
export function listFiles(folder: string): FoundFiles {
  const found = { scenes: [] as string[], prefabs: [] as string[], images: [] as string[] };
  const folders = [folder];
  let left = MOST_FILES;
  while (folders.length > 0 && left > 0) {
    const at = folders.pop() as string;
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules" || left-- <= 0) continue;
      const path = join(at, entry.name);
      const name = relative(folder, path).split(sep).join("/");
      if (entry.isDirectory()) folders.push(path);
      else if (!entry.isFile()) continue;
      else if (/\.prefab\.jsonc?$/.test(name)) found.prefabs.push(name);
      else if (/\.scene\.jsonc?$/.test(name)) found.scenes.push(name);
      else if (imageTypes[extname(name).toLowerCase()] !== undefined) found.images.push(name);
    }
  }
  for (const list of Object.values(found)) list.sort();
  return found;
}

/** Changes whenever the text does. */
export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export function readProjectFile(
  folder: string,
  path: unknown,
): { path: string; text: string; version: string } {
  const file = insidePath(folder, path, sceneEndings);
  try {
    const text = readFileSync(file, "utf8");
    return { path: path as string, text, version: versionOf(text) };
  } catch {
    throw new Refusal(404, `There is no file ${String(path)}.`);
  }
}

/**
 * Writes a file as a whole: a temporary file beside it takes its place, so that nobody ever sees half of it.
 *
 * @param version - What was read last; when the file is another by now, nothing is written.
 * @throws Refusal
 */
export function writeProjectFile(folder: string, path: unknown, text: unknown, version: unknown): string {
  const file = insidePath(folder, path, sceneEndings);
  if (typeof text !== "string") throw new Refusal(400, "Give the text to write.");
  if (version !== undefined) {
    const now = currentVersion(file);
    if (now !== undefined && now !== version) {
      throw new Refusal(
        409,
        `${String(path)} changed on disk since it was opened. Reload it first, or save as another file.`,
      );
    }
  }
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, text, { flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Refusal(500, `Cannot write ${String(path)}: ${(error as Error).message}`);
  }
  return versionOf(text);
}

function currentVersion(file: string): string | undefined {
  try {
    return versionOf(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
