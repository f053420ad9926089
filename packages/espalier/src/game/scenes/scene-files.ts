/**
 * Scene files as an option of a game, so that they are bundled only if the option is used.
 */
import { type ArgumentTest, expectArguments } from "../../ecs/index.ts";
import {
  type ComponentRegistration,
  createLoadOnlyFormat,
  createSceneFormat,
  type Prefab,
  type ReloadSummary,
  type Scene,
  type SceneFile,
  type SceneFormat,
  type SceneFormatOptions,
} from "../../scene/index.ts";
import type { Game } from "../game-api.ts";
import { formatWith, type GameFormatOptions } from "../game-format.ts";
import type { LoadingFiles } from "../parts/part.ts";
import { reloadFiles } from "./reload-files.ts";
import { type LoadSceneOptions, SceneLoader } from "./scene-loader.ts";
import type { SceneSources } from "./scene-sources.ts";

/** The scenes of a game, used by `game.load` and related calls. */
export interface GameScenes {
  /** The format of the files. */
  readonly format: SceneFormat;
  /** The loaded scenes, in the order of loading. */
  readonly scenes: readonly Scene[];
  /** Fetches a scene with its prefabs and loads it. */
  load(name: string, options?: LoadSceneOptions): Promise<Scene>;
  /** Destroys all entities of a loaded scene. */
  unload(scene: Scene | string): void;
  /** Fetches a prefab with those it uses. */
  loadPrefab(name: string, options?: Pick<LoadSceneOptions, "signal" | "onProgress">): Promise<Prefab>;
  /** Fetches the texts of a scene or prefab and of the prefabs it uses, without loading it. The next `load` does not fetch them again. */
  fetch(name: string, signal: AbortSignal): Promise<LoadingFiles>;
  /** Applies a changed file to everything that was loaded from it. */
  reload(file: string, content: string | SceneFile): ReloadSummary[];
  /** Cancels running loads. */
  close(): void;
}

/** What a game passes to its scenes. */
export interface SceneSetup {
  /** The options of the game for its format, with the components of its parts. */
  readonly options: GameFormatOptions;
  /** The components of its timers, if it has any. */
  readonly timers: readonly ComponentRegistration[];
  /** Waits until the parts of the game have what files need. */
  prepare(files: LoadingFiles): Promise<void>;
  /** Throws when the game was stopped. */
  requireRunning(doing: string): void;
}

const someSources: ArgumentTest = {
  expected: "an object of scenes by name, or a function",
  fits: (value) => typeof value === "function" || (typeof value === "object" && value !== null),
};

/**
 * Lets a game load scenes and prefabs: `createGame({ scenes: sceneFiles(import.meta.glob("./scenes/*.json")) })`. Without
 * sources the game still has a format, for scenes in code: `game.format`.
 *
 * @example
 * ```ts
 * const level = { entities: [{ id: "tank", components: { Transform2D: { x: 100 } } }] };
 * const game = createGame({ scenes: sceneFiles({ level }) });
 * const scene = await game.load("level");
 * game.entity(scene.entity("tank")).x; // → 100
 * ```
 */
export function sceneFiles(sources: SceneSources = {}): (game: Game, setup: SceneSetup) => GameScenes {
  return scenesOf(sources, createSceneFormat, reloadFiles);
}

/**
 * The same for a game that only loads: scenes are loaded and unloaded, prefabs are instantiated. `game.reload`, and everything of
 * `game.format` that saves, reloads, compares or copies, throws; in exchange its code is not in the bundle. With Vite,
 * `import.meta.env.DEV ? sceneFiles(sources) : loadOnlyScenes(sources)` reloads scenes during development and ships the smaller code.
 *
 * @example
 * ```ts
 * const level = { entities: [{ id: "tank", components: { Transform2D: { x: 100 } } }] };
 * const game = createGame({ scenes: loadOnlyScenes({ level }) });
 * const scene = await game.load("level");
 * game.entity(scene.entity("tank")).x; // → 100
 * ```
 */
export function loadOnlyScenes(sources: SceneSources = {}): (game: Game, setup: SceneSetup) => GameScenes {
  // A format that only loads refuses it, with a message about what to use.
  return scenesOf(sources, createLoadOnlyFormat, ({ format, tree }, file, content) => {
    format.reloadPrefab(tree, file, content);
    return [];
  });
}

function scenesOf(
  sources: SceneSources,
  create: (options: SceneFormatOptions) => SceneFormat,
  reload: typeof reloadFiles,
): (game: Game, setup: SceneSetup) => GameScenes {
  expectArguments("use scene files", ["the sources", sources, someSources]);
  return (game, { options, timers, prepare, requireRunning }) =>
    new SceneLoader(game, sources, {
      format: formatWith(timers, options, create),
      reload,
      prepare,
      requireRunning,
    });
}
