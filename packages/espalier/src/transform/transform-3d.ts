/**
 * The component that holds local transforms in three dimensions, and the options of a space of them.
 */
import { type Component, component, type Field, f64, finite } from "../ecs/index.ts";
import { checkOptions } from "../ecs/internal.ts";
import type { KernelChoice } from "../inherit/index.ts";
import type { SpaceOptions } from "./spaces/define-transform.ts";

type Number64 = Field<number, "f64">;

/** The fields of `Transform3D`. */
export type Schema3D = {
  /** The x as seen from the parent. 0 if left out. */
  x: Number64;
  /** The y as seen from the parent. 0 if left out. */
  y: Number64;
  /** The z as seen from the parent. 0 if left out. */
  z: Number64;
  /** The x of its rotation, a unit quaternion. 0 if left out. */
  qx: Number64;
  /** The y of its rotation. 0 if left out. */
  qy: Number64;
  /** The z of its rotation. 0 if left out. */
  qz: Number64;
  /** The w of its rotation. 1 if left out. */
  qw: Number64;
  /** The scale along its own x axis. 1 if left out. */
  scaleX: Number64;
  /** The scale along its own y axis. 1 if left out. */
  scaleY: Number64;
  /** The scale along its own z axis. 1 if left out. */
  scaleZ: Number64;
};

const number = (initial: number) => finite(f64(initial));

/**
 * The local transform in three dimensions: position, rotation as a unit quaternion (qx, qy, qz, qw), scale. 64-bit floats, kept in
 * tree order.
 */
export const Transform3D: Component<Schema3D> = /* @__PURE__ */ component(
  "Transform3D",
  {
    x: /* @__PURE__ */ number(0),
    y: /* @__PURE__ */ number(0),
    z: /* @__PURE__ */ number(0),
    qx: /* @__PURE__ */ number(0),
    qy: /* @__PURE__ */ number(0),
    qz: /* @__PURE__ */ number(0),
    qw: /* @__PURE__ */ number(1),
    scaleX: /* @__PURE__ */ number(1),
    scaleY: /* @__PURE__ */ number(1),
    scaleZ: /* @__PURE__ */ number(1),
  },
  { placement: ["x", "y", "z", "qx", "qy", "qz", "qw"] },
);

/** How a space of three dimensions works. */
export interface Transforms3DOptions extends SpaceOptions {
  /** Which code computes long runs: `auto` (the default), `javascript` or `wasm`. Both give the same bits. */
  readonly kernel?: KernelChoice;
  /** The component that holds the local values. `Transform3D` if left out; a second space needs another. */
  readonly component?: Component<Schema3D>;
}

const transforms3DOptions = {
  inherit: "anything",
  kernel: ["auto", "javascript", "wasm"],
  component: "anything",
  name: "string",
} as const;

export function checkTransforms3DOptions(checks: boolean, options: Transforms3DOptions): void {
  checkOptions(checks, "create transforms", options, transforms3DOptions);
}
