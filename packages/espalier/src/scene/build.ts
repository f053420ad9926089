/**
 * From a draft to entities: all of them, or, when the world or the hierarchy refuses one, none.
 */
import { type AnyComponent, type Component, describeValue, type Entity, type Schema } from "../ecs/index.ts";
import { attachNewAt, type Hierarchy } from "../hierarchy/index.ts";
import { allOrNothing } from "./all-or-nothing.ts";
import type { SiblingPositionOptions } from "./among-siblings.ts";
import { reasonOf } from "./arguments.ts";
import type { ReadContext } from "./codec.ts";
import { SceneError } from "./errors.ts";
import { type MemberValues, SceneMember } from "./member.ts";
import { initsOf } from "./read/decode.ts";
import type { InstanceDraft, LateValue, SceneNode } from "./read/node.ts";
import type { Draft } from "./read/read.ts";
import { notAnId } from "./read/references.ts";
import { Report, type Source } from "./read/report.ts";
import { type InstanceRecord, noMember, type SceneTables, tablesOf } from "./tables.ts";

export interface BuildOptions {
  /** The key of the scene that they belong to; none if left out. */
  readonly scene?: number;
  /** The position of the root among its siblings. */
  readonly position?: SiblingPositionOptions | undefined;
  /** What is being done, for messages. */
  readonly doing?: string;
}

/** Creates the entities of a draft under `parent`, in pre-order. Returns them by the index of their node. */
export function build(
  tree: Hierarchy,
  draft: Draft,
  parent: Entity | null,
  { position, doing = "load", scene = 0 }: BuildOptions = {},
): Entity[] {
  const { nodes, order, source } = draft;
  const tables = tablesOf(tree);
  const notes: (MemberValues | undefined)[] = nodes.map((node) => noteOf(tables, node, scene));
  tree.world.reserve(nodes.length);
  const entities = makeEntities(tree, nodes, parent, {
    source,
    order,
    position,
    doing,
    noteOf: (k) => notes[k],
    context: (made) => contextOf(draft, made),
  });
  remember(tree, draft, entities, notes);
  return entities;
}

interface Making {
  readonly source: Source;
  /** Indices of nodes, parents first; the order of the nodes if left out. */
  readonly order?: Int32Array;
  readonly position: SiblingPositionOptions | undefined;
  /** The name of the first entity, instead of its own. */
  readonly rootName?: string | undefined;
  readonly doing: string;
  noteOf(k: number): MemberValues | undefined;
  context(entities: readonly Entity[]): LateContext;
}

/** Creates the entity of each node, or none of them. */
export function makeEntities(
  tree: Hierarchy,
  nodes: readonly SceneNode[],
  parent: Entity | null,
  making: Making,
): Entity[] {
  const { source, order, doing } = making;
  const entities = new Array<Entity>(nodes.length);
  const made: Entity[] = [];
  let current = 0;
  try {
    allOrNothing(tree, made, () => {
      for (let k = 0; k < nodes.length; k++) {
        current = order === undefined ? k : order[k];
        const node = nodes[current];
        const isTop = node.parent < 0;
        const to = isTop ? parent : entities[node.parent];
        const position = isTop ? making.position : undefined;
        const entity = attachNode(tree, node, to, position, making.noteOf(current));
        entities[current] = entity;
        made.push(entity);
        const name = k === 0 ? (making.rootName ?? node.name) : node.name;
        if (typeof name === "string") tree.setName(entity, name);
      }
      const context = making.context(entities);
      for (current = 0; current < nodes.length; current++) {
        for (const value of nodes[current].rare.late) setLate(tree, entities[current], value, context);
      }
    });
  } catch (error) {
    throw refused(source, nodes[Math.min(current, nodes.length - 1)], error, doing);
  }
  return entities;
}

/** The scene membership to store on the entity of a node. */
function noteOf(tables: SceneTables, node: SceneNode, scene: number): MemberValues | undefined {
  const { instance, kept } = node.rare;
  if (scene === 0 && instance === undefined && kept === undefined) return undefined;
  return {
    scene,
    id: scene === 0 ? "" : node.fixId(),
    instance: instance === undefined ? 0 : tables.instances.reserve(instance),
    kept: kept === undefined ? 0 : tables.kept.reserve(kept),
  };
}

