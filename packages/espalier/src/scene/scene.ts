/**
 * A scene in a world: which entities belong to it, by which ids, and how it is saved and loaded again.
 */
import {
  describeValue,
  type Entity,
  type EntityLike,
  type Finding,
  formatEntity,
  handleOf,
} from "../ecs/index.ts";
import { destroyEach, isHandle, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { inTreeOrder } from "./among-siblings.ts";
import { requireEntity, requireOptions } from "./arguments.ts";
import type { ReloadSummary } from "./compare/reconcile.ts";
import { type SceneProblem, SceneUseError } from "./errors.ts";
import type { SceneFile } from "./file.ts";
import type { Json } from "./json/json.ts";
import {
  type ReadOptions,
  type ReadResult,
  readOptions,
  readScene,
  requireReading,
  requireScene,
} from "./read/load.ts";
import { suggest } from "./read/nearest.ts";
import type { Template } from "./read/node.ts";
import type { Prefabs } from "./read/prefab-source.ts";
import type { Registry } from "./registry.ts";
import { checkScene, type InstanceRecord, tablesOf } from "./tables.ts";
import { MemberIds } from "./write/member-ids.ts";
import { type SaveOptions, saveOptions, type WriteInput } from "./write/write.ts";
import { writeToolsOf } from "./write-tools.ts";

/** Options of `reload`. */
export interface ReloadOptions extends ReadOptions {
  /**
   * `"changes"` (the default) carries over what changed in the file since it was loaded or saved last; what the game
   * did meanwhile stays. `"reset"` makes every entity say what the file says, as if it were loaded again.
   */
  readonly mode?: "changes" | "reset";
}

/** What a scene was made from, to find out later what changed. */
interface Origin {
  readonly input: string | SceneFile;
  readonly prefabs: Prefabs;
  /** The prefabs that its instances followed when it was saved, by the names that the text has for them. */
  readonly followed?: ReadonlyMap<string, Template>;
}

/** Entities with ids, loaded from a file or taken in one by one. Everything below them belongs to the scene too. */
export class Scene {
  /** The hierarchy whose entities belong to the scene. */
  readonly tree: Hierarchy;
  /** What lenient loading complained about. */
  readonly problems: readonly SceneProblem[];
  /** @internal */
  readonly registry: Registry;
  /** @internal */
  readonly options: ReadOptions;
  /** The number that identifies the scene in its world; the same in a snapshot of the world. */
  readonly key: number;
  private readonly ids: MemberIds;
  /** @internal What its roots were put under. */
  readonly parent: Entity | null;
  private keys: { readonly [key: string]: Json } = {};
  private origin: Origin | undefined;

  /** @internal Use `format.load()` or `format.createScene()`. */
  constructor(
    tree: Hierarchy,
    registry: Registry,
    options: ReadOptions,
    parent: Entity | null,
    problems: readonly SceneProblem[],
    key: number,
  ) {
    this.tree = tree;
    this.registry = registry;
    this.options = options;
    this.parent = parent;
    this.problems = problems;
    this.key = key;
    this.ids = new MemberIds(tree.world, key);
    checkScene(tree.world, this);
  }

  /** @internal Takes over what was loaded. */
  adopt(entities: readonly Entity[], result: ReadResult, input: string | SceneFile): void {
    const { draft, prefabs } = result;
    if (draft === undefined) return;
    this.ids.takeOver(draft, entities);
    this.keys = draft.keys;
    this.origin = { input, prefabs };
  }

  // Entities -------------------------------------------------------------------------------------------------------------

  /** The living entity of that id, or `undefined`. `"tank/turret"` is the entity `turret` of the instance `tank`. */
  find(id: string): Entity | undefined {
    return this.ids.entity(id);
  }

  /**
   * The living entity of that id.
   * @throws SceneUseError `scene/unknown-id`
   */
  entity(id: string): Entity {
    const entity = this.ids.entity(id);
    if (entity !== undefined) return entity;
    throw new SceneUseError(
      `Cannot find entity ${describeValue(id)}: it is not in the scene, or was destroyed. ${
        typeof id === "string"
          ? suggest(
              id,
              Array.from(this.ids.entities(), (other) => this.ids.of(other) as string),
              "ids",
            )
          : "An id is a string."
      }`,
      "scene/unknown-id",
      { value: id },
    );
  }

  /** The id of an entity. Entities created while the game runs have none before the scene is saved. */
  idOf(entity: EntityLike): string | undefined {
    const handle = handleOf(this.tree.world, entity);
    return isHandle(handle) ? this.ids.of(handle) : undefined;
  }

  /** The entities of the scene that have no parent in it, in tree order. */
  roots(): Entity[] {
    // The usual case, found without a look at every entity: all that is in the tree is in the scene.
    const all = [...this.tree.roots()];
    if (all.every((root) => this.ids.of(root) !== undefined)) return all;
    const tops = new Set<Entity>();
    /** What has nothing of the scene above it. */
    const clear = new Set<Entity | null>([null]);
    for (const entity of this.ids.entities()) if (!this.isBelowOther(entity, clear)) tops.add(entity);
    return inTreeOrder(this.tree, tops);
  }

  private isBelowOther(entity: Entity, clear: Set<Entity | null>): boolean {
    const walked: Entity[] = [];
    for (let up = this.tree.parentOf(entity); !clear.has(up); up = this.tree.parentOf(up as Entity)) {
      if (this.ids.of(up as Entity) !== undefined) return true;
      walked.push(up as Entity);
    }
    for (const above of walked) clear.add(above);
    return false;
  }

  /**
   * Takes an entity, with everything below it, into the scene. What is below an entity of the scene belongs to it
   * already.
   *
   * @param id - Generated from its name if left out.
   * @throws SceneUseError `scene/invalid-use` when the id cannot be used or is taken.
   */
  add(entity: EntityLike, id?: string): string {
    entity = requireEntity(this.tree, entity, "add to the scene");
    if (id === undefined) return this.ids.of(entity) ?? this.ids.generate(entity, this.tree.nameOf(entity));
    const other = typeof id === "string" ? this.ids.entity(id) : undefined;
    const why =
      typeof id !== "string" || id === "" || id.includes("/")
        ? 'an id is a string that is not empty and has no "/"'
        : other !== undefined && other !== entity
          ? `${this.tree.label(other)} has it`
          : undefined;
    if (why !== undefined) {
      throw new SceneUseError(
        `Cannot give ${formatEntity(entity)} the id ${describeValue(id)}: ${why}. Choose another, or leave it out.`,
        "scene/invalid-use",
        { entities: [entity], value: id },
      );
    }
    this.ids.set(entity, id);
    return id;
  }

  /** @internal For the self-test: ids that do not lead to the entity that has them. */
  *wrongIds(): IterableIterator<Finding> {
    const code = "scene/inconsistent";
    for (const entity of this.ids.entities()) {
      const id = this.ids.of(entity) as string;
      const found = this.ids.entity(id);
      if (found === entity) continue;
      const where = found === undefined ? "no entity" : this.tree.label(found);
      yield {
        code,
        entity,
        message: `${this.tree.label(entity)} has the id ${describeValue(id)}, which leads to ${where}`,
      };
    }
  }

  /** @internal `add` with an id that is known to be right. */
  take(entity: Entity, id: string): void {
    this.ids.set(entity, id);
  }

  /** Destroys all entities of the scene, with everything below them. */
  destroy(): void {
    const { tree } = this;
    const all: Entity[] = [];
    for (const root of this.roots()) {
      all.push(root);
      for (const entity of tree.descendants(root)) all.push(entity);
    }
    // One call: roots may refuse to lose each other. Children first, as in every destroy.
    destroyEach(stateOf(tree.world), all.reverse());
  }

  // Files ----------------------------------------------------------------------------------------------------------------

  /**
   * The scene as text: flat, parents first, siblings in their order. Entities without id get one and keep it.
   * @throws SceneError listing everything that cannot be written.
   */
  save(options: SaveOptions = {}): string {
    const { printWorld } = writeToolsOf(this.registry, "save the scene");
    const text = printWorld(this.writeInput(requireSaving(this, options, "save the scene")));
    return this.saved(text);
  }

  /** @internal See `saveInSlices`. */
  saving(options: SaveOptions): Generator<number, string> {
    const { printWorldInSlices } = writeToolsOf(this.registry, "save the scene");
    return printWorldInSlices(this.writeInput(requireSaving(this, options, "save the scene")));
  }

  /** @internal Remembers a text as what it was saved as last. */
  saved(text: string): string {
    const prefabs = this.origin?.prefabs ?? this.options.prefabs ?? {};
    this.origin = { input: text, prefabs, followed: this.followedPrefabs() };
    return text;
  }

  private followedPrefabs(): Map<string, Template> {
    const followed = new Map<string, Template>();
    const { instances } = tablesOf(this.tree);
    for (const entity of instances.entities()) {
      const { reference, template } = instances.get(entity) as InstanceRecord;
      if (this.ids.of(entity) !== undefined && !followed.has(reference)) followed.set(reference, template);
    }
    return followed;
  }

  /** @internal What it was loaded from, reloaded from or saved as last; nothing for one that was put together. */
  get source(): string | SceneFile | undefined {
    return this.origin?.input;
  }

  /** @internal Gives back what it remembers of its file, for a reload of several files that fails half-way. */
  remember(): () => void {
    const { origin, keys } = this;
    return () => {
      this.origin = origin;
      this.keys = keys;
    };
  }

  /** The scene as a value, as `save` would write it. */
  toFile(options: SaveOptions = {}): SceneFile {
    const { writeScene } = writeToolsOf(this.registry, "write the scene");
    return writeScene(this.writeInput(requireSaving(this, options, "write the scene")));
  }

  private writeInput(options: SaveOptions): WriteInput {
    return {
      tree: this.tree,
      registry: this.registry,
      ids: this.ids,
      tops: this.roots(),
      keys: this.keys,
      doing: `save ${this.options.file ?? "the scene"}`,
      options,
    };
  }

  /**
   * Loads a changed file into the running world. Entities keep their identity by id: those that are in both forms are
   * changed, the others created and destroyed. All or nothing.
   *
   * @throws SceneError when the file is broken; nothing has changed then.
   */
  reload(input: string | SceneFile, options: ReloadOptions = {}): ReloadSummary {
    const { reconcile } = writeToolsOf(this.registry, "reload the scene");
    const kinds = { ...readOptions, mode: ["changes", "reset"] } as const;
    const all: ReloadOptions = {
      ...this.options,
      ...requireReading(options, "reload the scene", kinds, this.tree.world.checks),
    };
    const result = readScene(this.registry, input, all);
    const after = requireScene(result, all, "reload");
    const reset = all.mode === "reset" || this.origin === undefined;
    const draft = reset ? undefined : this.readOrigin(all);
    const entities = this.ids.follow(after);
    const summary = reconcile({
      tree: this.tree,
      before: draft && { draft, find: this.ids.amongOthers(draft) },
      after,
      entities,
      parent: this.parent,
      doomed: reset ? this.strangers(new Set(entities)) : new Map(),
      keepRoots: false,
      scene: this.key,
    });
    this.keys = after.keys;
    this.origin = { input, prefabs: result.prefabs };
    return summary;
  }

  private readOrigin(options: ReadOptions) {
    const { input, prefabs, followed = new Map() } = this.origin as Origin;
    const read = { ...options, prefabs, lenient: true };
    return readScene(this.registry, input, read, { given: followed }).draft;
  }

  /** Entities of the scene that are none of `known`, with their ids. */
  private strangers(known: ReadonlySet<Entity | undefined>): Map<Entity, string | undefined> {
    const found = new Map<Entity, string | undefined>();
    for (const root of this.roots()) {
      for (const entity of this.tree.descendants(root, { includeSelf: true })) {
        if (!known.has(entity)) found.set(entity, this.ids.of(entity));
      }
    }
    return found;
  }
}

function requireSaving({ tree }: Scene, options: SaveOptions, doing: string): SaveOptions {
  return requireOptions(options, doing, saveOptions, tree.world.checks);
}
