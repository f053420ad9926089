/**
 * The lists that one pass of a query walks, as they were when it began; pinned meanwhile.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Viewed } from "./split-terms.ts";
import { isComputed } from "./terms.ts";

export class Pass {
  readonly lists: Int32Array[] = [];
  readonly counts: number[] = [];
  /** For each list and each view, whether those entities have it. */
  readonly present: boolean[][] = [];
  private readonly archetypes: Archetype[] = [];

  pin(archetypes: readonly Archetype[], viewed: readonly Viewed[]): void {
    for (let t = 0; t < archetypes.length; t++) {
      const archetype = archetypes[t] as Archetype;
      if (this.archetypes[t] !== archetype) {
        this.archetypes[t] = archetype;
        this.present[t] = viewed.map(({ of }) => isComputed(of) || archetype.has[of.id] === 1);
      }
      this.lists[t] = archetype.ids;
      this.counts[t] = archetype.count;
      archetype.pins++;
    }
  }

  unpin(): void {
    for (let t = 0; t < this.lists.length; t++) {
      const archetype = this.archetypes[t] as Archetype;
      // After a copy or a growth the archetype has another list, which is not pinned.
      if (archetype.ids === this.lists[t] && archetype.pins > 0) archetype.pins--;
    }
  }
}
