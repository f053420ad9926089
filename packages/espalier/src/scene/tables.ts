/**
 * What scenes store about the entities of a tree that no component can hold: which prefab an instance was made from, and
 * what lenient loading kept.
 *
 * It belongs to the tree, not to one scene, so that clones and saves find it. The entity has the number of its entry
 * in `SceneMember`: an entity that undo removes and restores has it again, and another one that gets the same handle
 * meanwhile does not. An entry never changes; an instance that follows another prefab gets another number. So the prefab that an
 * instance follows, and the text of it, are values of the world like others.
 */
import type { Entity, World } from "../ecs/index.ts";
import { stateOf } from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { onCaptured } from "../history/internal.ts";
import type { Json } from "./json/json.ts";
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
  /** The entity made from each node of the template; 0 if the instance has none. */
  readonly members: readonly Entity[];
  /** The ids that its entities have for the id of the root, once computed. Ids deep inside are long, so the strings are kept and reused. */
  noted?: { readonly root: string; readonly ids: readonly string[] };
  /** The members as a set, once requested. */
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
  readonly instances: NoteTable<InstanceRecord, Pick<InstanceRecord, "template">>;
  readonly kept: NoteTable<Kept>;
}

/**
 * Values by entity, each under a number that the entity has.
 *
 * @typeParam Content - The part of a value that its number is made from.
 */
export class NoteTable<Value extends Content, Content = Value> {
  private readonly world: World;
  private readonly field: "instance" | "kept";
  private readonly digest: (value: Content) => number;
  private readonly entries = new Map<number, { readonly entity: Entity; readonly value: Value }>();
  /** The numbers of entries that are in no snapshot: only undo can restore them. */
  private readonly uncaptured = new Set<number>();
  /** Reserved numbers, until the first of them is used: a call reserves all its numbers before it uses any. */
  private readonly reserved = new Set<number>();
  private last = 0;
  private sweepAt = 1024;

  constructor(world: World, field: "instance" | "kept", digest: (value: Content) => number) {
    this.world = world;
    this.field = field;
    this.digest = digest;
  }

  /** Whether the table is empty. */
  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /**
   * A number for an entity that is about to be created with it; `put` follows. It depends on the content: in a snapshot of another world
   * the same number on the same entity means the same content, or does not exist here.
   */
  reserve(content: Content): number {
    const start = this.digest(content);
    const isTaken = (number: number) => this.entries.has(number) || this.reserved.has(number);
    let number = 0;
    while (number === 0 || isTaken(number)) number = (start + ++this.last) & MOST_NUMBERS;
    this.reserved.add(number);
    return number;
  }

  /** Stores a value for an entity that already has the number. */
  put(number: number, entity: Entity, value: Value): void {
    this.reserved.clear();
    this.entries.set(number, { entity, value });
    this.uncaptured.add(number);
    if (this.uncaptured.size > this.sweepAt) this.sweep();
  }

  get(entity: Entity): Value | undefined {
    if (this.entries.size === 0) return undefined;
    const number = memberOf(this.world, entity)?.[this.field];
    if (number === undefined || number === 0) return undefined;
    const entry = this.entries.get(number);
    return entry?.entity === entity ? entry.value : undefined;
  }

  /** Stores a value for a living entity, in place of its former one. The number is new, so undo restores the former value. */
  set(entity: Entity, value: Value): void {
    const number = this.reserve(value);
    noteMember(this.world, entity, { [this.field]: number });
    this.put(number, entity, value);
  }

  /** Removes the value of an entity, if it has one. */
  delete(entity: Entity): void {
    if (this.get(entity) !== undefined) noteMember(this.world, entity, { [this.field]: 0 });
  }

  /** The living entities with a value, in the order in which they got it. */
  *entities(): IterableIterator<Entity> {
    for (const { entity, value } of this.entries.values()) if (this.get(entity) === value) yield entity;
  }

  /** Called after a snapshot was taken: current entries may be restored at any time, so they are kept for good. */
  capture(): void {
    for (const number of this.uncaptured) if (this.isUsed(number)) this.uncaptured.delete(number);
  }

  /** Drops entries that neither an entity nor a snapshot uses. Not while changes are recorded, which may restore them. */
  private sweep(): void {
    if (!stateOf(this.world).recorder.wanted) {
      for (const number of this.uncaptured) {
        if (this.isUsed(number)) continue;
        this.entries.delete(number);
        this.uncaptured.delete(number);
      }
    }
    this.sweepAt = Math.max(1024, this.uncaptured.size * 2);
  }

  private isUsed(number: number): boolean {
    const { entity, value } = this.entries.get(number) as { readonly entity: Entity; readonly value: Value };
    return this.get(entity) === value;
  }
}

/** Numbers are small integers, which engines keep without allocating. */
const MOST_NUMBERS = 0x3fffffff;

/** A hash of strings: FNV-1a over their characters. */
function digestOf(texts: Iterable<string>): number {
  let sum = 0x811c9dc5;
  for (const text of texts)
    for (let k = 0; k < text.length; k++) sum = Math.imul(sum ^ text.charCodeAt(k), 0x01000193);
  return sum >>> 0;
}

/** The strings of a value; equal values give equal strings. */
function* textsIn(value: Json): Iterable<string> {
  const waiting: Json[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop() as Json;
    if (typeof next !== "object" || next === null) {
      // Quoted, so that 5 and "5" differ.
      yield JSON.stringify(next);
      continue;
    }
    yield Array.isArray(next) ? "[" : "{";
    for (const [key, inside] of Object.entries(next)) {
      yield JSON.stringify(key);
      waiting.push(inside);
    }
  }
}

const templateDigests = /* @__PURE__ */ new WeakMap<Template, number>();

function digestOfInstance({ template }: Pick<InstanceRecord, "template">): number {
  let digest = templateDigests.get(template);
  if (digest === undefined) {
    const { file, source } = template;
    digest = digestOf([file, ...(source.text === undefined ? textsIn(source.value) : [source.text])]);
    templateDigests.set(template, digest);
  }
  return digest;
}

const digestOfKept = (kept: Kept) => digestOf(textsIn(kept as Json));

const attachment = "espalier/scene";

interface Attached {
  readonly byTree: Map<Hierarchy, SceneTables>;
  lastScene: number;
}

function attachedTo(world: World): Attached {
  let attached = stateOf(world).attachments.get(attachment) as Attached | undefined;
  if (attached === undefined) {
    attached = { byTree: new Map(), lastScene: 0 };
    stateOf(world).attachments.set(attachment, attached);
    const { byTree } = attached;
    onCaptured(world, () => {
      for (const { instances, kept } of byTree.values())
        for (const table of [instances, kept]) table.capture();
    });
  }
  return attached;
}

export function tablesOf(tree: Hierarchy): SceneTables {
  const { byTree } = attachedTo(tree.world);
  let tables = byTree.get(tree);
  if (tables === undefined) {
    tables = {
      instances: new NoteTable(tree.world, "instance", digestOfInstance),
      kept: new NoteTable(tree.world, "kept", digestOfKept),
    };
    byTree.set(tree, tables);
  }
  return tables;
}

/** The key of a new scene, which no other scene of the world has or had. */
export function newSceneKey(world: World): number {
  return ++attachedTo(world).lastScene;
}

/** Makes sure that no new scene gets this key. */
export function reserveSceneKey(world: World, key: number): void {
  const attached = attachedTo(world);
  attached.lastScene = Math.max(attached.lastScene, key);
}
