/**
 * Rotations as three angles, in the form of three.js: turns about x, y and z in a given order, in radians.
 */
import { describeValue, requireNumber } from "../../ecs/internal.ts";
import { requireNumbers } from "../checks/arguments.ts";
import { InvalidFillError } from "../errors.ts";
import { matrixOf, multiplyQuaternions, type Quaternion, type Vector3 } from "./matrix3d.ts";

/** About which axis is turned first, second, third; each about the axes as the turns before left them. */
export type EulerOrder = "XYZ" | "YXZ" | "ZXY" | "ZYX" | "YZX" | "XZY";

/** Three angles in radians, and the order in which they apply. */
export interface Euler extends Vector3 {
  /** The axes in the order in which their angles apply, such as `"XYZ"`. */
  order: EulerOrder;
}

const isEven = { XYZ: true, YZX: true, ZXY: true, YXZ: false, ZYX: false, XZY: false };

/** Above this, the second turn is a quarter and the first and third are about the same axis. As in three.js. */
const LOCKED = 0.9999999;

/**
 * The quaternion of three angles, as fields of `Transform3D`: what three.js makes of `new Euler(x, y, z, order)`.
 *
 * @throws InvalidFillError when there is no such order.
 *
 * @example
 * ```ts
 * eulerToQuaternion(0, 0, Math.PI); // ≈ { qx: 0.0, qy: 0.0, qz: 1.0, qw: 0.0 }
 * ```
 */
export function eulerToQuaternion(x: number, y: number, z: number, order: EulerOrder = "XYZ"): Quaternion {
  requireOrder(order);
  requireNumber(x, "turn by angles", "x");
  requireNumber(y, "turn by angles", "y");
  requireNumber(z, "turn by angles", "z");
  const none = { qx: 0, qy: 0, qz: 0 };
  const turns = {
    X: { ...none, qx: Math.sin(x / 2), qw: Math.cos(x / 2) },
    Y: { ...none, qy: Math.sin(y / 2), qw: Math.cos(y / 2) },
    Z: { ...none, qz: Math.sin(z / 2), qw: Math.cos(z / 2) },
  };
  const [first, second, third] = order as unknown as ("X" | "Y" | "Z")[];
  return multiplyQuaternions(multiplyQuaternions(turns[first], turns[second]), turns[third]);
}

/**
 * The three angles of a quaternion. Where the second turn is a quarter, the third angle is 0, as in three.js.
 *
 * @throws InvalidFillError when there is no such order.
 *
 * @example
 * ```ts
 * quaternionToEuler(eulerToQuaternion(0.1, 0.2, 0.3)); // ≈ { x: 0.1, y: 0.2, z: 0.3, order: "XYZ" }
 * ```
 */
export function quaternionToEuler(rotation: Quaternion, order: EulerOrder = "XYZ"): Euler {
  requireOrder(order);
  requireNumbers(rotation, ["qx", "qy", "qz", "qw"], "find angles", "the rotation");
  const axes = matrixOf({ x: 0, y: 0, z: 0, ...rotation, scaleX: 1, scaleY: 1, scaleZ: 1 });
  const angles = [0, 0, 0];
  writeEuler(axes, order, angles, 0);
  return { x: angles[0], y: angles[1], z: angles[2], order };
}

/** Writes the angles about x, y and z of a rotation that is given by three axes at right angles, as columns. */
export function writeEuler(
  axes: Float64Array,
  order: EulerOrder,
  out: Float32Array | Float64Array | number[],
  o: number,
): void {
  const sign = isEven[order] ? 1 : -1;
  const first = order.charCodeAt(0) - 88;
  const second = order.charCodeAt(1) - 88;
  const third = order.charCodeAt(2) - 88;
  // Row r, column c of the matrix is axes[c * 3 + r].
  const sine = axes[third * 3 + first];
  out[o + second] = Math.asin(sign * Math.max(-1, Math.min(1, sine)));
  if (Math.abs(sine) < LOCKED) {
    out[o + first] = Math.atan2(-sign * axes[third * 3 + second], axes[third * 3 + third]);
    out[o + third] = Math.atan2(-sign * axes[second * 3 + first], axes[first * 3 + first]);
  } else {
    out[o + first] = Math.atan2(sign * axes[second * 3 + third], axes[second * 3 + second]);
    out[o + third] = 0;
  }
}

export function requireOrder(order: EulerOrder): void {
  if (typeof order === "string" && Object.hasOwn(isEven, order)) return;
  throw new InvalidFillError(
    `Cannot turn in the order ${describeValue(order)}: choose one of ${Object.keys(isEven).join(", ")}.`,
    { option: "order", value: order },
  );
}
