/**
 * Which node stands for which entity.
 *
 * A record of the links holds the handle of its entity, so one look proves that the entity is alive. Handles beyond 32 bits are
 * not in the records; for those the world is asked.
 */
import { DeadEntityError, type Entity, type EntityLike, formatEntity, indexOf } from "../ecs/index.ts";
import { handleIn, INDEX_MASK, shortText } from "../ecs/internal.ts";
import { errorOf } from "./error-of.ts";
import type { TreeState } from "./state.ts";

/** The entity of a node. */
export function entityAt(t: TreeState, node: number): Entity {
  const handle = t.links.handle(node);
  return handle !== 0 ? (handle as Entity) : t.ecs.handleAt(node);
}

/** The entity of a node; `null` for node 0. */
export function entityOrNull(t: TreeState, node: number): Entity | null {
  return node === 0 ? null : entityAt(t, node);
}

/** The entity of a node as a number for records; 0 for node 0. */
export function handleOrZero(t: TreeState, node: number): number {
  return node === 0 ? 0 : entityAt(t, node);
}

/** Writes the handle of a node that was linked. */
export function keepHandle({ ecs, links }: TreeState, node: number): void {
  const handle = ecs.table.handleAt(node);
  links.setHandle(node, (handle | 0) === handle ? handle : 0);
}

/** Whether `node` is in the tree and stands for exactly this entity. */
export function isEntityAt(t: TreeState, node: number, entity: Entity): boolean {
  return t.links.parent(node) !== -1 && entityAt(t, node) === entity;
}

/**
 * The node of a living entity; `doing` completes "Cannot …" in the error.
 * @throws DeadEntityError, InvalidEntityError.
 */
export function nodeOf(t: TreeState, entity: EntityLike, doing: string): number {
  if (typeof entity !== "number") return nodeSlowly(t, entity, doing);
  const node = entity & INDEX_MASK;
  return t.links.handle(node) === entity ? node : nodeSlowly(t, entity, doing);
}

function nodeSlowly(t: TreeState, entity: EntityLike, doing: string): number {
  const node = t.ecs.require(entity, doing);
  if (t.links.parent(node) !== -1) return node;
  throw new DeadEntityError(
    `Cannot ${doing}: ${formatEntity(entityAt(t, node))} is being destroyed and has left ${t.name}. Ask earlier, in a destroy observer.`,
    { entities: [entityAt(t, node)] },
  );
}

/** The node of a parent: 0 for `null`. */
export function parentNodeOf(t: TreeState, parent: EntityLike | null, doing: string): number {
  if (parent !== null) return nodeOf(t, parent, doing);
  t.ecs.requireUsable(doing);
  return 0;
}

/** What observers and listeners can still know of a node that the present call destroyed. */
export interface GoneNode {
  readonly name: string | undefined;
  readonly parent: Entity | null;
}

export function goneNode(t: TreeState, given: EntityLike): GoneNode | undefined {
  if (!t.ecs.notices.isDelivering) return undefined;
  const entity = handleIn(t.ecs, given);
  return t.ecs.isReadableAfterEnd(entity) ? (t.ecs.gone.noted(t, entity) as GoneNode | undefined) : undefined;
}

/** `turret#3`, or `#3` where there is no name. */
export function labelOf(t: TreeState, given: EntityLike): string {
  const entity = handleIn(t.ecs, given);
  const node = indexOf(entity);
  const name = entityAt(t, node) === entity ? t.names.of(node) : goneNode(t, entity)?.name;
  return `${shortText(name ?? "")}${formatEntity(entity)}`;
}

export function labelAt(t: TreeState, node: number): string {
  return labelOf(t, entityAt(t, node));
}

/** Listeners must not break a change that has happened: what they throw goes to the world's `onError`. */
export function report(t: TreeState, error: unknown): void {
  t.ecs.onError(errorOf(error));
}
