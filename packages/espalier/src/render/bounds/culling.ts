/**
 * Culling: leaves out drawings that no camera sees.
 *
 * Visibility is decided for an area somewhat larger than the view of each camera. As long as all views stay inside
 * their areas, only moved drawings are checked; when one leaves, a walk down the tree finds the drawings in the new areas.
 */

import type { Affine2D } from "../../transform/index.ts";
import type { Item } from "../renderer/items.ts";
import { type Bounds, emptyBounds, holdsBounds, overlaps, setBounds } from "./bounds.ts";
import type { SubtreeBounds } from "./subtree-bounds.ts";

/** How far the area extends beyond the view on each side, as a fraction of its size. */
const MARGIN = 0.25;
/** The area is recreated when the view has shrunk to this fraction of it; at first it is 0.44. */
const SHRUNK = 0.1;

export interface Culling<Node> {
  /** Updates the areas of the cameras. */
  look(views: readonly { readonly visible: Bounds }[]): void;
  /** A drawing moved or is new; `matrix` transforms its own coordinates to the world. */
  moved(item: Item<Node>, matrix: Affine2D): void;
  /** A drawing was removed. */
  removed(): void;
  /** Whether a drawing is in or near the view of a camera. */
  isNear(item: Item<Node>, camera: number): boolean;
}

/**
 * @param boundsOf - The bounds of an item in the world.
 * @param changed - Called for each item that came into view or left it.
 */
export function createCulling<Node>(
  below: SubtreeBounds<Node>,
  boundsOf: (item: Item<Node>) => Bounds,
  changed: (item: Item<Node>) => void,
): Culling<Node> {
  let areas: Bounds[] = [];
  let pass = 0;
  /** How many items in the list may have been removed. */
  let gone = 0;
  let inView: Item<Node>[] = [];
  let spare: Item<Node>[] = [];

  function set(item: Item<Node>, value: boolean): void {
    if (item.inView === value) return;
    item.inView = value;
    changed(item);
  }

  function see(item: Item<Node>): void {
    if (item.seenIn === pass) return;
    item.seenIn = pass;
    item.listed = true;
    inView.push(item);
    set(item, true);
  }

  /** Most are far inside or outside of an area: the exact bounds matter only at its edge. */
  function isSeen(item: Item<Node>, { a, b, c, d, x, y }: Affine2D): boolean {
    if (areas.length === 0) return true;
    if (item.reach < 0) return false;
    const reachX = item.reach * (Math.abs(a) + Math.abs(c));
    const reachY = item.reach * (Math.abs(b) + Math.abs(d));
    let isNear = false;
    for (const { minX, minY, maxX, maxY } of areas) {
      if (x - reachX >= minX && x + reachX <= maxX && y - reachY >= minY && y + reachY <= maxY) return true;
      isNear ||= x + reachX >= minX && x - reachX <= maxX && y + reachY >= minY && y - reachY <= maxY;
    }
    return isNear && areas.some((area) => overlaps(boundsOf(item), area));
  }

  function walk(): void {
    pass++;
    const before = inView;
    inView = spare;
    spare = before;
    inView.length = 0;
    for (const area of areas) below.overlapping(area, see);
    for (const item of before) {
      if (item.seenIn === pass) continue;
      item.listed = false;
      if (!item.gone && item.spot === null) set(item, false);
    }
    before.length = 0;
    gone = 0;
  }

  return {
    look(views) {
      let isInside = views.length === areas.length;
      for (let k = 0; isInside && k < views.length; k++) isInside = fits(views[k].visible, areas[k]);
      if (isInside) return;
      areas = views.map(({ visible }) => enlarged(visible));
      walk();
    },
    moved(item, matrix) {
      // Listed even when outside: new ones count as in view, and the next walk must find those that are outside.
      if (!item.listed) {
        item.listed = true;
        inView.push(item);
      }
      set(item, isSeen(item, matrix));
    },
    removed() {
      if (++gone < 64 || gone * 2 < inView.length) return;
      inView = inView.filter((item) => !item.gone);
      gone = 0;
    },
    isNear: (item, camera) => overlaps(boundsOf(item), areas[camera]),
  };
}

/** Whether an area is still valid for a view. */
function fits(visible: Bounds, area: Bounds): boolean {
  return holdsBounds(area, visible) && sizeOf(visible) >= sizeOf(area) * SHRUNK;
}

function sizeOf({ minX, minY, maxX, maxY }: Bounds): number {
  return (maxX - minX) * (maxY - minY);
}

function enlarged({ minX, minY, maxX, maxY }: Bounds): Bounds {
  const width = (maxX - minX) * MARGIN;
  const height = (maxY - minY) * MARGIN;
  return setBounds(emptyBounds(), minX - width, minY - height, maxX + width, maxY + height);
}
