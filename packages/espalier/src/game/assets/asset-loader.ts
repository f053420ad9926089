/**
 * The files of a running game: fetched all together, put to use when all of them are there, and freed.
 */
import {
  type AssetKind,
  type AssetNeed,
  checkOptions,
  expectArguments,
  type LoadedAsset,
  nearestName,
} from "../../ecs/index.ts";
import { type AssetUse, assetsOf, SceneError } from "../../scene/index.ts";
import { type AssetFailure, AssetLoadError, LoadCancelledError } from "../errors.ts";
import type { Game } from "../game-api.ts";
import type { LoadingFiles } from "../parts/part.ts";
import { anyAborted, aSignal } from "../scenes/signals.ts";
import { type AssetJob, AssetJobs } from "./asset-jobs.ts";
import { AssetProgressMeter } from "./asset-progress.ts";
import {
  addressBeside,
  chooseAddress,
  expectSource,
  type FoundSource,
  findSource,
  kindOfAddress,
  resolveAddress,
} from "./asset-source.ts";
import { fontKind, jsonKind, textureKind } from "./built-in-kinds.ts";
import { AssetFault, fetchAsset } from "./fetch-asset.ts";
import type {
  AssetFileOptions,
  AssetSetup,
  AssetSource,
  AssetSources,
  GameAssets,
  PreloadOptions,
} from "./game-assets.ts";
import { usedNames } from "./used-names.ts";

/** What is asked for: a name in a list, or what a field of an entity names. */
type Wanted = Pick<AssetUse, "name"> & Partial<AssetUse> & { readonly file?: string };

/** One file to be loaded. */
interface Task {
  readonly key: string;
  readonly name: string;
  readonly kind: AssetKind;
  readonly address: string;
  readonly source: FoundSource;
  readonly details?: unknown;
  readonly wanted: Wanted;
}

export class AssetLoader implements GameAssets {
  private readonly game: Game;
  private readonly setup: AssetSetup;
  private readonly options: AssetFileOptions;
  private readonly sources = new Map<string, AssetSource>();
  /** Names inside of a file, such as sounds in a file of several, and the name of that file. */
  private readonly parts = new Map<string, string>();
  /** By kind and name. */
  private readonly loaded = new Map<string, { readonly name: string; readonly asset: LoadedAsset }>();
  /** What was freed may not be used again, also by a load that found it before. */
  private readonly freed = new WeakSet<LoadedAsset>();
  private readonly jobs = new AssetJobs();
  private readonly cancelAll = new AbortController();
  private knownKinds: ReadonlyMap<string, AssetKind> | undefined;

  constructor(game: Game, sources: AssetSources, options: AssetFileOptions, setup: AssetSetup) {
    this.game = game;
    this.setup = setup;
    this.options = options;
    this.add(sources);
  }

  get names(): readonly string[] {
    return [...this.sources.keys()];
  }

