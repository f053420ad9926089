/**
 * A scene in a world: which entities belong to it, their ids, and how it is saved and reloaded.
 */
import { describeValue, type Entity, type EntityLike, formatEntity, handleOf } from "../ecs/index.ts";
import { DEVELOPMENT, destroyEach, isHandle, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { inTreeOrder } from "./among-siblings.ts";
import { requireEntity } from "./arguments.ts";
import { checkScene } from "./check-scene.ts";
import type { ReloadSummary } from "./compare/reconcile.ts";
import type { ReloadOptions } from "./compare/reload-scene.ts";
import { type SceneProblem, SceneUseError } from "./errors.ts";
import type { SceneFile } from "./file.ts";
import type { Json } from "./json/json.ts";
import type { ReadOptions, ReadResult } from "./read/load.ts";
import { suggest } from "./read/nearest.ts";
import type { Registry } from "./registry.ts";
import type { Origin } from "./scene-parts.ts";
import { MemberIds } from "./write/member-ids.ts";
import type { SaveOptions } from "./write/write.ts";
import { writeToolsOf } from "./write-tools.ts";

/** Entities with ids, loaded from a file or added one by one. Everything below them belongs to the scene too. */
export class Scene {
  /** The hierarchy whose entities belong to the scene. */
  readonly tree: Hierarchy;
  /** The problems that lenient loading found. */
  readonly problems: readonly SceneProblem[];
  /** @internal */
  readonly registry: Registry;
  /** @internal */
  readonly options: ReadOptions;
  /** The number that identifies the scene in its world; the same in a snapshot of the world. */
  readonly key: number;
  /** @internal */
  readonly ids: MemberIds;
  /** @internal The parent of its roots. */
  readonly parent: Entity | null;
  /** @internal Keys of its file that saving writes again. */
  keys: { readonly [key: string]: Json } = {};
  /** @internal What it was last loaded from, reloaded from or saved as; `undefined` for a scene without a file. */
  origin: Origin | undefined;

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
    if (DEVELOPMENT) checkScene(this);
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

  /** The living entity with that id, or `undefined`. `"tank/turret"` is the entity `turret` of the instance `tank`. */
  find(id: string): Entity | undefined {
    return this.ids.entity(id);
  }

  /**
   * The living entity with that id.
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
    // The usual case, found without visiting every entity: all of the tree is in the scene.
    const all = [...this.tree.roots()];
    if (all.every((root) => this.ids.of(root) !== undefined)) return all;
    const tops = new Set<Entity>();
    /** Entities without an ancestor in the scene. */
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
   * Adds an entity, with everything below it, to the scene. Descendants of an entity of the scene belong to it
   * already.
   *
   * @param id - Generated from its name if left out.
   * @throws SceneUseError `scene/invalid-use` when the id cannot be used or is taken.
   */
  add(entity: EntityLike, id?: string): string {
    entity = requireEntity(this.tree, entity, "add to the scene");
    if (id === undefined) {
      const own = this.ids.of(entity);
      if (own !== undefined) return own;
      const name = this.tree.nameOf(entity);
      // What belongs to the scene already only gets an id, which is not an edit.
      return this.isBelowOther(entity, new Set([null]))
        ? this.ids.generate(entity, name)
        : this.ids.enter(entity, name);
    }
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
    // One call, because references may forbid destroying one root before another. Children first, as in every destroy.
    destroyEach(stateOf(tree.world), all.reverse());
  }

  // Files ----------------------------------------------------------------------------------------------------------------

  /**
   * The scene as text: flat, parents first, siblings in their order. Entities without id get one and keep it.
   * @throws SceneError listing everything that cannot be written.
   */
  save(options: SaveOptions = {}): string {
    return writeToolsOf(this.registry, "save the scene").saveScene(this, options);
  }

  /** @internal The text or value of `origin`. */
  get source(): string | SceneFile | undefined {
    return this.origin?.input;
  }

  /** @internal Returns a function that restores what it knows of its file, for a reload of several files that fails midway. */
  remember(): () => void {
    const { origin, keys } = this;
    return () => {
      this.origin = origin;
      this.keys = keys;
    };
  }

  /** The scene as a value, as `save` would write it. */
  toFile(options: SaveOptions = {}): SceneFile {
    return writeToolsOf(this.registry, "write the scene").sceneToFile(this, options);
  }

  /**
   * Loads a changed file into the running world. Entities keep their identity by id: those that are in both forms are
   * changed, the others created and destroyed. All or nothing.
   *
   * @throws SceneError when the file is broken; nothing has changed then.
   */
  reload(input: string | SceneFile, options: ReloadOptions = {}): ReloadSummary {
    return writeToolsOf(this.registry, "reload the scene").reloadScene(this, input, options);
  }
}
