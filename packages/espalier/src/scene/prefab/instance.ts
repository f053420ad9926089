/**
 * An instance of a prefab in a world.
 */
import { type Entity, type EntityLike, formatEntity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireEntity, requireTree } from "../arguments.ts";
import type { ReloadSummary } from "../compare/reconcile.ts";
import { SceneUseError } from "../errors.ts";
import { type InstanceRecord, isMember, tablesOf } from "../tables.ts";
import { writeToolsOf } from "../write-tools.ts";
import type { Override } from "./overrides.ts";

/** An instance of a prefab. It stays one, whatever changes, until its root is destroyed. */
export class Instance {
  /** The hierarchy that the instance is in. */
  readonly tree: Hierarchy;
  /** The entity of the prefab's root. */
  readonly root: Entity;

  /** @internal Use `prefab.instantiate()` or `instanceOf()`. */
  constructor(tree: Hierarchy, root: Entity) {
    this.tree = tree;
    this.root = root;
  }

  /** The name of the prefab. */
  get prefab(): string {
    return this.record.reference;
  }

  /** @internal Whether it still is an instance. */
  get isThere(): boolean {
    return this.tree.world.isAlive(this.root) && tablesOf(this.tree).instances.get(this.root) !== undefined;
  }

  /** The entity that was made from the prefab's entity with that id; `undefined` when there is none, or no longer. */
  find(id: string): Entity | undefined {
    const { template, members } = this.record;
    const entity = members[template.byId.find(id) ?? -1];
    return entity !== undefined && this.tree.world.isAlive(entity) ? entity : undefined;
  }

  /** All differences of the instance from the prefab, in the order of the prefab. */
  overrides(): Override[] {
    return writeToolsOf(this.record.registry, "list overrides").overridesOf(this);
  }

  /**
   * Reverts overrides to the values of the prefab. Added entities are destroyed, removed ones created again. All
   * or nothing.
   *
   * @param overrides - One or some of `instance.overrides()`; all but those that are `own` if left out.
   */
  revert(overrides?: Override | readonly Override[]): ReloadSummary {
    return writeToolsOf(this.record.registry, "revert").revertOverrides(this, overrides);
  }

  // For the rest of the room ---------------------------------------------------------------------------------------------

  /** @internal */
  get record(): InstanceRecord {
    const record = tablesOf(this.tree).instances.get(this.root);
    if (record !== undefined && this.tree.world.isAlive(this.root)) return record;
    throw new SceneUseError(
      `Cannot use the instance ${formatEntity(this.root)}: it is no longer an instance of a prefab. Its root was destroyed, or its file has changed.`,
      "scene/invalid-use",
      { entities: [this.root] },
    );
  }

  /** @internal The ids of the prefab by entity, for living entities. */
  localIds(): Map<Entity, string> {
    const { members, template } = this.record;
    const ids = new Map<Entity, string>();
    members.forEach((member, k) => {
      if (this.tree.world.isAlive(member)) ids.set(member, template.nodes[k].id);
    });
    return ids;
  }
}

/**
 * The instance that an entity belongs to, as its root or as one of the prefab's entities; `undefined` if there is none.
 * Entities that were added to an instance do not belong to it.
 */
export function instanceOf(tree: Hierarchy, entity: EntityLike): Instance | undefined {
  requireTree(tree, "find an instance");
  const member = requireEntity(tree, entity, "find an instance");
  const { instances } = tablesOf(tree);
  if (instances.isEmpty) return undefined;
  for (const above of tree.ancestors(member, { includeSelf: true })) {
    const record = instances.get(above);
    if (record !== undefined && isMember(record, member)) return new Instance(tree, above);
  }
  return undefined;
}

/** All living instances of prefabs in a tree, in the order in which they were made. */
export function instancesIn(tree: Hierarchy): Instance[] {
  requireTree(tree, "list instances");
  return Array.from(tablesOf(tree).instances.entities(), (root) => new Instance(tree, root));
}
