/**
 * Deferred edits of prefabs and copies: recorded on a command buffer and made at its flush.
 */
import type { Commands, Entity, EntityLike } from "../ecs/index.ts";
import { isBufferOf, type OptionKinds } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { refuseUse, requireInstanceOf, requireOptions, requireTree } from "./arguments.ts";
import { type CloneOptions, clone, cloneOptions } from "./copies/clone.ts";
import { type ReplaceOptions, replaceEntity, replaceOptions } from "./copies/replace-entity.ts";
import { shallowClone } from "./copies/shallow-clone.ts";
import { type ChangePrefabOptions, changePrefab, changePrefabOptions } from "./prefab/change-prefab.ts";
import { Instance } from "./prefab/instance.ts";
import { makeInstance } from "./prefab/make-instance.ts";
import { type InstantiateOptions, instanceOptions, Prefab } from "./prefab/prefab.ts";
import { unpackInstance } from "./prefab/unpack.ts";

/**
 * Records edits of prefabs and copies on `buffer`, for loops and systems in which entities cannot be created or moved. A command is skipped
 * when an entity it names is dead at the flush, and refused when the call would throw then; both are reported in the flush result.
 *
 * @throws SceneUseError for what is not a hierarchy or a command buffer.
 *
 * @example
 * ```ts
 * const format = createSceneFormat({ components: [] });
 * const spark = format.prefab(`{ "entities": [{ "id": "spark" }] }`, { file: "spark" });
 * const commands = createCommands(world);
 * const later = sceneCommands(tree, commands);
 * const torch = world.spawn();
 * later.instantiate(spark, { parent: torch });
 * tree.childCount(torch); // → 0
 * commands.flush();
 * tree.childCount(torch); // → 1
 * ```
 */
export function sceneCommands(tree: Hierarchy, buffer: Commands): SceneCommands {
  const doing = "record edits of a scene";
  requireTree(tree, doing);
  if (!isBufferOf(buffer, tree.world)) {
    throw refuseUse(
      doing,
      "the second argument is a command buffer of the same world: pass what createCommands() returned.",
    );
  }
  return new SceneCommands(tree, buffer);
}

/** Edits of prefabs and copies as commands: recorded now, made at the next flush. */
export class SceneCommands {
  private readonly tree: Hierarchy;
  private readonly buffer: Commands;

  /** @internal Use `sceneCommands(tree, buffer)`. */
  constructor(tree: Hierarchy, buffer: Commands) {
    this.tree = tree;
    this.buffer = buffer;
  }

  /** Records `prefab.instantiate`. */
  instantiate(prefab: Prefab, options?: InstantiateOptions): void {
    requireInstanceOf(prefab, Prefab, "a prefab", "record an instance");
    const own = this.own(options, "record an instance", instanceOptions);
    this.record("instantiate", besides(own), () => prefab.instantiate(this.tree, own));
  }

  /** Records `clone`. */
  clone(entity: EntityLike, options?: CloneOptions): void {
    const own = this.own(options, "record a copy", cloneOptions);
    this.record("clone", [entity, ...besides(own)], ([from]) => clone(this.tree, from as Entity, own));
  }

  /** Records `shallowClone`. */
  shallowClone(entity: EntityLike, options?: Omit<CloneOptions, "map">): void {
    const own = this.own(options, "record a copy", cloneOptions);
    this.record("shallowClone", [entity, ...besides(own)], ([from]) =>
      shallowClone(this.tree, from as Entity, own),
    );
  }

  /** Records `replaceEntity`. */
  replaceEntity(entity: EntityLike, replacement: EntityLike, options?: ReplaceOptions): void {
    const own = this.own(options, "record a replacement", replaceOptions);
    this.record("replaceEntity", [entity, replacement], ([from, to]) =>
      replaceEntity(this.tree, from as Entity, to as Entity, own),
    );
  }

  /** Records `makeInstance`. */
  makeInstance(entity: EntityLike, prefab: Prefab): void {
    requireInstanceOf(prefab, Prefab, "a prefab", "record an instance");
    this.record("makeInstance", [entity], ([root]) => makeInstance(this.tree, root as Entity, prefab));
  }

  /** Records `changePrefab`. */
  changePrefab(instance: Instance, prefab: Prefab, options?: ChangePrefabOptions): void {
    requireInstanceOf(instance, Instance, "an instance", "record another prefab");
    requireInstanceOf(prefab, Prefab, "a prefab", "record another prefab");
    const own = this.own(options, "record another prefab", changePrefabOptions);
    this.record("changePrefab", [instance.root], () => changePrefab(instance, prefab, own));
  }

  /** Records `unpackInstance`. */
  unpackInstance(root: EntityLike): void {
    this.record("unpackInstance", [root], ([entity]) => unpackInstance(this.tree, entity as Entity));
  }

  /** A copy, because the caller may change the object before the flush. Checked now, so that the error leads to the caller. */
  private own<Options extends object>(
    options: Options | undefined,
    doing: string,
    kinds: OptionKinds,
  ): Options {
    return { ...requireOptions(options, doing, kinds, this.tree.world.checks) };
  }

  private record(
    label: string,
    entities: readonly EntityLike[],
    edit: (entities: readonly Entity[]) => unknown,
  ): void {
    this.buffer.record({ label, entities, apply: (_, alive) => void edit(alive) });
  }
}

/** The entities that options name: they must live too. */
function besides({ parent, before, after }: Omit<CloneOptions, "map">): EntityLike[] {
  return [parent, before, after].filter((entity) => entity !== undefined && entity !== null);
}
