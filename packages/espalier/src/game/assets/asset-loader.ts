/**
 * The files of a running game: fetched together, put into use when all have arrived, and freed.
 */
import { checkOptions, expectArguments, type LoadedAsset } from "../../ecs/index.ts";
import { assetsOf, SceneError } from "../../scene/index.ts";
import { type AssetFailure, AssetLoadError, LoadCancelledError } from "../errors.ts";
import type { Game } from "../game-api.ts";
import type { LoadingFiles } from "../parts/part.ts";
import { anyAborted, aSignal } from "../scenes/signals.ts";
import { AssetCatalogue } from "./asset-catalogue.ts";
import { failureOf, messageOf } from "./asset-failures.ts";
import { type AssetJob, AssetJobs } from "./asset-jobs.ts";
import { AssetProgressMeter } from "./asset-progress.ts";
import type { Task, Wanted } from "./asset-task.ts";
import { fetchAsset } from "./fetch-asset.ts";
import type {
  AssetFileOptions,
  AssetSetup,
  AssetSources,
  GameAssets,
  PreloadOptions,
} from "./game-assets.ts";
import { usedNames } from "./used-names.ts";

export class AssetLoader implements GameAssets {
  private readonly game: Game;
  private readonly setup: AssetSetup;
  private readonly options: AssetFileOptions;
  private readonly catalogue: AssetCatalogue;
  /** By kind and name. */
  private readonly loaded = new Map<string, { readonly name: string; readonly asset: LoadedAsset }>();
  /** Freed assets must not be used again, not even by a load that found them before. */
  private readonly freed = new WeakSet<LoadedAsset>();
  private readonly jobs = new AssetJobs();
  private readonly cancelAll = new AbortController();

  constructor(game: Game, sources: AssetSources, options: AssetFileOptions, setup: AssetSetup) {
    this.game = game;
    this.setup = setup;
    this.options = options;
    this.catalogue = new AssetCatalogue(game, options);
    this.add(sources);
  }

  get names(): readonly string[] {
    return this.catalogue.names;
  }

