/**
 * The widgets of Godot: rectangles with anchors in the rectangle above.
 */

import type { Properties } from "./godot-properties.ts";
import { differing, type Json, short } from "./imported.ts";

type Fields = { [field: string]: Json };

const sides = ["left", "top", "right", "bottom"] as const;

export interface ControlPlace {
  readonly rect: Fields | undefined;
  /** The place of its corner, where that does not depend on the size of what is above. */
  readonly corner: readonly [number, number] | undefined;
}

/** The rectangle of a widget. Of an instance only what the file says, as far as one can tell it without the rest. */
export function controlPlace(properties: Properties, isWhole: boolean, sign: number): ControlPlace {
  const anchors = sides.map((side) => properties.takeNumber(`anchor_${side}`));
  const offsets = sides.map(
    (side) => properties.takeNumber(`offset_${side}`) ?? properties.takeNumber(`margin_${side}`),
  );
  const size = properties.takePair("size");
  if ([...anchors, ...offsets, size].every((each) => each === undefined))
    return { rect: undefined, corner: undefined };
  const [left = 0, top = 0, right = 0, bottom = 0] = offsets;
  const given: { [field: string]: number | undefined } = {
    anchorMinX: anchors[0],
    anchorMinY: anchors[1],
    anchorMaxX: anchors[2],
    anchorMaxY: anchors[3],
    x: offsets[0],
    y: offsets[1] === undefined ? undefined : offsets[1] * sign,
    width: offsets[2] === undefined ? size?.[0] : right - left,
    height: offsets[3] === undefined ? size?.[1] : bottom - top,
  };
  const rect = Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => (value === undefined ? [] : [[field, short(value)]])),
  );
  const isFixed = anchors.every((anchor) => anchor === undefined || anchor === 0);
  const hasCorner = isFixed && (offsets[0] !== undefined || offsets[1] !== undefined);
  return { rect: isWhole ? differing(rect, {}) : rect, corner: hasCorner ? [left, top] : undefined };
}
