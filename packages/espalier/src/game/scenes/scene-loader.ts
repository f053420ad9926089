/**
 * Scenes in a running game: fetched, loaded as a whole, unloaded, and updated when their file changes.
 */
import {
  checkOptions,
  describeValue,
  type EntityLike,
  expectArguments,
  type OptionKinds,
} from "../../ecs/index.ts";
import type { Prefab, ReloadSummary, Scene, SceneFile, SceneFormat } from "../../scene/index.ts";
import type { EntityHost } from "../entity-object.ts";
import { LoadCancelledError, UnknownSceneError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import type { LoadingFiles } from "../parts/part.ts";
import type { Loaded, LoadedFiles } from "./loaded-files.ts";
import { prefabNames } from "./prefab-names.ts";
import { type FetchedScene, fetchScene, isSameFile, type SceneSources } from "./scene-sources.ts";
import { anyAborted, aSignal } from "./signals.ts";

/** The progress of loading a scene. */
export interface LoadProgress {
  /** The name of the scene that is loaded. */
  readonly scene: string;
  /** Files that have arrived, of those known to be needed so far. */
  readonly loaded: number;
  /** How many files are known to be needed so far. */
  readonly total: number;
}

/** Options of `game.load`. */
export interface LoadSceneOptions {
  /** Whether to keep the scenes that were loaded before. Otherwise they are unloaded once the new one is loaded. */
  readonly additive?: boolean;
  /** The parent of the roots of the scene. */
  readonly parent?: EntityLike | null;
  /** Called when a file has arrived. */
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Cancels the loading; nothing of the scene is in the world then. */
  readonly signal?: AbortSignal;
}

interface SceneLoaderSetup {
  readonly format: SceneFormat;
  /** Applies a changed file to loaded scenes; see `reload`. */
  reload(files: LoadedFiles, file: string, content: string | SceneFile): ReloadSummary[];
  /** Waits until the parts of the game have what files need. */
  prepare(files: LoadingFiles): Promise<void>;
  /** Throws when the game was stopped. */
  requireRunning(doing: string): void;
}

export class SceneLoader {
  readonly format: SceneFormat;
  private readonly host: EntityHost;
  private readonly setup: SceneLoaderSetup;
  private readonly sources: SceneSources;
  private loaded: Loaded[] = [];
  private readonly cancelAll = new AbortController();
  /** Texts that were fetched ahead, by the requested name. */
  private readonly ahead = new Map<string, FetchedScene>();
  /** Files that changed since they were first fetched. */
  private readonly changed = new Map<string, string | SceneFile>();
  /** By the names that scenes and prefabs use: the files in which prefabs were found, and their texts. */
  private readonly prefabs = new Map<string, { readonly file: string; content: string | SceneFile }>();

  constructor(host: EntityHost, sources: SceneSources, setup: SceneLoaderSetup) {
    this.format = setup.format;
    this.host = host;
    this.setup = setup;
    this.sources = sources;
  }

  /** The loaded scenes, in the order of loading. */
  get scenes(): readonly Scene[] {
    return this.present.map(({ scene }) => scene);
  }

  /** The scenes that still have an entity. Undo may remove and restore them. */
  private get present(): readonly Loaded[] {
    return this.loaded.filter(({ scene, isEmpty }) => isEmpty || scene.roots().length > 0);
  }

  /** The loaded scene with that name, the latest if there are several. */
  find(name: string): Scene | undefined {
    return this.latest(name)?.scene;
  }

  /**
   * Fetches a scene with its prefabs and loads it: all of it, or nothing.
   * @throws UnknownSceneError, LoadFailedError, LoadCancelledError, SceneError; StoppedGameError
   */
  async load(name: string, options: LoadSceneOptions = {}): Promise<Scene> {
    this.expectLoad("load a scene", name, options, loadOptions);
    const { file, content, prefabs, files } = await this.fetchAll(name, "scene", options);
    this.setup.requireRunning(`load ${name}`);
    const { parent } = options;
    const scene = this.format.load(this.host.tree, content, {
      file,
      prefabs,
      ...(parent === undefined ? {} : { parent }),
    });
    const before = options.additive === true ? [] : this.loaded;
    this.loaded = [
      ...this.loaded.filter((entry) => !before.includes(entry)),
      { name, file, scene, isEmpty: scene.roots().length === 0, prefabs, files },
    ];
    for (const entry of before) entry.scene.destroy();
    return scene;
  }

  /** Fetches a prefab with those it uses, to make instances of it at any time. */
  async loadPrefab(
    name: string,
    options: Pick<LoadSceneOptions, "signal" | "onProgress"> = {},
  ): Promise<Prefab> {
    this.expectLoad("load a prefab", name, options, prefabOptions);
    const { file, content, prefabs } = await this.fetchAll(name, "prefab", options);
    return this.format.prefab(content, { file, prefabs });
  }

  /** Fetches the texts of a scene or prefab ahead, for the next load to use. */
  async fetch(name: string, signal: AbortSignal): Promise<LoadingFiles> {
    this.expectLoad("preload a scene", name, { signal }, prefabOptions);
    return { name, signal, ...(await this.fetchAll(name, "scene", { signal }, true)) };
  }

  /**
   * Destroys all entities of a loaded scene.
   * @throws UnknownSceneError when it is not loaded.
   */
  unload(scene: Scene | string): void {
    const found = this.latest(scene);
    if (found === undefined) {
      const name = typeof scene === "string" ? describeValue(scene) : "this scene";
      throw new UnknownSceneError(
        `Cannot unload ${name}: it is not loaded. ${suggest(
          scene,
          this.present.map((entry) => entry.name),
          "loaded scenes",
        )}`,
        { subject: name },
      );
    }
    this.loaded = this.loaded.filter((entry) => entry !== found);
    found.scene.destroy();
  }

  /**
   * Applies a changed file of a scene or prefab to everything that was loaded from it: scenes, instances created by code,
   * and `Prefab` objects. Changes by the game meanwhile stay. Returns the changes of each scene; an empty array when no
   * loaded scene uses the file. All or nothing.
   * @throws SceneError when the file is broken; nothing has changed then.
   */
  reload(file: string, content: string | SceneFile): ReloadSummary[] {
    expectArguments("reload a scene", ["its file", file, "text"]);
    const { present, prefabs, changed, format } = this;
    return this.setup.reload({ present, prefabs, changed, format, tree: this.host.tree }, file, content);
  }

  /** Cancels running loads. */
  close(): void {
    this.cancelAll.abort();
  }

  private expectLoad(doing: string, name: string, options: LoadSceneOptions, known: OptionKinds): void {
    expectArguments(doing, ["its name", name, "text"]);
    this.setup.requireRunning(`load ${name}`);
    checkOptions(this.host.tree.world.checks, doing, options, known);
    const { signal, onProgress } = options;
    if (signal !== undefined) expectArguments(doing, ["signal", signal, aSignal]);
    if (onProgress !== undefined) expectArguments(doing, ["onProgress", onProgress, "function"]);
  }

  private latest(wanted: Scene | string): Loaded | undefined {
    const fits = ({ scene, name, file }: Loaded) => scene === wanted || name === wanted || file === wanted;
    return [...this.present].reverse().find(fits);
  }

  private async fetchAll(
    name: string,
    what: "scene" | "prefab",
    options: Pick<LoadSceneOptions, "signal" | "onProgress">,
    isAhead = false,
  ): Promise<Pick<Loaded, "file" | "prefabs" | "files"> & { readonly content: string | SceneFile }> {
    const { signal, release } = anyAborted(this.cancelAll.signal, options.signal);
    let loaded = 0;
    let total = 1;
    const fetchOne = async (wanted: string, kind: "scene" | "prefab") => {
      if (signal.aborted) throw cancelled(name);
      const found = this.ahead.get(wanted);
      const fetched =
        found ??
        (await fetchScene(this.sources, wanted, kind, signal).catch((error: unknown) => {
          throw signal.aborted ? cancelled(name) : error;
        }));
      if (signal.aborted) throw cancelled(name);
      // Used once: a later load fetches it again, because it may have changed.
      if (isAhead) this.ahead.set(wanted, fetched);
      else this.ahead.delete(wanted);
      const newer = [...this.changed.keys()].find((file) => isSameFile(file, fetched.file));
      return newer === undefined
        ? fetched
        : { ...fetched, content: this.changed.get(newer) as string | SceneFile };
    };
    try {
      const { file, content } = await fetchOne(name, what);
      if (what === "prefab") this.prefabs.set(name, { file, content });
      // Without a prototype, because the keys are names from files.
      const prefabs: Record<string, string | SceneFile> = Object.create(null);
      const files: Record<string, string> = Object.create(null);
      const asked = new Set<string>();
      const progress = () => options.onProgress?.({ scene: name, loaded: ++loaded, total });
      let waiting = newNames(content, asked);
      total += waiting.length;
      progress();
      while (waiting.length > 0) {
        const texts = await Promise.all(waiting.map((wanted) => fetchOne(wanted, "prefab")));
        const next: string[] = [];
        texts.forEach(({ file: found, content: text }, k) => {
          prefabs[waiting[k] as string] = text;
          files[waiting[k] as string] = found;
          this.prefabs.set(waiting[k] as string, { file: found, content: text });
          next.push(...newNames(text, asked));
        });
        total += next.length;
        for (const _ of texts) progress();
        waiting = next;
      }
      if (signal.aborted) throw cancelled(name);
      if (!isAhead) await this.setup.prepare({ name, file, content, prefabs, signal });
      if (signal.aborted) throw cancelled(name);
      return { file, content, prefabs, files };
    } finally {
      release();
    }
  }
}

const prefabOptions: OptionKinds = { signal: "anything", onProgress: "anything" };
const loadOptions: OptionKinds = { ...prefabOptions, additive: "boolean", parent: "anything" };

function newNames(content: string | SceneFile, asked: Set<string>): string[] {
  const names = prefabNames(content).filter((name) => !asked.has(name));
  for (const name of names) asked.add(name);
  return names;
}

function cancelled(name: string): LoadCancelledError {
  return new LoadCancelledError(`Loading ${name} was cancelled. Nothing of it is in the world.`, {
    subject: name,
  });
}
