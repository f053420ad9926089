import type { WorldPlace } from "./space/world-place.ts";

/** What was cut out of a document and not yet pasted there: what referred to it, and where it stood, by ids. */
export interface CutOut {
  readonly text: string;
  readonly references: readonly {
    readonly id: string;
    readonly component: string;
    readonly field: string;
    readonly target: string;
  }[];
  readonly worlds: readonly { readonly id: string; readonly place: WorldPlace }[];
}
