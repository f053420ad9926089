/**
 * Maps names to files: the sources of a game, the kinds of files that it uses, and what to load for a requested name.
 */
import { type AssetKind, type AssetNeed, expectArguments, nearestName } from "../../ecs/index.ts";
import type { AssetFailure } from "../errors.ts";
import type { Game } from "../game-api.ts";
import { failureAt } from "./asset-failures.ts";
import {
  addressBeside,
  chooseAddress,
  expectSource,
  findSource,
  kindOfAddress,
  resolveAddress,
} from "./asset-source.ts";
import type { Task, Wanted } from "./asset-task.ts";
import { fontKind, jsonKind, textureKind } from "./built-in-kinds.ts";
import type { AssetFileOptions, AssetSource, AssetSources } from "./game-assets.ts";

export class AssetCatalogue {
  private readonly game: Game;
  private readonly options: AssetFileOptions;
  private readonly sources = new Map<string, AssetSource>();
  /** Names inside of a file, such as sounds in a file of several, and the name of that file. */
  private readonly parts = new Map<string, string>();
  private knownKinds: ReadonlyMap<string, AssetKind> | undefined;

  constructor(game: Game, options: AssetFileOptions) {
    this.game = game;
    this.options = options;
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

  /** The name of the file that contains the asset with this name. */
  fileOf(name: string): string {
    return this.parts.get(name) ?? name;
  }

  /** The names inside of a file. */
  partsOf(file: string): string[] {
    return [...this.parts].filter(([, of]) => of === file).map(([part]) => part);
  }

  /** Computed once the parts and the renderer of the game exist. Kinds of parts come first. */
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

  /** What to load for a name; `undefined` when no file is needed; or the reason why it cannot be loaded. */
  taskOf(wanted: Wanted): Task | AssetFailure | undefined {
    const { kinds } = this;
    const name = this.fileOf(wanted.name);
    const given = this.sources.get(name);
    const refuse = (reason: string): AssetFailure => ({
      ...failureAt(wanted),
      reason,
      kind: wanted.kind ?? "",
    });
    let found = given === undefined ? undefined : findSource(given, kinds);
    if (given === undefined) {
      const own = wanted.kind === undefined ? undefined : kinds.get(wanted.kind);
      // Nothing in this game uses files of that kind: for example, a game without a renderer needs no pictures.
      if (wanted.kind !== undefined && own === undefined) return undefined;
      if (own?.has?.(name)) return undefined;
      // Addresses provided by a part are not relative to `base`.
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

  taskOfNeed({ name, address, wanted }: Task, need: AssetNeed): Task | undefined {
    const kind = this.kinds.get(need.kind);
    if (kind === undefined) return undefined;
    // An asset given as a value has no folder.
    const where =
      address === "" ? resolveAddress(need.address, this.options.base) : addressBeside(need.address, address);
    const source = { kind: need.kind, addresses: [where], options: {} };
    return { key: `${need.kind} ${name}`, name, kind, address: where, source, details: need.details, wanted };
  }
}