/** Creates the entity of a node, without its name and without values that need other entities. */
export function attachNode(
  tree: Hierarchy,
  node: SceneNode,
  parent: Entity | null,
  position: SiblingPositionOptions | undefined,
  note?: MemberValues,
): Entity {
  const inits = initsOf(node);
  if (note === undefined) {
    return position === undefined
      ? tree.attachNew(parent, ...inits)
      : attachNewAt(tree, parent, position, ...inits);
  }
  const member = SceneMember(note);
  if (position !== undefined) return attachNewAt(tree, parent, position, ...inits, member);
  // Spreading costs as much as creating the entity.
  if (inits.length === 0) return tree.attachNew(parent, member);
  return inits.length === 1
    ? tree.attachNew(parent, inits[0], member)
    : tree.attachNew(parent, ...inits, member);
}

/** Resolves ids to the created entities. */
export interface LateContext {
  /** For an id of the outermost file. */
  entity(id: string): Entity | undefined;
  /** For the index of a node. */
  at(index: number): Entity | undefined;
}

/** Ids of a draft to entities. Returns `undefined` for an unresolved id that lenient reading accepted. */
export function contextOf(draft: Draft, entities: readonly (Entity | undefined)[]): LateContext {
  return {
    entity: (id) => {
      const k = draft.byId.find(id);
      return k === undefined ? draft.externals.get(id) : entities[k];
    },
    at: (index) => entities[index],
  };
}

/** The entity that an id in a value refers to. */
export function entityOf({ scope }: LateValue, id: string, context: LateContext): Entity | undefined {
  if (scope === undefined) return context.entity(id);
  const index = scope.find(id);
  return index === undefined ? undefined : context.at(index);
}

/** Sets a value that needed other entities to exist. */
export function setLate(tree: Hierarchy, entity: Entity, late: LateValue, context: LateContext): void {
  const { codec, field, json } = late;
  const find: ReadContext = {
    entity(id) {
      if (typeof id !== "string") throw new Error(notAnId(id));
      const found = entityOf(late, id, context);
      if (found === undefined)
        throw new Error(`it refers to ${describeValue(id)}, which is not in the scene.`);
      return found;
    },
  };
  let value: unknown;
  if (field.codec !== undefined) value = field.codec.read(json, find);
  else if (json === null) value = null;
  else value = entityOf(late, json as string, context) ?? null;
  setFields(tree, entity, codec.component, { [field.name]: value });
}

/** Writes some fields of a component the entity has. */
export function setFields(tree: Hierarchy, entity: Entity, component: AnyComponent, values: object): void {
  tree.world.set(entity, component as Component<Schema>, values);
}

/** Stores in the tables of the tree what they hold about entities created from a draft. */
function remember(
  tree: Hierarchy,
  draft: Draft,
  entities: readonly Entity[],
  notes: readonly (MemberValues | undefined)[],
): void {
  const tables = tablesOf(tree);
  draft.nodes.forEach(({ rare: { kept, instance } }, k) => {
    const entity = entities[k];
    const note = notes[k];
    if (kept !== undefined) tables.kept.put(note?.kept as number, entity, kept);
    if (instance === undefined) return;
    const record = recordOf(draft, instance, entity, (index) => entities[index], note?.id ?? "");
    tables.instances.put(note?.instance as number, entity, record);
  });
}

/**
 * The record of an instance in the tables.
 *
 * @param rootId - The id of its root in the scene; empty when it belongs to no scene.
 */
export function recordOf(
  { registry, nodes }: Draft,
  { template, reference, members }: InstanceDraft,
  root: Entity,
  entityAt: (index: number) => Entity | undefined,
  rootId: string,
): InstanceRecord {
  const record = {
    registry,
    template,
    reference,
    root,
    members: Array.from(members, (index) => entityAt(index) ?? noMember),
  };
  if (rootId === "") return record;
  return { ...record, noted: { root: rootId, ids: Array.from(members, (index) => nodes[index]?.id ?? "") } };
}

/** The error for an entity that the world or the hierarchy refused. */
export function refused(source: Source, node: SceneNode | undefined, error: unknown, doing: string): unknown {
  if (node === undefined) return error;
  const report = new Report();
  report.add("scene/refused", node.outerLocation(), `${node.outerLabel} was refused: ${reasonOf(error)}`);
  return new SceneError(`${doing} ${source.file ?? "the scene"}`, {
    problems: report.problems(),
    cause: error,
  });
}
