/**
 * 3D transforms: Godot's matrices and angles as position, rotation and scale.
 */

import type { Properties } from "./godot-properties.ts";
import { differing, type Json, short } from "./imported.ts";

type Fields = { [field: string]: Json };
type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** `undefined` when the node does not set its transform. */
export function transform3DOf(
  properties: Properties,
  isWhole: boolean,
  lost: (what: string) => void,
): Fields | undefined {
  const matrix = properties.takeNumbers("transform", ["Transform3D", "Transform"], 12);
  const position =
    properties.takeNumbers("position", ["Vector3"], 3) ??
    properties.takeNumbers("translation", ["Vector3"], 3);
  const angles = properties.takeNumbers("rotation", ["Vector3"], 3);
  const degrees = properties.takeNumbers("rotation_degrees", ["Vector3"], 3);
  const turn = properties.takeNumbers("quaternion", ["Quaternion", "Quat"], 4);
  const scale = properties.takeNumbers("scale", ["Vector3"], 3);
  const given: Fields = {};
  if (matrix !== undefined) Object.assign(given, fromMatrix(matrix, lost));
  if (position !== undefined) Object.assign(given, named(["x", "y", "z"], position));
  const euler = angles ?? degrees?.map((angle) => (angle * Math.PI) / 180);
  const rotation = (turn as Quaternion | undefined) ?? (euler === undefined ? undefined : fromEuler(euler));
  if (rotation !== undefined) Object.assign(given, named(["qx", "qy", "qz", "qw"], rotation));
  if (scale !== undefined) Object.assign(given, named(["scaleX", "scaleY", "scaleZ"], scale));
  if (Object.keys(given).length === 0) return undefined;
  const defaults = { qw: 1, scaleX: 1, scaleY: 1, scaleZ: 1 };
  return isWhole ? differing(given as { [field: string]: number }, defaults) : given;
}

function named(names: readonly string[], values: readonly number[]): { [field: string]: number } {
  return Object.fromEntries(names.map((name, k) => [name, short(values[k] as number)]));
}

/** Godot writes the rows of the matrix, then the position; its axes are the columns. */
function fromMatrix(m: readonly number[], lost: (what: string) => void): { [field: string]: number } {
  const axis = (k: number) => [m[k], m[k + 3], m[k + 6]] as [number, number, number];
  const axes = [axis(0), axis(1), axis(2)] as const;
  const size = axes.map((each) => Math.hypot(...each)) as [number, number, number];
  // A mirrored node: one axis points the other way.
  if (determinant(axes) < 0) size[0] = -size[0];
  if (size.some((each) => each === 0)) lost("transform that makes the node flat, whose rotation is lost");
  const [x, y, z] = axes.map((each, k) =>
    each.map((part) => (size[k] === 0 ? 0 : part / (size[k] as number))),
  ) as [number[], number[], number[]];
  const isSquare = [dot(x, y), dot(y, z), dot(z, x)].every((each) => Math.abs(each) < 1e-4);
  if (!isSquare) lost("transform that leans, of which only position, rotation and scale came along");
  return {
    ...named(["x", "y", "z"], m.slice(9)),
    ...named(["qx", "qy", "qz", "qw"], size.some((each) => each === 0) ? [0, 0, 0, 1] : fromAxes(x, y, z)),
    ...named(["scaleX", "scaleY", "scaleZ"], size),
  };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return (
    (a[0] as number) * (b[0] as number) +
    (a[1] as number) * (b[1] as number) +
    (a[2] as number) * (b[2] as number)
  );
}

function determinant([a, b, c]: readonly (readonly [number, number, number])[]): number {
  if (a === undefined || b === undefined || c === undefined) return 0;
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    b[0] * (a[1] * c[2] - a[2] * c[1]) +
    c[0] * (a[1] * b[2] - a[2] * b[1])
  );
}

/** The rotation that maps the axes of the world to these. */
function fromAxes(x: readonly number[], y: readonly number[], z: readonly number[]): Quaternion {
  const [m00, m10, m20] = x as [number, number, number];
  const [m01, m11, m21] = y as [number, number, number];
  const [m02, m12, m22] = z as [number, number, number];
  const trace = m00 + m11 + m22;
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    return [(m21 - m12) / s, (m02 - m20) / s, (m10 - m01) / s, s / 4];
  }
  if (m00 > m11 && m00 > m22) {
    const s = Math.sqrt(1 + m00 - m11 - m22) * 2;
    return [s / 4, (m01 + m10) / s, (m02 + m20) / s, (m21 - m12) / s];
  }
  if (m11 > m22) {
    const s = Math.sqrt(1 + m11 - m00 - m22) * 2;
    return [(m01 + m10) / s, s / 4, (m12 + m21) / s, (m02 - m20) / s];
  }
  const s = Math.sqrt(1 + m22 - m00 - m11) * 2;
  return [(m02 + m20) / s, (m12 + m21) / s, s / 4, (m10 - m01) / s];
}

/** Angles around y, then x, then z, as in Godot. */
function fromEuler(angles: readonly number[]): Quaternion {
  const [x, y, z] = angles.map((angle) => angle / 2) as [number, number, number];
  const [sx, cx, sy, cy, sz, cz] = [
    Math.sin(x),
    Math.cos(x),
    Math.sin(y),
    Math.cos(y),
    Math.sin(z),
    Math.cos(z),
  ];
  return [
    sx * cy * cz + cx * sy * sz,
    cx * sy * cz - sx * cy * sz,
    cx * cy * sz - sx * sy * cz,
    cx * cy * cz + sx * sy * sz,
  ];
}
