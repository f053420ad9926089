/**
 * The components of the user's project, and the scene format made from them.
 */
import { existsSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { type AnyComponent, Props } from "espalier";
import type { KeyframeClips } from "espalier/animation";
import { createSceneFormat, type SceneFormat, type SceneFormatOptions } from "espalier/scene";
import { exitCodes, Stop } from "./exit-codes.ts";
import { shown, whyNot } from "./files.ts";
import { loadTool } from "./missing-tool.ts";

export interface ConfigOptions {
  readonly config?: string;
  readonly prefabs?: string;
}

export interface Config {
  readonly format: SceneFormat;
  /** The file it was read from; `undefined` when only the library's own components are known. */
  readonly file: string | undefined;
  /** The folder of prefabs, absolute. */
  readonly prefabs: string | undefined;
  /** The folder it was read from, absolute. */
  readonly folder: string | undefined;
  /** The files that scenes name; `undefined` when they are not checked. */
  readonly assets?: ConfigAssets | undefined;
  /** The argument of the game's `keyframePart`: clips that all entities share. */
  readonly clips?: KeyframeClips | undefined;
  /** How the editor plays scenes: plain data. `module` names the code of the project to run. */
  readonly play: object | undefined;
}

/** The files of a project, for `espalier check`. */
export interface ConfigAssets {
  /** The folder that addresses start from, absolute. */
  readonly folder: string;
  /** The argument of the game's `assetFiles`: files by the names that scenes use. */
  readonly files: { readonly [name: string]: unknown } | undefined;
}

const names = ["espalier.config.mjs", "espalier.config.js", "espalier.config.ts", "espalier.config.mts"];

/**
 * The requested config, or the nearest one in a parent folder, or the defaults of the library.
 *
 * @param near - A file or folder from which the config is searched, independent of the current folder.
 */
export async function loadConfig(options: ConfigOptions, near = "."): Promise<Config> {
  const file =
    options.config === undefined
      ? (findConfig(resolve(near)) ?? findConfig(process.cwd()))
      : resolve(options.config);
  if (file === undefined) {
    return {
      format: await loadLibraryFormat(),
      file,
      folder: undefined,
      prefabs: absolute(options.prefabs, process.cwd()),
      assets: undefined,
      play: undefined,
    };
  }
  if (!existsSync(file))
    throw new Stop(exitCodes.usage, `Cannot read ${shown(file)}: there is no such file.`);
  const module = await importModule(file);
  const { format, prefabs, assets, clips, play } = formatOf(module, file);
  if (prefabs !== undefined && typeof prefabs !== "string") {
    throw new Stop(exitCodes.usage, `Cannot use ${shown(file)}: prefabs is the path of a folder.`);
  }
  if (play !== undefined && !isPlainData(play)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot use ${shown(file)}: play is plain data, such as { module: "./play.mjs", step: 1 / 60, physics: { unitsPerMetre: 50 } }.`,
    );
  }
  return {
    format,
    file: shown(file),
    folder: dirname(file),
    assets: assetsIn(assets, file),
    clips,
    play,
    prefabs: absolute(options.prefabs, process.cwd()) ?? absolute(prefabs, dirname(file)),
  };
}

function assetsIn(assets: unknown, file: string): ConfigAssets | undefined {
  if (assets === undefined) return undefined;
  const { folder, files } = (typeof assets === "string" ? { folder: assets } : Object(assets)) as {
    readonly folder?: unknown;
    readonly files?: unknown;
  };
  const isList = files === undefined || (typeof files === "object" && files !== null);
  if (typeof folder !== "string" || !isList) {
    throw new Stop(
      exitCodes.usage,
      `Cannot use ${shown(file)}: assets is the path of a folder, or { folder: "public", files: { hero: "hero.png" } }.`,
    );
  }
  return { folder: resolve(dirname(file), folder), files: files as ConfigAssets["files"] };
}

function absolute(folder: string | undefined, from: string): string | undefined {
  return folder === undefined ? undefined : resolve(from, folder);
}

function findConfig(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
    if (folder === dirname(folder)) return undefined;
  }
}

async function importModule(file: string): Promise<{ readonly [name: string]: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const { code } = Object(error) as Partial<NodeJS.ErrnoException>;
    const isTypeScript = [".ts", ".mts", ".cts"].includes(extname(file));
    if (isTypeScript && (code === "ERR_UNKNOWN_FILE_EXTENSION" || error instanceof SyntaxError)) {
      return importTypeScript(file);
    }
    const hint = code === "ERR_MODULE_NOT_FOUND" ? " If that is built from TypeScript, build it first." : "";
    throw new Stop(exitCodes.usage, `Cannot load ${shown(file)}: ${whyNot(error)}.${hint}`);
  }
}

/** For versions of Node that do not read TypeScript themselves. */
async function importTypeScript(file: string): Promise<{ readonly [name: string]: unknown }> {
  const { createJiti } = await loadTool<typeof import("jiti")>(
    "jiti",
    `Node ${process.versions.node} does not read TypeScript, and ${shown(file)} is. Use Node 22.18 or later, a config in JavaScript, or the package jiti.`,
  );
  try {
    return await createJiti(pathToFileURL(file).href).import(file);
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot load ${shown(file)}: ${whyNot(error)}.`);
  }
}

