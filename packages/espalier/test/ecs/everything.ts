import { bool, component, entityRef, f32, f64, i8, i16, i32, object, string, u8, u16, u32 } from "espalier";

/** A component with a field of every kind. */
export const Everything = component("Everything", {
  f32: f32(),
  f64: f64(),
  i8: i8(),
  u8: u8(),
  i16: i16(),
  u16: u16(),
  i32: i32(),
  u32: u32(),
  bool: bool(),
  string: string(),
  entity: entityRef(),
  object: object(() => [] as number[]),
});