  add(sources: AssetSources): void {
    this.catalogue.add(sources);
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  get(name: string): unknown {
    return this.find(name)?.asset.value;
  }

  private find(name: string): { readonly asset: LoadedAsset } | undefined {
    const file = this.catalogue.fileOf(name);
    // Dependencies of a file, such as the picture of a sheet, come after it.
    for (const entry of this.loaded.values()) if (entry.name === file) return entry;
    return undefined;
  }

  async preload(what?: string | readonly string[], options: PreloadOptions = {}): Promise<void> {
    const doing = "preload assets";
    this.setup.requireRunning(doing);
    if (what !== undefined && typeof what !== "string") {
      expectArguments(doing, ["what is loaded", what, "list"]);
      for (const name of what) expectArguments(doing, ["a name", name, "text"]);
    }
    checkOptions(this.game.world.checks, doing, options, { signal: "anything", onProgress: "function" });
    if (options.signal !== undefined) expectArguments(doing, ["signal", options.signal, aSignal]);
    const meter = new AssetProgressMeter(options.onProgress);
    const label = typeof what === "string" ? what : "assets";
    const { signal, release } = anyAborted(this.cancelAll.signal, options.signal);
    try {
      let wanted: readonly Wanted[];
      if (typeof what === "string") {
        meter.addFile();
        const files = await this.setup.filesOf(what, signal);
        wanted = this.usesIn(files);
        meter.finishFile();
      } else wanted = (what ?? this.names).map((name) => ({ name }));
      await this.loadAll(label, wanted, new Map(), meter, signal);
    } finally {
      release();
    }
  }

  async prepare(files: LoadingFiles): Promise<void> {
    let wanted: readonly Wanted[];
    try {
      wanted = this.usesIn(files);
    } catch (error) {
      // Loading will report what is wrong with the file.
      if (error instanceof SceneError) return;
      throw error;
    }
    const { signal, release } = anyAborted(this.cancelAll.signal, files.signal);
    try {
      await this.loadAll(files.name, wanted, new Map(), new AssetProgressMeter(undefined), signal);
    } finally {
      release();
    }
  }

  unload(names?: string | readonly string[]): string[] {
    const given = typeof names === "string" ? [names] : names;
    if (given !== undefined) expectArguments("unload assets", ["what is unloaded", given, "list"]);
    const kept = given === undefined ? usedNames(this.game.world) : undefined;
    const partsOf = (file: string) => this.catalogue.partsOf(file);
    const goes = (name: string) =>
      given?.includes(name) ?? ![name, ...partsOf(name)].some((each) => kept?.has(each));
    const gone = new Set<string>();
    // Dependencies are freed before the files that need them.
    for (const [key, { name, asset }] of [...this.loaded].reverse()) {
      if (!goes(name)) continue;
      this.loaded.delete(key);
      gone.add(name);
      this.free(asset);
    }
    return [...gone].reverse();
  }

  close(): void {
    this.cancelAll.abort();
    this.unload([...this.loaded.values()].map(({ name }) => name));
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private usesIn({ content, file, prefabs }: LoadingFiles): readonly Wanted[] {
    return assetsOf(content, this.game.format, { file, prefabs }).map((use) => ({ ...use, file }));
  }

  /**
   * Loads all missing files, then puts all of them into use; if anything fails, none.
   *
   * @param read - The files that an earlier attempt has read.
   * @throws AssetLoadError, LoadCancelledError
   */
  private async loadAll(
    label: string,
    wanted: readonly Wanted[],
    read: Map<string, { readonly name: string; readonly asset: LoadedAsset }>,
    meter: AssetProgressMeter,
    signal: AbortSignal,
  ): Promise<void> {
    const failures: AssetFailure[] = [];
    const started = new Set<string>();
    const counted = new Set<string>();
    const run = async (task: Task): Promise<void> => {
      const { key, name } = task;
      if (started.has(key)) return;
      started.add(key);
      const isNew = !counted.has(key);
      counted.add(key);
      if (isNew) meter.addFile();
      try {
        const asset =
          [this.loaded.get(key), read.get(key)].find(
            (each) => each !== undefined && !this.freed.has(each.asset),
          )?.asset ?? (await this.read(task, meter, signal));
        read.set(key, { name, asset });
        const needed = (asset.needs ?? []).flatMap((need) => this.catalogue.taskOfNeed(task, need) ?? []);
        if (isNew) meter.finishFile();
        await Promise.all(needed.map(run));
      } catch (error) {
        if (signal.aborted) return;
        failures.push(failureOf(task, error));
      }
    };
    const tasks = wanted.flatMap((each) => {
      const found = this.catalogue.taskOf(each);
      if (found === undefined || !("reason" in found)) return found ?? [];
      failures.push(found);
      return [];
    });
    await Promise.all(tasks.map(run));
    // Files that were unloaded while others were loading are read again.
    while (!signal.aborted && failures.length === 0 && this.hasFreed(read)) {
      started.clear();
      await Promise.all(tasks.map(run));
    }
    if (signal.aborted)
      throw new LoadCancelledError(`Loading ${label} was cancelled. Nothing of it is in use.`, {
        subject: label,
      });
    if (failures.length > 0)
      throw new AssetLoadError(messageOf(label, failures), { failures }, (given) =>
        this.tryAgain(label, wanted, read, given),
      );
    this.commit(read);
    meter.end();
  }

  private hasFreed(read: ReadonlyMap<string, { readonly asset: LoadedAsset }>): boolean {
    return [...read.values()].some(({ asset }) => this.freed.has(asset));
  }

  private async tryAgain(
    label: string,
    wanted: readonly Wanted[],
    read: Map<string, { readonly name: string; readonly asset: LoadedAsset }>,
    options: PreloadOptions = {},
  ): Promise<void> {
    this.setup.requireRunning("preload assets");
    const { signal, release } = anyAborted(this.cancelAll.signal, options.signal);
    try {
      await this.loadAll(label, wanted, read, new AssetProgressMeter(options.onProgress), signal);
    } finally {
      release();
    }
  }

  /** All or nothing: if a part refuses one file, the others are removed again. */
  private commit(read: ReadonlyMap<string, { readonly name: string; readonly asset: LoadedAsset }>): void {
    const used: string[] = [];
    try {
      for (const [key, entry] of read) {
        if (this.loaded.has(key)) continue;
        entry.asset.use?.();
        this.loaded.set(key, entry);
        used.push(key);
      }
    } catch (error) {
      for (const key of used.reverse()) {
        const { asset } = this.loaded.get(key)!;
        this.loaded.delete(key);
        this.free(asset);
      }
      throw error;
    }
  }

  private free(asset: LoadedAsset): void {
    this.freed.add(asset);
    asset.free?.();
  }

  private async read(task: Task, meter: AssetProgressMeter, signal: AbortSignal): Promise<LoadedAsset> {
    const job = this.jobs.join(task.key, (begun) => this.start(task, begun));
    const endMeter = meter.watch(job);
    const left = new Promise<never>((_, refuse) => {
      const leave = () => refuse(signal.reason);
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
      void job.result.finally(() => signal.removeEventListener("abort", leave)).catch(() => {});
    });
    try {
      return await Promise.race([job.result, left]);
    } finally {
      endMeter();
      this.jobs.leave(task.key, job);
    }
  }

  private async start(task: Task, job: AssetJob): Promise<LoadedAsset> {
    const { name, kind, address, source, details } = task;
    const isFetched = source.value === undefined && kind.fetch !== "none";
    const blob = isFetched
      ? await fetchAsset(address, job, {
          signal: job.signal,
          method: kind.fetch === "head" ? "HEAD" : "GET",
          fetch: this.options.fetch ?? ((where, given) => globalThis.fetch(where, given)),
          changed() {
            for (const listener of job.listeners) listener();
          },
        })
      : undefined;
    return kind.read({ name, address, blob, value: source.value, details, options: source.options });
  }
}
