/**
 * What scenes remember about the entities of a tree: which are instances of prefabs, and what lenient loading kept.
 *
 * It belongs to the tree, not to one scene, so that clones and whoever saves find it. Entries of dead entities are
 * swept when there are many; their handles are never given out again.
 */
import type { Entity, World } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import type { Kept, Template } from "./read/node.ts";
import type { Registry } from "./registry.ts";

/** One instance of a prefab in a world. */
export interface InstanceRecord {
  readonly registry: Registry;
  readonly template: Template;
  /** The name of the prefab as files write it. */
  readonly reference: string;
  readonly root: Entity;
  /** The entity made from each node of the template; 0 where the instance has none. */
  readonly members: readonly Entity[];
  /** The same as a set, once somebody has asked about a large one. */
  memberSet?: ReadonlySet<Entity>;
}

/** Whether an entity was made from the prefab of an instance. */
export function isMember(record: InstanceRecord, entity: Entity): boolean {
  const { members } = record;
  if (members.length < 50) return members.includes(entity);
  record.memberSet ??= new Set(members);
  return record.memberSet.has(entity);
}

export const noMember = 0 as Entity;

export interface SceneTables {
  /** By the root of the instance. */
  readonly instances: SweptMap<InstanceRecord>;
  readonly kept: SweptMap<Kept>;
}

/** A map by entity that forgets dead ones now and then. */
export class SweptMap<Value> extends Map<Entity, Value> {
  private readonly world: World;
  private sweepAt = 1024;

  constructor(world: World) {
    super();
    this.world = world;
  }

  override set(entity: Entity, value: Value): this {
    super.set(entity, value);
    if (this.size > this.sweepAt) {
      for (const key of this.keys()) if (!this.world.isAlive(key)) this.delete(key);
      this.sweepAt = Math.max(1024, this.size * 2);
    }
    return this;
  }
}

const attachment = "espalier/scene";

export function tablesOf(tree: Hierarchy): SceneTables {
  const { attachments } = tree.state;
  let byTree = attachments.get(attachment) as Map<Hierarchy, SceneTables> | undefined;
  if (byTree === undefined) attachments.set(attachment, (byTree = new Map()));
  let tables = byTree.get(tree);
  if (tables === undefined) {
    tables = { instances: new SweptMap(tree.world), kept: new SweptMap(tree.world) };
    byTree.set(tree, tables);
  }
  return tables;
}
