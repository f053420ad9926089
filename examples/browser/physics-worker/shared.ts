/** Shared by page and worker. */
import { Camera, Shape } from "espalier/render";

/** What is drawn. Bodies and colliders stay in the worker. */
export const components = [Shape, Camera];

/** What the page sends. */
export type Command =
  /** Begin; with a number, jump to that second and stop there. */
  | { readonly start: number | null }
  /** Throw this crate. */
  | { readonly hit: number }
  /** Drop another one here. */
  | { readonly drop: { readonly x: number; readonly y: number } };