interface ConfigModule extends Partial<SceneFormatOptions> {
  readonly format?: SceneFormat;
  readonly prefabs?: string;
  readonly assets?: unknown;
  readonly clips?: KeyframeClips;
  readonly play?: object;
}

const formatKeys = ["components", "transient", "version", "migrations", "schema"] as const;

/** Whether it survives being sent as JSON. */
function isPlainData(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value);
  } catch {
    return false;
  }
}

function formatOf(
  module: { readonly [name: string]: unknown },
  file: string,
): {
  readonly format: SceneFormat;
  readonly prefabs: string | undefined;
  readonly assets: unknown;
  readonly clips: KeyframeClips | undefined;
  readonly play: object | undefined;
} {
  // Internals of a format are not part of the config.
  const config = isFormat(module.default) ? {} : (module.default as object | undefined);
  const exported = { ...module, ...config } as ConfigModule;
  const whole = [module.default, exported.format].find(isFormat);
  if (whole !== undefined) {
    const { prefabs, assets, clips, play } = exported;
    return { format: whole, prefabs, assets, clips, play };
  }
  if (!Array.isArray(exported.components)) {
    throw new Stop(
      exitCodes.usage,
      `Cannot use ${shown(file)}: it exports neither a scene format nor an array of components. Write: export default { components: [...] };`,
    );
  }
  const { prefabs, assets, clips, play } = exported;
  // A module may export anything by name; its default export is the config, in which an unknown key is an error.
  const {
    prefabs: _,
    play: __,
    format: ___,
    assets: ____,
    clips: _____,
    ...rest
  } = Object(module.default) as ConfigModule;
  const named = formatKeys.filter((key) => module[key] !== undefined).map((key) => [key, module[key]]);
  const options = { ...Object.fromEntries(named), ...rest } as SceneFormatOptions;
  try {
    return { format: createSceneFormat(options), prefabs, assets, clips, play };
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot use ${shown(file)}: ${whyNot(error)}`);
  }
}

function isFormat(value: unknown): value is SceneFormat {
  const { load, check } = Object(value) as { load?: unknown; check?: unknown };
  return typeof load === "function" && typeof check === "function";
}

/** The components that every game knows without registering them: drawings, bodies, sounds and the rest of the library. */
export async function loadLibraryFormat(): Promise<SceneFormat> {
  const [{ createGameFormat, TileCollider }, { physicsComponents }, { audioComponents }, animation] =
    await Promise.all([
      import("espalier/game"),
      import("espalier/physics"),
      import("espalier/audio"),
      import("espalier/animation"),
    ]);
  const { SpriteAnimation, KeyframeAnimation } = animation;
  const others = [SpriteAnimation, KeyframeAnimation, TileCollider];
  return createGameFormat({ components: [...physicsComponents, ...audioComponents, ...others] });
}

/** The components that imports of other formats use, in the order in which games save them. */
export async function ownComponents(): Promise<AnyComponent[]> {
  const [{ hierarchyComponents }, { inheritComponents }, { transformComponents }] = await Promise.all([
    import("espalier/hierarchy"),
    import("espalier/inherit"),
    import("espalier/transform"),
  ]);
  return [...hierarchyComponents, ...transformComponents, ...inheritComponents, Props];
}

/** A format with these components. */
export async function loadOwnFormat(): Promise<SceneFormat> {
  return createSceneFormat({ components: await ownComponents() });
}
