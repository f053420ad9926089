/**
 * What scenes remember about the entities of a tree: which are instances of prefabs, and what lenient loading kept.
 *
 * It belongs to the tree, not to one scene, so that clones and whoever saves find it. Entries of dead entities are
 * swept when there are many; their handles are never given out again.
 */
import { type Entity, type Owner, type Tag, tag, type World } from "../ecs/index.ts";
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
  readonly instances: InstanceMap;
  readonly kept: SweptMap<Kept>;
}

/** A map by entity that forgets dead ones now and then. */
export class SweptMap<Value> extends Map<Entity, Value> {
  protected readonly world: World;
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

/**
 * Marks the root of an instance that was unpacked. A component, and not an entry that is deleted, because what is in the
 * world is undone and redone with the rest.
 */
export const Unpacked: Tag = /* @__PURE__ */ tag("Unpacked", { reserved: "unpackInstance()" });

/** Who may write `Unpacked` in a world. */
// biome-ignore lint/complexity/noBannedTypes: the schema of a tag
export function unpackedOwner(world: World): Owner<{}> {
  let owner = world.attachments.get(unpackedAttachment);
  if (owner === undefined) world.attachments.set(unpackedAttachment, (owner = world.claim(Unpacked)));
  // biome-ignore lint/complexity/noBannedTypes: the schema of a tag
  return owner as Owner<{}>;
}

const unpackedAttachment = "espalier/scene/unpacked";

/** The instances of a tree. One that was unpacked is none, until undo brings it back. */
export class InstanceMap extends SweptMap<InstanceRecord> {
  override get(root: Entity): InstanceRecord | undefined {
    const record = super.get(root);
    if (record === undefined || !this.isUnpacked(root)) return record;
    return undefined;
  }

  override set(root: Entity, record: InstanceRecord): this {
    if (this.isUnpacked(root)) unpackedOwner(this.world).remove(root);
    return super.set(root, record);
  }

  private isUnpacked(root: Entity): boolean {
    const { world } = this;
    return world.attachments.has(unpackedAttachment) && world.isAlive(root) && world.has(root, Unpacked);
  }
}

const attachment = "espalier/scene";

export function tablesOf(tree: Hierarchy): SceneTables {
  const { attachments } = tree.world;
  let byTree = attachments.get(attachment) as Map<Hierarchy, SceneTables> | undefined;
  if (byTree === undefined) attachments.set(attachment, (byTree = new Map()));
  let tables = byTree.get(tree);
  if (tables === undefined) {
    tables = { instances: new InstanceMap(tree.world), kept: new SweptMap(tree.world) };
    byTree.set(tree, tables);
  }
  return tables;
}
