/**
 * Scene files on disk, and the prefabs they name.
 */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { exitCodes, Stop } from "./exit-codes.ts";

/** File name extensions of the scenes of a folder. */
const sceneEndings = [".scene.json", ".scene.jsonc", ".prefab.json", ".prefab.jsonc"];

/** Extensions that the name of a prefab may omit. */
const prefabEndings = ["", ".prefab.json", ".scene.json", ".json", ".jsonc"];

export function readText(file: string): string {
  const bytes = readBytes(file);
  try {
    return bytes.toString("utf8");
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot read ${shown(file)}: ${whyNot(error)}.`);
  }
}

export function readBytes(file: string): Buffer {
  try {
    // A pipe would never end.
    const status = statSync(file);
    if (!status.isFile() && !status.isDirectory()) {
      throw new Stop(exitCodes.usage, `Cannot read ${shown(file)}: it is not a file but a pipe or a device.`);
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(exitCodes.usage, `Cannot read ${shown(file)}: ${whyNot(error)}.`);
  }
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of the path is a file"],
  ["EACCES", "permission was denied"],
  ["EPERM", "permission was denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["ELOOP", "symbolic links form a cycle"],
  ["ENAMETOOLONG", "the name is too long"],
  ["EEXIST", "something with that name already exists"],
  ["ERR_FS_FILE_TOO_LARGE", "it is too large"],
  ["ERR_STRING_TOO_LONG", "it is too large: texts of more than 512 MB cannot be read"],
]);

/** Why an operation on a file failed, as text. */
export function whyNot(error: unknown): string {
  const { code, message } = Object(error) as Partial<NodeJS.ErrnoException>;
  return reasons.get(code) ?? message ?? "it threw something that is not an error";
}

/** `3.4 MB`, for mostly ASCII texts. */
export function sizeOf(text: string): string {
  return `${(text.length / 1e6).toFixed(1)} MB`;
}

/** A path as displayed: relative to the current folder. */
export function shown(file: string): string {
  if (file.trim() === "") return JSON.stringify(file);
  const path = relative(process.cwd(), resolve(file));
  return path === ""
    ? "."
    : path.startsWith(`..${sep}..${sep}..`)
      ? resolve(file)
      : path.split(sep).join("/");
}

/** The scene files among `paths`: files as they are, folders with all scenes below them. */
export function findScenes(paths: readonly string[]): string[] {
  const found = new Set<string>();
  const folders: string[] = [];
  for (const path of paths) {
    if (isFolder(path)) folders.push(path);
    else found.add(path);
  }
  while (folders.length > 0) {
    const folder = folders.pop() as string;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== "node_modules" && !entry.name.startsWith(".")) folders.push(path);
      } else if (sceneEndings.some((ending) => entry.name.endsWith(ending))) {
        found.add(path);
      }
    }
  }
  if (found.size === 0) {
    throw new Stop(
      exitCodes.usage,
      `There are no scenes in ${paths.map(shown).join(", ")}: name files, or call them *.scene.json or *.prefab.json.`,
    );
  }
  return [...found].sort();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file or folder" : whyNot(error);
    throw new Stop(exitCodes.usage, `Cannot read ${shown(path)}: ${why}.`);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot read the folder ${shown(folder)}: ${whyNot(error)}.`);
  }
}

/**
 * Prefabs beside the scene that names them, or in a folder of their own.
 *
 * @param mayRead - Throws for files that may not be read. It is called with every path, including its extension, before the
 *   file is looked up: a
 * link may have any name, and not even the existence of a file outside may be revealed.
 */
export function prefabsOnDisk(folder: string | undefined, mayRead: (file: string) => void = () => {}) {
  return (name: string, from?: string): { readonly file: string; readonly source: string } => {
    const beside = resolve(dirname(from ?? "."), name);
    const candidates = isAbsolute(name) || folder === undefined ? [beside] : [beside, resolve(folder, name)];
    for (const candidate of candidates) {
      for (const ending of prefabEndings) {
        const file = `${candidate}${ending}`;
        mayRead(file);
        if (existsSync(file) && statSync(file).isFile()) return { file: shown(file), source: readText(file) };
      }
    }
    throw new Error(`No file ${candidates.map((file) => shown(file)).join(" and none ")}.`);
  };
}

/** `level.scene.json` for `level.tscn`. */
export function sceneNameFor(file: string): string {
  return join(dirname(file), `${basename(file, extname(file))}.scene.json`);
}

/** The name of a scene that other scenes use as a prefab: for a model it differs from the scene beside it. */
export function prefabNameFor(file: string): string {
  return extname(file) === ".tscn" ? sceneNameFor(file) : `${file}.scene.json`;
}

/** The file that a prefab is imported from, by the name of the prefab; `undefined` for other names. */
export function sourceOfPrefab(file: string): string | undefined {
  if (!file.endsWith(".scene.json")) return undefined;
  const source = file.slice(0, -".scene.json".length);
  return /\.(glb|gltf)$/i.test(source) ? source : `${source}.tscn`;
}
