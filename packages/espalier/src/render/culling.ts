/**
 * Leaving out what the camera does not see.
 *
 * What is in view is decided for an area somewhat larger than the view. As long as the view stays inside of it only
 * drawings that moved are looked at; when it leaves, one walk down the tree finds what is in the new area.
 */
import { type Bounds, emptyBounds, holdsBounds, overlaps, setBounds } from "./bounds.ts";
import type { Item } from "./items.ts";
import type { SubtreeBounds } from "./subtree-bounds.ts";

/** How far the area reaches beyond the view, as a part of its size, on each side. */
const MARGIN = 0.25;
/** The area is made anew when the view has become this small a part of it; at first it is 0.44. */
const SHRUNK = 0.1;

export interface Culling<Node> {
  /** Follows the camera. */
  look(visible: Bounds): void;
  /** A drawing moved or is new. */
  moved(item: Item<Node>): void;
  /** A drawing went. */
  removed(): void;
}

/** @param changed - Told of each item that came into view or left it. */
export function createCulling<Node>(
  below: SubtreeBounds<Node>,
  changed: (item: Item<Node>) => void,
): Culling<Node> {
  const area = emptyBounds();
  let isLooking = false;
  let pass = 0;
  /** How many of those in the list may be gone. */
  let gone = 0;
  let inView: Item<Node>[] = [];
  let spare: Item<Node>[] = [];

  function set(item: Item<Node>, value: boolean): void {
    if (item.inView === value) return;
    item.inView = value;
    changed(item);
  }

  function walk(): void {
    pass++;
    const before = inView;
    inView = spare;
    spare = before;
    inView.length = 0;
    below.overlapping(area, (item) => {
      item.seenIn = pass;
      item.listed = true;
      inView.push(item);
      set(item, true);
    });
    for (const item of before) {
      if (item.seenIn === pass) continue;
      item.listed = false;
      if (!item.gone) set(item, false);
    }
    before.length = 0;
    gone = 0;
  }

  return {
    look(visible) {
      const width = visible.maxX - visible.minX;
      const height = visible.maxY - visible.minY;
      const size = (area.maxX - area.minX) * (area.maxY - area.minY);
      if (isLooking && holdsBounds(area, visible) && width * height >= size * SHRUNK) return;
      setBounds(
        area,
        visible.minX - width * MARGIN,
        visible.minY - height * MARGIN,
        visible.maxX + width * MARGIN,
        visible.maxY + height * MARGIN,
      );
      isLooking = true;
      walk();
    },
    moved(item) {
      // Listed even when outside: new ones count as in view, and the next walk must find those that are not.
      if (!item.listed) {
        item.listed = true;
        inView.push(item);
      }
      set(item, !isLooking || overlaps(item.bounds, area));
    },
    removed() {
      if (++gone < 64 || gone * 2 < inView.length) return;
      inView = inView.filter((item) => !item.gone);
      gone = 0;
    },
  };
}
