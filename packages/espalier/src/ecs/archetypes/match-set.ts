/**
 * Which archetypes a query matches, kept up to date as archetypes appear.
 */

import type { Store } from "../components/store.ts";
import type { Archetype } from "./archetype.ts";

/** The archetypes that match one combination of components. Shared by all queries that ask for it. */
export class MatchSet {
  readonly key: string;
  readonly archetypes: Archetype[] = [];
  /** By archetype id: 1 if it matches. */
  matched = new Uint8Array(16);
  private readonly all: readonly Store[];
  private readonly none: readonly Store[];
  private readonly some: readonly (readonly Store[])[];

  constructor(
    key: string,
    all: readonly Store[],
    none: readonly Store[],
    some: readonly (readonly Store[])[],
  ) {
    this.key = key;
    this.all = all;
    this.none = none;
    this.some = some;
  }

  /** Takes a new archetype in if it matches. */
  offer(archetype: Archetype): void {
    if (archetype.id >= this.matched.length) {
      const matched = new Uint8Array(Math.max(archetype.id + 1, this.matched.length * 2));
      matched.set(this.matched);
      this.matched = matched;
    }
    if (!this.matches(archetype)) return;
    this.matched[archetype.id] = 1;
    this.archetypes.push(archetype);
  }

  /** After the archetypes got other ranks. */
  reorder(): void {
    this.archetypes.sort((a, b) => a.rank - b.rank);
    // Lists of matches that were read off the archetypes are outdated.
    for (const archetype of this.archetypes) archetype.revision++;
  }

  private matches({ has }: Archetype): boolean {
    return (
      this.all.every((store) => has[store.id] === 1) &&
      !this.none.some((store) => has[store.id] === 1) &&
      this.some.every((group) => group.some((store) => has[store.id] === 1))
    );
  }
}
