/** What page and worker agree on. */
import { Camera, Shape } from "espalier/render";

/** What is drawn. Bodies and colliders stay in the worker. */
export const components = [Shape, Camera];

/** What the page sends. */
export type Command =
  /** Begin; at this second, and stay there, where it is a number. */
  | { readonly start: number | null }
  /** Throw this crate. */
  | { readonly hit: number }
  /** Drop another one here. */
  | { readonly drop: { readonly x: number; readonly y: number } };
