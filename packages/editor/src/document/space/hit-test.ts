/**
 * Finds the entity under the pointer, and those in a rectangle.
 */
import type { Entity } from "espalier";
import { invert2D, Transform2D, transformPoint } from "espalier/transform";
import type { EditorDocument } from "../document.ts";
import { overlaps, POINT_SIZE, worldBounds } from "./bounds.ts";
import { localBounds } from "./drawn.ts";
import type { Rect } from "./rect.ts";

/**
 * The entities at a point of the world, the one drawn in front first: by effective z, then by the order of the tree. Hidden
 * and locked ones are skipped.
 *
 * @param tolerance - How far away an entity without size is still hit, in world units.
 */
export function hitTest(document: EditorDocument, x: number, y: number, tolerance = POINT_SIZE): Entity[] {
  const hits: { entity: Entity; z: number; order: number }[] = [];
  let order = 0;
  for (const entity of pickable(document)) {
    order++;
    if (!covers(document, entity, x, y, tolerance)) continue;
    hits.push({ entity, z: document.depth.of(entity), order });
  }
  hits.sort((a, b) => b.z - a.z || b.order - a.order);
  return hits.map(({ entity }) => entity);
}

/** What a click selects: the frontmost entity or, if that is selected already, the next one behind it. */
export function pickAt(
  document: EditorDocument,
  x: number,
  y: number,
  current: Entity | undefined,
  tolerance?: number,
): Entity | undefined {
  const hits = hitTest(document, x, y, tolerance);
  if (hits.length === 0) return undefined;
  const at = current === undefined ? -1 : hits.indexOf(current);
  return hits[(at + 1) % hits.length];
}

/** All entities whose bounds touch a rectangle of the world, in tree order. */
export function inRect(document: EditorDocument, rect: Rect): Entity[] {
  return [...pickable(document)].filter((entity) => overlaps(worldBounds(document, entity), rect));
}

/** Everything with a position in the world that is neither hidden nor locked, in tree order. */
export function* pickable(document: EditorDocument): IterableIterator<Entity> {
  const { tree, world } = document;
  for (const root of tree.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      if (!world.has(entity, Transform2D)) continue;
      if (document.visible.of(entity) && !document.locked.of(entity)) yield entity;
    }
  }
}

function covers(document: EditorDocument, entity: Entity, x: number, y: number, tolerance: number): boolean {
  const world = document.space.worldOf(entity);
  const local = localBounds(document, entity);
  if (local === undefined) return Math.hypot(world.x - x, world.y - y) <= tolerance;
  const inverse = invert2D(world);
  if (inverse === undefined || inverse === null) return false;
  const point = transformPoint(inverse, x, y);
  return point.x >= local.left && point.x <= local.right && point.y >= local.top && point.y <= local.bottom;
}
