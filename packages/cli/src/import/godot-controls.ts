/**
 * The widgets of Godot: rectangles with anchors in the rectangle of the parent.
 */

import type { Properties } from "./godot-properties.ts";
import { differing, type Json, short } from "./imported.ts";

type Fields = { [field: string]: Json };

const sides = ["left", "top", "right", "bottom"] as const;

/** The values in a file for the rectangle of a widget. Values that no file sets are 0. */
export interface ControlRect {
  /** Left, top, right, bottom. */
  readonly anchors: readonly (number | undefined)[];
  readonly offsets: readonly (number | undefined)[];
  readonly size: readonly [number, number] | undefined;
}

export interface ControlTransform {
  readonly rect: Fields | undefined;
  /** The position of its corner, if that does not depend on the size of the parent. */
  readonly corner: readonly [number, number] | undefined;
}

/** Takes the properties of the rectangle; `undefined` if there are none. */
export function rectOf(properties: Properties): ControlRect | undefined {
  const anchors = sides.map((side) => properties.takeNumber(`anchor_${side}`));
  const offsets = sides.map(
    (side) => properties.takeNumber(`offset_${side}`) ?? properties.takeNumber(`margin_${side}`),
  );
  const size = properties.takePair("size");
  const isSaid = [...anchors, ...offsets, size].some((each) => each !== undefined);
  return isSaid ? { anchors, offsets, size } : undefined;
}

/** The rectangle of a widget in an instance: the values of the instance over those of its scene. */
export function mergedRect(base: ControlRect | undefined, over: ControlRect | undefined): ControlRect {
  const merge = (below: ControlRect["offsets"] = [], above: ControlRect["offsets"] = []) =>
    sides.map((_, k) => above[k] ?? below[k]);
  return {
    anchors: merge(base?.anchors, over?.anchors),
    offsets: merge(base?.offsets, over?.offsets),
    size: over?.size ?? base?.size,
  };
}

/**
 * The rectangle of a widget.
 *
 * @param base - The values in the scene that the widget comes from.
 * @param isWhole - Whether the file defines the whole widget. Otherwise only the given values are returned, and those that depend on them.
 */
export function controlTransform(
  properties: Properties,
  base: ControlRect | undefined,
  isWhole: boolean,
  sign: number,
): ControlTransform {
  const said = rectOf(properties);
  if (said === undefined) return { rect: undefined, corner: undefined };
  const { anchors, offsets, size } = mergedRect(base, said);
  const [left = 0, top = 0, right = 0, bottom = 0] = offsets;
  const isSaid = said.offsets.map((offset) => offset !== undefined);
  // A side that no file sets is 0, so the other side alone determines the length of the rectangle.
  const length = (axis: 0 | 1, from: number, to: number) => {
    if (!isSaid[axis] && !isSaid[axis + 2]) return said.size?.[axis];
    return offsets[axis + 2] === undefined && size !== undefined ? size[axis] : to - from;
  };
  const given: { [field: string]: number | undefined } = {
    anchorMinX: said.anchors[0],
    anchorMinY: said.anchors[1],
    anchorMaxX: said.anchors[2],
    anchorMaxY: said.anchors[3],
    x: said.offsets[0],
    y: said.offsets[1] === undefined ? undefined : said.offsets[1] * sign,
    width: length(0, left, right),
    height: length(1, top, bottom),
  };
  const rect = Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [[field, short(value)]])),
  );
  const isFixed = anchors.every((anchor) => anchor === undefined || anchor === 0);
  const hasCorner = isFixed && (isSaid[0] === true || isSaid[1] === true);
  return { rect: isWhole ? differing(rect, {}) : rect, corner: hasCorner ? [left, top] : undefined };
}
