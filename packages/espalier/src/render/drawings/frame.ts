/**
 * A part of a texture as packers write it: possibly rotated to save space, possibly without its transparent edges.
 */
import { type ArgumentTest, expectArguments } from "../../ecs/index.ts";
import type { Rectangle, Size } from "../cameras/camera-view.ts";

/**
 * A named part of a texture. `x` and `y` are its corner in the texture, `width` and `height` its size as it is drawn: in the texture a
 * `rotated` frame is `height` wide and `width` high.
 */
export interface Frame extends Rectangle {
  /** Whether it is rotated clockwise by 90° in the texture. */
  readonly rotated?: boolean;
  /** The size before transparent edges were cut off, and the position of the rest in it. Sprites have this size. */
  readonly trim?: Rectangle;
  /** The point that belongs on the entity, as a fraction of the size. Animations write it into the sprite with the frame. */
  readonly anchor?: { readonly x: number; readonly y: number };
}

/** The frames of a texture by name. */
export interface Frames {
  /** One frame. */
  readonly [frame: string]: Frame;
}

/**
 * How large a frame is drawn: with the edges that were cut off.
 * @throws InvalidArgumentError
 */
export function frameSize(frame: Frame): Size {
  // Checked first, because otherwise the list of expected arguments would be allocated for every drawn picture.
  if (typeof frame !== "object" || frame === null)
    expectArguments("measure a frame", ["frame", frame, "object"]);
  return frame.trim ?? frame;
}

const aTrim: ArgumentTest = {
  expected: "left out or an object with the numbers x, y, width, height",
  fits: (trim) =>
    trim === undefined ||
    ["x", "y", "width", "height"].every((key) =>
      Number.isFinite((Object(trim) as Partial<Rectangle>)[key as "x"]),
    ),
};

/**
 * Refuses invalid frames, for the functions through which renderers receive them.
 * @throws InvalidArgumentError
 */
export function requireFrames(doing: string, frames: Frames): void {
  expectArguments(doing, ["frames", frames, "object"]);
  for (const [name, frame] of Object.entries(frames)) {
    expectArguments(doing, [`frame ${name}`, frame, ["x", "y", "width", "height"]]);
    expectArguments(doing, [`the trim of frame ${name}`, frame.trim, aTrim]);
  }
}
