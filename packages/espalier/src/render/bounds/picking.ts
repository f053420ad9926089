/**
 * Finds the drawings at a point.
 */
import type { Entity } from "../../ecs/index.ts";
import { type Affine2D, invert2D } from "../../transform/index.ts";
import type { RenderBackend } from "../renderer/contract.ts";
import type { Item } from "../renderer/items.ts";
import { coversPoint } from "./covers.ts";
import type { SubtreeBounds } from "./subtree-bounds.ts";

/** The items at a point of the world, topmost first. Subtrees away from the point are skipped. */
export function itemsAt<Node>(
  below: SubtreeBounds<Node>,
  backend: RenderBackend<Node>,
  matrixOf: (item: Item<Node>) => Affine2D,
  x: number,
  y: number,
): Item<Node>[] {
  const found: Item<Node>[] = [];
  below.overlapping({ minX: x, minY: y, maxX: x, maxY: y }, (item) => {
    if (!item.hidden && isHit(item, backend, matrixOf(item), x, y)) found.push(item);
  });
  return found.sort((a, b) => b.order - a.order);
}

/** The items of a list that are at a point in its coordinates, topmost first. */
export function itemsAmong<Node>(
  items: Iterable<Item<Node>>,
  backend: RenderBackend<Node>,
  matrixOf: (item: Item<Node>) => Affine2D,
  x: number,
  y: number,
): Item<Node>[] {
  const found: Item<Node>[] = [];
  for (const item of items) if (!item.hidden && isHit(item, backend, matrixOf(item), x, y)) found.push(item);
  return found.sort((a, b) => b.order - a.order);
}

/** Their entities, each once, in that order. */
export function entitiesOf<Node>(items: readonly Item<Node>[]): Entity[] {
  return [...new Set(items.map(({ entity }) => entity))];
}

function isHit<Node>(
  item: Item<Node>,
  backend: RenderBackend<Node>,
  matrix: Affine2D,
  x: number,
  y: number,
): boolean {
  // A degenerate matrix has no inside.
  const inverse = invert2D(matrix);
  if (inverse === undefined) return false;
  const u = inverse.a * x + inverse.c * y + inverse.x;
  const v = inverse.b * x + inverse.d * y + inverse.y;
  if (!coversPoint(item.drawing, item.content, u, v)) return false;
  return backend.hitTest?.(item.node, item.drawing, u, v) ?? true;
}
