/**
 * Where the texts of scenes and prefabs come from.
 */
import { describeValue } from "../../ecs/index.ts";
import type { SceneFile } from "../../scene/index.ts";
import { LoadFailedError, UnknownSceneError } from "../errors.ts";
import { suggest } from "../nearest.ts";

/** A scene: its text, a scene written in TypeScript, or a module whose default is one of these. */
export type SceneContent =
  | string
  | SceneFile
  | {
      /** The default export of the module. */
      readonly default: string | SceneFile;
    };

/** A scene, an address to fetch it from, or a function that gets it: `() => import("./level.json?raw")`. */
export type SceneSource =
  | SceneContent
  | URL
  | ((signal: AbortSignal) => SceneContent | Promise<SceneContent>);

/**
 * Scenes and prefabs by name, or a function that fetches them by name and returns `undefined` for unknown names. A scene
 * `level` may be listed as `level`, `level.json`, `level.scene.json`, `level.tmj` or `level.ldtk` (see `maps` of the Vite
 * plugin), in any folder: the result of `import.meta.glob` fits.
 */
export type SceneSources =
  | { readonly [name: string]: SceneSource }
  | ((name: string, signal: AbortSignal) => SceneSource | undefined);

export interface FetchedScene {
  /** The name by which it was found. */
  readonly file: string;
  readonly content: string | SceneFile;
}

const endings = ["", ".json", ".scene.json", ".prefab.json", ".tmj", ".ldtk"];

/** @throws UnknownSceneError, LoadFailedError */
export async function fetchScene(
  sources: SceneSources,
  name: string,
  what: "scene" | "prefab",
  signal: AbortSignal,
): Promise<FetchedScene> {
  const file = endings
    .map((ending) => `${name}${ending}`)
    .find((file) => find(sources, file, signal) !== undefined);
  const source = file === undefined ? undefined : find(sources, file, signal);
  if (file === undefined || source === undefined) throw unknownScene(sources, name, what);
  try {
    const given = typeof source === "function" ? await source(signal) : source;
    const content = given instanceof URL ? await fetchText(given, signal) : given;
    return { file, content: contentOf(content) };
  } catch (cause) {
    if (signal.aborted) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LoadFailedError(`Cannot load the ${what} ${file}: ${why}`, { cause, path: file });
  }
}

function find(sources: SceneSources, file: string, signal: AbortSignal): SceneSource | undefined {
  if (typeof sources === "function") return sources(file, signal);
  const key = keyOf(sources, file);
  return key === undefined ? undefined : sources[key];
}

/** By the whole name, or else by the name of the file in any folder. */
function keyOf(sources: { readonly [name: string]: SceneSource }, file: string): string | undefined {
  if (Object.hasOwn(sources, file)) return file;
  return Object.keys(sources).find((key) => isSameFile(key, file));
}

/** Whether two names mean the same file: they may or may not begin with folders. */
export function isSameFile(a: string, b: string): boolean {
  const [left, right] = [a, b].map((name) => name.replace(/^(\.{0,2}\/)+/, "")) as [string, string];
  const [long, short] = left.length >= right.length ? [left, right] : [right, left];
  return long === short || long.endsWith(`/${short}`);
}

/** Whether a prefab of this name, or in this file, is the one in `file`: names need not have an extension. */
export function isPrefabOf(name: string, file: string): boolean {
  return endings.some((ending) => isSameFile(`${name}${ending}`, file));
}

function unknownScene(sources: SceneSources, name: string, what: string): UnknownSceneError {
  const known = typeof sources === "function" ? undefined : Object.keys(sources);
  const advice =
    known === undefined ? "The function given as scenes does not know it." : suggest(name, known, "scenes");
  return new UnknownSceneError(
    `Cannot load the ${what} ${describeValue(name)}: there is no ${what} with that name. ${advice}`,
    { value: name },
  );
}

async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return await response.text();
}

function contentOf(content: SceneContent): string | SceneFile {
  if (typeof content === "string") return content;
  return "default" in content ? content.default : content;
}
