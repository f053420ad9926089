/**
 * Vectors as a short way to write several fields of numbers. They are no kind of their own: `component` replaces a group by its
 * fields, so columns, files and tools see plain numbers.
 */
import { f32 } from "./f32.ts";
import type { Field } from "./field-type.ts";

/** Several fields written as one: `position: vec2()` stands for `positionX` and `positionY`. */
export interface FieldGroup<Suffix extends string = string, F extends Field = Field> {
  /** By what is added to the name of the group. */
  readonly fields: { readonly [S in Suffix]: F };
}

/**
 * Two 32-bit floats: `position: vec2()` gives the fields `positionX` and `positionY`.
 *
 * @example
 * ```ts
 * const Body = component("Body", { velocity: vec2(1, 0), mass: f32(2) });
 * const e = world.spawn(Body({ velocityY: 3 }));
 * world.get(e, Body); // → { velocityX: 1, velocityY: 3, mass: 2 }
 * ```
 */
export function vec2(x = 0, y = 0): FieldGroup<"X" | "Y", Field<number, "f32">> {
  return { fields: { X: f32(x), Y: f32(y) } };
}

/** Three 32-bit floats: `position: vec3()` gives the fields `positionX`, `positionY` and `positionZ`. */
export function vec3(x = 0, y = 0, z = 0): FieldGroup<"X" | "Y" | "Z", Field<number, "f32">> {
  return { fields: { X: f32(x), Y: f32(y), Z: f32(z) } };
}
