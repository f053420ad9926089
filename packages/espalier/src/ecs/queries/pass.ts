/**
 * The lists that one pass of a query walks, pinned while it does.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import type { Pass } from "./loop.ts";
import { type ComputedTerm, isComputed } from "./terms.ts";

export class MutablePass implements Pass {
  lists: Int32Array[] = [];
  counts: number[] = [];
  present: boolean[][] = [];
  private archetypes: Archetype[] = [];

  fill(archetypes: readonly Archetype[], viewed: readonly (Store | ComputedTerm)[]): void {
    for (let t = 0; t < archetypes.length; t++) {
      const archetype = archetypes[t] as Archetype;
      if (this.archetypes[t] !== archetype) {
        this.archetypes[t] = archetype;
        this.present[t] = viewed.map((each) => isComputed(each) || archetype.has[each.id] === 1);
      }
      this.lists[t] = archetype.ids;
      this.counts[t] = archetype.count;
      archetype.pins++;
    }
  }

  unpin(): void {
    for (let t = 0; t < this.lists.length; t++) {
      const archetype = this.archetypes[t] as Archetype;
      // After a copy or a growth the archetype has another list, which nobody pinned.
      if (archetype.ids === this.lists[t] && archetype.pins > 0) archetype.pins--;
    }
  }
}
