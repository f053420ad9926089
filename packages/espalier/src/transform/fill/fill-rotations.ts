/**
 * World rotations of many entities into a buffer, as quaternions or angles, in the form of three.js.
 */
import { describeValue } from "../../ecs/internal.ts";
import { InvalidFillError } from "../errors.ts";
import { type EulerOrder, requireOrder, writeEuler } from "../maths/euler.ts";
import { writeAxes, writeQuaternion } from "../maths/matrix3d.ts";
import type { MatrixSpace } from "../spaces/matrix-space.ts";
import { type FillPlane, writerFor } from "./fill-layout.ts";
import {
  checkLayout,
  checkSteps,
  type FillBuffer,
  type FillSource,
  fillRows,
  requireFillOptions,
} from "./fill-worlds.ts";

/** Where and how world rotations are written into an array. */
export interface FillRotationsOptions {
  /** `"quaternion"` (the default): x, y, z, w. `"euler"`: the angles about x, y and z. */
  readonly form?: "quaternion" | "euler";
  /** The order of the angles; `"XYZ"` if left out. */
  readonly order?: EulerOrder;
  /** As for `fillWorlds`. */
  readonly offset?: number;
  /** Floats from one to the next; 4 or 3 if left out. */
  readonly stride?: number;
  /** As for `fillWorlds`. */
  readonly plane?: FillPlane;
}

const rotationOptions = {
  form: "anything",
  order: "anything",
  offset: "anything",
  stride: "anything",
  plane: "anything",
} as const;

/**
 * Writes the world rotations of the given entities into `out`, after bringing the space up to date. Gives how many.
 * Scale and shear are left out as `worldRotation` does.
 *
 * @throws InvalidFillError when `out` is too small or an option does not exist; DeadEntityError. Nothing was written.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const tank = world.spawn(Transform2D({ rotation: Math.PI / 2 }));
 * const out = new Float32Array(4);
 * fillRotations(space, [tank], out); // → 1
 * out; // ≈ [0.0, 0.0, 0.7071, 0.7071]
 * ```
 */
export function fillRotations(
  space: MatrixSpace,
  entities: FillSource,
  out: FillBuffer,
  options: FillRotationsOptions = {},
): number {
  const doing = "fill world rotations";
  requireFillOptions(space, doing, options, rotationOptions);
  const { form = "quaternion", order = "XYZ", plane = "xy", offset = 0 } = options;
  if (form !== "quaternion" && form !== "euler") {
    throw new InvalidFillError(
      `Cannot fill rotations as ${describeValue(form)}: choose "quaternion" or "euler".`,
      { option: "form", value: form },
    );
  }
  requireOrder(order);
  checkLayout({ plane });
  const width = form === "euler" ? 3 : 4;
  const { stride = width } = options;
  checkSteps(offset, stride, width);
  const write = writerFor(space, 12, plane);
  const matrix = new Float64Array(12);
  const axes = new Float64Array(9);
  return fillRows(space, entities, out, doing, { width, offset, stride }, (values, at, to, o) => {
    write(values, at, matrix, 0);
    writeAxes(matrix, 0, axes);
    if (form === "euler") writeEuler(axes, order, to, o);
    else writeQuaternion(axes, to, o);
  });
}
