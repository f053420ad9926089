/**
 * All archetypes of a world and the ways between them.
 */

import type { Store } from "../components/store.ts";
import { grown } from "../grown.ts";
import { Archetype } from "./archetype.ts";
import { MatchSet } from "./match-set.ts";

export class ArchetypeGraph {
  /** By id. */
  readonly all: Archetype[] = [];
  /** In the order in which queries visit them: that of their creation, until a snapshot brings another. */
  ordered: Archetype[] = [];
  readonly empty: Archetype;
  readonly matchSets = new Map<string, MatchSet>();
  private readonly byKey = new Map<string, Archetype>();
  private width = 64;

  constructor() {
    this.empty = this.create("", []);
  }

  /** Makes every archetype know about component number `id`. */
  fit(id: number): void {
    if (id < this.width) return;
    this.width *= 2;
    for (const archetype of this.all) archetype.has = grown(archetype.has, this.width);
  }

  with(from: Archetype, store: Store): Archetype {
    const known = from.withComponent[store.id];
    if (known !== undefined) return known;
    const to = this.find([...from.stores, store].sort((a, b) => a.id - b.id));
    from.withComponent[store.id] = to;
    to.withoutComponent[store.id] = from;
    return to;
  }

  without(from: Archetype, store: Store): Archetype {
    const known = from.withoutComponent[store.id];
    if (known !== undefined) return known;
    const to = this.find(from.stores.filter((other) => other !== store));
    from.withoutComponent[store.id] = to;
    to.withComponent[store.id] = from;
    return to;
  }

  match(all: readonly Store[], none: readonly Store[], some: readonly (readonly Store[])[]): MatchSet {
    const key = [list(all), list(none), ...some.map(list).sort()].join("|");
    const known = this.matchSets.get(key);
    if (known !== undefined) return known;
    const set = new MatchSet(key, all, none, some);
    for (const archetype of this.ordered) set.offer(archetype);
    this.matchSets.set(key, set);
    return set;
  }

  /** Makes this the order in which queries visit archetypes. It has all of them. */
  reorder(ordered: readonly Archetype[]): void {
    this.ordered = [...ordered];
    ordered.forEach((archetype, rank) => {
      archetype.rank = rank;
    });
    for (const set of this.matchSets.values()) set.reorder();
  }

  /** The archetype of exactly these components, which are sorted by id. */
  find(stores: readonly Store[]): Archetype {
    const key = list(stores);
    return this.byKey.get(key) ?? this.create(key, stores);
  }

  private create(key: string, stores: readonly Store[]): Archetype {
    const archetype = new Archetype(this.all.length, stores, this.width);
    this.all.push(archetype);
    this.ordered.push(archetype);
    this.byKey.set(key, archetype);
    for (const set of this.matchSets.values()) set.offer(archetype);
    return archetype;
  }
}

function list(stores: readonly Store[]): string {
  return stores
    .map((store) => store.id)
    .sort((a, b) => a - b)
    .join(",");
}
