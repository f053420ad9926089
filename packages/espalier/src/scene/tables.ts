/**
 * What scenes remember about the entities of a tree and no component can hold: which prefab an instance was made from, and
 * what lenient loading kept.
 *
 * It belongs to the tree, not to one scene, so that clones and whoever saves find it. The entity has the number of its entry
 * in `SceneMember`: an entity that undo takes away and brings back has it again, and another one that gets the same handle
 * meanwhile has it not.
 */
import type { Entity, Finding, World } from "../ecs/index.ts";
import { DEVELOPMENT, provideCheck, stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { memberOf, noteMember } from "./member.ts";
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
  /** The ids that its entities have by that of the root, once they were noted. Ids deep inside are long: they are kept to be the same texts. */
  noted?: { readonly root: string; readonly ids: readonly string[] };
  /** The members as a set, once somebody has asked. */
  memberSet?: ReadonlySet<Entity>;
}

/** Whether an entity was made from the prefab of an instance. */
export function isMember(record: InstanceRecord, entity: Entity): boolean {
  record.memberSet ??= new Set(record.members);
  return record.memberSet.has(entity);
}

export const noMember = 0 as Entity;

export interface SceneTables {
  /** By the root of the instance. */
  readonly instances: NoteTable<InstanceRecord>;
  readonly kept: NoteTable<Kept>;
}

/** Values by entity, each under a number that the entity has. */
export class NoteTable<Value> {
  private readonly world: World;
  private readonly field: "instance" | "kept";
  private readonly entries = new Map<number, { readonly entity: Entity; readonly value: Value }>();
  private last = 0;
  private sweepAt = 1024;

  constructor(world: World, field: "instance" | "kept") {
    this.world = world;
    this.field = field;
  }

  /** Whether there is nothing in it. */
  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** A number for an entity that is to be made with it; `put` follows. */
  reserve(): number {
    return ++this.last;
  }

  put(number: number, entity: Entity, value: Value): void {
    this.entries.set(number, { entity, value });
    if (this.entries.size > this.sweepAt) this.sweep();
  }

  /** The number of the value of an entity; 0 when it has none. */
  numberOf(entity: Entity): number {
    return memberOf(this.world, entity)?.[this.field] ?? 0;
  }

  get(entity: Entity): Value | undefined {
    if (this.entries.size === 0) return undefined;
    const number = memberOf(this.world, entity)?.[this.field];
    if (number === undefined || number === 0) return undefined;
    const entry = this.entries.get(number);
    return entry?.entity === entity ? entry.value : undefined;
  }

  /** Notes a value on a living entity. */
  set(entity: Entity, value: Value): void {
    const number = this.reserve();
    this.put(number, entity, value);
    noteMember(this.world, entity, { [this.field]: number });
  }

  /** Another value for an entity that has one. */
  replace(entity: Entity, value: Value): void {
    const number = memberOf(this.world, entity)?.[this.field] ?? 0;
    if (this.entries.get(number)?.entity === entity) this.entries.set(number, { entity, value });
  }

  /** Takes it away, if there is one. */
  delete(entity: Entity): void {
    if (this.get(entity) !== undefined) noteMember(this.world, entity, { [this.field]: 0 });
  }

  /** The living entities that have one, in the order in which they got it. */
  *entities(): IterableIterator<Entity> {
    for (const { entity, value } of this.entries.values()) if (this.get(entity) === value) yield entity;
  }

  /** Forgets what the dead had. Not where somebody records, who may bring them back. */
  private sweep(): void {
    if (!stateOf(this.world).recorder.wanted) {
      for (const [number, { entity, value }] of this.entries) {
        if (this.get(entity) !== value) this.entries.delete(number);
      }
    }
    this.sweepAt = Math.max(1024, this.entries.size * 2);
  }
}

const attachment = "espalier/scene";

interface Attached {
  readonly byTree: Map<Hierarchy, SceneTables>;
  /** Those that somebody still holds. */
  readonly scenes: Set<WeakRef<CheckedScene>>;
  lastScene: number;
}

/** What the self-test asks of a scene. */
export interface CheckedScene {
  wrongIds(): Iterable<Finding>;
}

function attachedTo(world: World): Attached {
  let attached = stateOf(world).attachments.get(attachment) as Attached | undefined;
  if (attached === undefined) {
    attached = { byTree: new Map(), scenes: new Set(), lastScene: 0 };
    stateOf(world).attachments.set(attachment, attached);
    const { scenes } = attached;
    if (DEVELOPMENT) provideCheck(stateOf(world), { name: "scenes", check: () => wrongIdsOf(scenes) });
  }
  return attached;
}

/** From now on the scene is a part of `checkWorld`, as long as somebody holds it. */
export function checkScene(world: World, scene: CheckedScene): void {
  const { scenes } = attachedTo(world);
  for (const ref of scenes) if (ref.deref() === undefined) scenes.delete(ref);
  scenes.add(new WeakRef(scene));
}

function* wrongIdsOf(scenes: Iterable<WeakRef<CheckedScene>>): IterableIterator<Finding> {
  for (const ref of scenes) yield* ref.deref()?.wrongIds() ?? [];
}

export function tablesOf(tree: Hierarchy): SceneTables {
  const { byTree } = attachedTo(tree.world);
  let tables = byTree.get(tree);
  if (tables === undefined) {
    tables = { instances: new NoteTable(tree.world, "instance"), kept: new NoteTable(tree.world, "kept") };
    byTree.set(tree, tables);
  }
  return tables;
}

/** The key of a new scene, which no other of the world has or had. */
export function newSceneKey(world: World): number {
  return ++attachedTo(world).lastScene;
}

/** Makes sure that no new scene gets this key. */
export function reserveSceneKey(world: World, key: number): void {
  const attached = attachedTo(world);
  attached.lastScene = Math.max(attached.lastScene, key);
}
