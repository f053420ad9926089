import type { WorldValue } from "./space/world-value.ts";

/** What was cut out of a document and not yet pasted back: references to it, and its world transforms, by id. */
export interface CutOut {
  readonly text: string;
  readonly references: readonly {
    readonly id: string;
    readonly component: string;
    readonly field: string;
    readonly target: string;
  }[];
  readonly worlds: readonly { readonly id: string; readonly transform: WorldValue }[];
}
