/**
 * How large entities are, in their own coordinates and in the world.
 */
import type { Entity } from "espalier";
import type { Affine2D } from "espalier/transform";
import type { EditorDocument } from "../document.ts";
import { localBounds } from "./drawn.ts";
import type { Rect } from "./rect.ts";

/** The size of the area, in world units around its origin, in which an entity that draws nothing is picked. */
export const POINT_SIZE = 6;

/** The rectangle in the world that holds all corners of `rect` under `matrix`. */
export function transformedRect(rect: Rect, { a, b, c, d, x, y }: Affine2D): Rect {
  let left = Number.POSITIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const u of [rect.left, rect.right]) {
    for (const v of [rect.top, rect.bottom]) {
      const px = a * u + c * v + x;
      const py = b * u + d * v + y;
      left = Math.min(left, px);
      right = Math.max(right, px);
      top = Math.min(top, py);
      bottom = Math.max(bottom, py);
    }
  }
  return { left, top, right, bottom };
}

/** The world bounds of an entity itself; a point if it draws nothing. */
export function worldBounds(document: EditorDocument, entity: Entity): Rect {
  const world = document.space.worldOf(entity);
  const local = localBounds(document, entity);
  if (local !== undefined) return transformedRect(local, world);
  return { left: world.x, top: world.y, right: world.x, bottom: world.y };
}

/** The world bounds of entities and everything below them. */
export function subtreeBounds(document: EditorDocument, entities: Iterable<Entity>): Rect | undefined {
  let all: Rect | undefined;
  for (const top of entities) {
    document.tree.forEachDescendant(
      top,
      (entity) => {
        all = union(all, worldBounds(document, entity));
      },
      { includeSelf: true },
    );
  }
  return all;
}

export function union(a: Rect | undefined, b: Rect): Rect {
  if (a === undefined) return b;
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

export function grown(rect: Rect, by: number): Rect {
  return { left: rect.left - by, top: rect.top - by, right: rect.right + by, bottom: rect.bottom + by };
}

export function rectBetween(a: { x: number; y: number }, b: { x: number; y: number }): Rect {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}
