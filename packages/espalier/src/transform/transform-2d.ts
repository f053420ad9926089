/**
 * The component that holds local transforms in the plane, and the options of a space of them.
 */
import { type Component, component, type Field, f32, finite } from "../ecs/index.ts";
import { checkOptions, describeValue } from "../ecs/internal.ts";
import type { KernelChoice } from "../inherit/index.ts";
import { InvalidSpaceError } from "./errors.ts";
import type { InheritMask } from "./spaces/inherit-mask.ts";

/** The fields of `Transform2D`. */
export type Schema2D = {
  /** The x as seen from the parent. 0 if left out. */
  x: Field<number, "f32">;
  /** The y as seen from the parent. 0 if left out. */
  y: Field<number, "f32">;
  /** In radians, positive from +x towards +y. 0 if left out. */
  rotation: Field<number, "f32">;
  /** The scale along its own x axis. 1 if left out. */
  scaleX: Field<number, "f32">;
  /** The scale along its own y axis. 1 if left out. */
  scaleY: Field<number, "f32">;
  /** How far +y leans towards +x: the tangent of the angle. 0 if left out. */
  skew: Field<number, "f32">;
};

/**
 * The local transform in the plane: where an entity is as seen from its parent. `rotation` in radians, positive from +x
 * towards +y; `skew` is the tangent of the angle by which +y leans towards +x. 32-bit floats, kept in tree order.
 */
export const Transform2D: Component<Schema2D> = /* @__PURE__ */ component(
  "Transform2D",
  {
    x: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
    y: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
    rotation: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
    scaleX: /* @__PURE__ */ finite(/* @__PURE__ */ f32(1)),
    scaleY: /* @__PURE__ */ finite(/* @__PURE__ */ f32(1)),
    skew: /* @__PURE__ */ finite(/* @__PURE__ */ f32(0)),
  },
  { placement: ["x", "y", "rotation"] },
);

/** Options of `createTransforms2D`. */
export interface Transforms2DOptions {
  /** What children inherit from their parents, where they have no `InheritTransform` of their own. Everything if left out. */
  readonly inherit?: InheritMask;
  /**
   * `affine` (the default) multiplies matrices. `separable` adds rotations and multiplies scales: nothing is ever sheared, and
   * skew has no effect.
   */
  readonly compose?: "affine" | "separable";
  /** Which code computes long runs: `auto` (the default), `javascript` or `wasm`. Both give the same bits. */
  readonly kernel?: KernelChoice;
  /**
   * How numbers are kept: `f32` (the default) or `f64`, for worlds so large that 32 bits lose what can be seen (about 7 digits:
   * at 100,000 from the origin the steps are 0.008). Takes twice the memory and has no WebAssembly kernel.
   */
  readonly precision?: "f32" | "f64";
  /** The component that holds the local values. `Transform2D` if left out; a second space needs another. */
  readonly component?: Component<Schema2D>;
  /** What `attach(…, { keep })` calls this space: `"world"` if left out. A second space of a tree needs another. */
  readonly name?: string;
}

const transforms2DOptions = {
  inherit: "anything",
  compose: "anything",
  kernel: "anything",
  precision: ["f32", "f64"],
  component: "anything",
  name: "string",
} as const;

export function checkTransforms2DOptions(checks: boolean, options: Transforms2DOptions): void {
  checkOptions(checks, "create transforms", options, transforms2DOptions);
  const { compose = "affine", kernel = "auto" } = options;
  if (compose !== "affine" && compose !== "separable") {
    throw new InvalidSpaceError(
      `Cannot compose transforms by ${describeValue(compose)}. Use "affine" or "separable".`,
      { option: "compose", value: compose },
    );
  }
  if (kernel !== "auto" && kernel !== "javascript" && kernel !== "wasm") {
    throw new InvalidSpaceError(
      `Cannot compute transforms with the kernel ${describeValue(kernel)}. Use "auto", "javascript" or "wasm".`,
      { option: "kernel", value: kernel },
    );
  }
  if (kernel === "wasm" && options.precision === "f64") {
    throw new InvalidSpaceError(
      'Cannot use kernel: "wasm" with precision: "f64": numbers of 64 bits are computed in JavaScript. Use kernel: "auto".',
      { option: "kernel", value: "wasm" },
    );
  }
}