  add(sources: AssetSources): void {
    expectArguments("add assets", ["the assets", sources, "object"]);
    const entries = Object.entries(sources);
    for (const [name, source] of entries) expectSource(name, source);
    for (const [name, source] of entries) {
      this.sources.set(name, source);
      const { parts } = Object(source) as { readonly parts?: unknown };
      for (const part of Object.keys(Object(parts))) this.parts.set(part, name);
    }
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  get(name: string): unknown {
    return this.find(name)?.asset.value;
  }

  private find(name: string): { readonly asset: LoadedAsset } | undefined {
    const file = this.parts.get(name) ?? name;
    // What a file needs, such as the picture of a sheet, comes after it.
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
      // Loading it will say what is wrong with the file.
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
    const partsOf = (file: string) => [...this.parts].filter(([, of]) => of === file).map(([part]) => part);
    const goes = (name: string) =>
      given?.includes(name) ?? ![name, ...partsOf(name)].some((each) => kept?.has(each));
    const gone = new Set<string>();
    // What was needed goes before what needed it.
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

  /** Known once the parts and the renderer of the game are there. Those of parts come first. */
  private get kinds(): ReadonlyMap<string, AssetKind> {
    if (this.knownKinds !== undefined) return this.knownKinds;
    const { parts, renderer } = this.game;
    const found = new Map<string, AssetKind>();
    const offers = [
      ...Object.values(parts).flatMap(({ assetKinds = [] }) => assetKinds),
      ...(this.options.kinds ?? []),
      ...(renderer?.textures === undefined ? [] : [textureKind(renderer.textures)]),
      fontKind(),
      jsonKind,
    ];
    for (const kind of offers) if (kind !== undefined && !found.has(kind.kind)) found.set(kind.kind, kind);
    this.knownKinds = found;
    return found;
  }

  /**
   * Loads everything that is not there yet, then puts all of it to use; when anything fails, nothing.
   *
   * @param read - What an earlier try has read.
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
        const needed = (asset.needs ?? []).flatMap((need) => this.taskOfNeed(task, need) ?? []);
        if (isNew) meter.finishFile();
        await Promise.all(needed.map(run));
      } catch (error) {
        if (signal.aborted) return;
        failures.push(failureOf(task, error));
      }
    };
    const tasks = wanted.flatMap((each) => {
      const found = this.taskOf(each);
      if (found === undefined || !("reason" in found)) return found ?? [];
      failures.push(found);
      return [];
    });
    await Promise.all(tasks.map(run));
    // What was unloaded while other files were on their way is read again.
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

  /** All of it, or nothing: what a part refuses takes the others back. */
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

  /** What to load for a name; nothing when no file is needed; or why that cannot be. */
  private taskOf(wanted: Wanted): Task | AssetFailure | undefined {
    const { kinds } = this;
    const name = this.parts.get(wanted.name) ?? wanted.name;
    const given = this.sources.get(name);
    const refuse = (reason: string): AssetFailure => ({
      ...placeOf(wanted),
      reason,
      kind: wanted.kind ?? "",
    });
    let found = given === undefined ? undefined : findSource(given, kinds);
    if (given === undefined) {
      const own = wanted.kind === undefined ? undefined : kinds.get(wanted.kind);
      // Nothing in this game uses files of that kind: one without a renderer needs no pictures.
      if (wanted.kind !== undefined && own === undefined) return undefined;
      if (own?.has?.(name)) return undefined;
      // Addresses that a part has by itself do not start from `base`.
      const known = own?.where?.(name)?.map((address) => resolveAddress(address, undefined));
      const addresses = known ?? [name];
      const kind = known === undefined ? kindOfAddress(name, kinds) : own?.kind;
      if (kind === undefined)
        return refuse(
          `there is no asset with that name, and it is not the address of a file. ${nearestName(name, this.names)}`,
        );
      found = { kind, addresses, options: {} };
    }
    if (found === undefined)
      return refuse(
        `nothing in this game loads such files (${[...kinds.keys()].join(", ")}). Give the kind as a key: { texture: "…" }, or add the part that loads it`,
      );
    const kind = kinds.get(found.kind);
    if (kind === undefined) return undefined;
    const serves = [kind.kind, ...(kind.serves ?? [])];
    if (wanted.kind !== undefined && !serves.includes(wanted.kind))
      return refuse(
        `it is listed as ${kind.kind}, and ${wanted.component}.${wanted.field} names a ${wanted.kind}`,
      );
    if (found.addresses.length === 0 && found.value === undefined && kind.fetch !== "none")
      return refuse("its source has neither an address nor a value");
    const chosen = found.addresses.length === 0 ? "" : chooseAddress(found.addresses, kind);
    return {
      key: `${kind.kind} ${name}`,
      name,
      kind,
      address: chosen === "" ? "" : resolveAddress(chosen, this.options.base),
      source: found,
      wanted,
    };
  }

  private taskOfNeed({ name, address, wanted }: Task, need: AssetNeed): Task | undefined {
    const kind = this.kinds.get(need.kind);
    if (kind === undefined) return undefined;
    // What was given as a value stands in no folder.
    const where =
      address === "" ? resolveAddress(need.address, this.options.base) : addressBeside(need.address, address);
    const source = { kind: need.kind, addresses: [where], options: {} };
    return { key: `${need.kind} ${name}`, name, kind, address: where, source, details: need.details, wanted };
  }
}

function placeOf({ name, path, file, component, field }: Wanted): Omit<AssetFailure, "reason" | "kind"> {
  return {
    name,
    address: undefined,
    status: undefined,
    path,
    file,
    field: component === undefined ? undefined : `${component}.${field}`,
    cause: undefined,
  };
}

function failureOf({ kind, address, wanted }: Task, error: unknown): AssetFailure {
  return {
    ...placeOf(wanted),
    kind: kind.kind,
    address: address === "" ? undefined : address,
    status: error instanceof AssetFault ? error.status : undefined,
    reason: error instanceof Error ? error.message : String(error),
    cause: error,
  };
}

/** How many failures a message shows; `failures` has all. */
const shown = 20;

function messageOf(label: string, failures: readonly AssetFailure[]): string {
  const lines = failures.slice(0, shown).map(({ name, address, reason, path, file, field }) => {
    const where = address === undefined || address === name ? "" : ` (${address})`;
    const need = path === undefined ? "" : `; ${path} needs it as ${field}, in ${file}`;
    return `\n  ${name}${where}: ${reason.replace(/\.$/, "")}${need}`;
  });
  if (failures.length > shown) lines.push(`\n  … and ${failures.length - shown} more`);
  const count = failures.length === 1 ? "a file is" : `${failures.length} files are`;
  return `Cannot load ${label}: ${count} missing or broken, and nothing is in use. retry() of this error loads the rest.${lines.join("")}\n `;
}
