/**
 * The files of a project folder, as the editor sees them.
 */
import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { insidePath } from "./inside.ts";
import { Refusal } from "./refusal.ts";
import { replaceFile } from "./replace-file.ts";

export const imageTypes: { readonly [ending: string]: string } = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".avif": "image/avif",
};

const soundFile = /\.(wav|mp3|ogg|oga|opus|m4a|aac|flac|webm)$/i;

/** At most this many folder entries are read: a larger folder is hardly a project. */
const MOST_ENTRIES = 200_000;

/** A project folder, and which of its files the editor reads and writes. */
export interface ProjectFolder {
  readonly folder: string;
  /** Whether a file, by its path from the folder, is a scene, a prefab, or one that the project lists. */
  readonly isOwn: (path: string) => boolean;
}

/**
 * @param listed - Further files by their paths from the folder: the one that is opened.
 * @param prefabs - A folder of prefabs, whose files need no particular extension.
 */
export function projectFolder(
  folder: string,
  listed: readonly (string | undefined)[],
  prefabs: string | undefined,
): ProjectFolder {
  const own = new Set(listed);
  return {
    folder,
    isOwn: (path) =>
      /\.(scene|prefab)\.jsonc?$/i.test(path) ||
      (/\.jsonc?$/i.test(path) &&
        (own.has(path) || (prefabs !== undefined && prefabs !== "" && path.startsWith(`${prefabs}/`)))),
  };
}

export function isImage(path: string): boolean {
  return imageTypes[extname(path).toLowerCase()] !== undefined;
}

export interface FoundFiles {
  readonly scenes: readonly string[];
  readonly prefabs: readonly string[];
  readonly images: readonly string[];
  readonly sounds: readonly string[];
  /** Whether the folder was too large to be listed completely. */
  readonly isCut: boolean;
}

/**
 * Scenes, prefabs, images and sounds below a folder, with relative paths, the least nested first. Links to files inside it count as
 * files; links to folders are not followed.
 */
export function listFiles(folder: string, mostEntries = MOST_ENTRIES): FoundFiles {
  const found = {
    scenes: [] as string[],
    prefabs: [] as string[],
    images: [] as string[],
    sounds: [] as string[],
  };
  const folders = [folder];
  let left = mostEntries;
  for (let next = 0; next < folders.length && left > 0; next++) {
    for (const entry of entriesOf(folders[next] as string)) {
      if (left-- <= 0) break;
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = join(folders[next] as string, entry.name);
      const name = relative(folder, path).split(sep).join("/");
      if (entry.isDirectory()) {
        folders.push(path);
        continue;
      }
      const list = /\.prefab\.jsonc?$/.test(name)
        ? found.prefabs
        : /\.scene\.jsonc?$/.test(name)
          ? found.scenes
          : isImage(name)
            ? found.images
            : soundFile.test(name)
              ? found.sounds
              : undefined;
      if (list !== undefined && (entry.isFile() || isLinkInside(folder, path, entry))) list.push(name);
    }
  }
  for (const list of Object.values(found)) list.sort();
  return { ...found, isCut: left <= 0 };
}

/** Nothing for a folder that was deleted meanwhile, or that may not be read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isLinkInside(folder: string, path: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return realpathSync(path).startsWith(realpathSync(folder) + sep) && statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Changes with the text. */
export function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

export function readProjectFile(
  { folder, isOwn }: ProjectFolder,
  path: unknown,
): { path: string; text: string; version: string } {
  const file = insidePath(folder, path, isOwn);
  try {
    const text = readFileSync(file, "utf8");
    return { path: path as string, text, version: versionOf(text) };
  } catch {
    throw new Refusal(404, `There is no file ${String(path)}.`);
  }
}

/**
 * Writes a scene or a prefab as a whole. It keeps its permissions, and a link inside the folder stays one.
 *
 * @param version - The version last read; if the file has changed since, nothing is written.
 * @throws Refusal
 */
export function writeProjectFile(
  { folder, isOwn }: ProjectFolder,
  path: unknown,
  text: unknown,
  version: unknown,
): string {
  const file = insidePath(folder, path, isOwn);
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
  replaceFile(file, text, String(path));
  return versionOf(text);
}

function currentVersion(file: string): string | undefined {
  try {
    return versionOf(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
