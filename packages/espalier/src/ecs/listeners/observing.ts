/**
 * What edits need of the code that runs observers.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import type { Entity } from "../entities/entity.ts";
import type { IndexList } from "../index-list.ts";

/** What runs observers; `s.observing` from the first observer of a world on. */
export interface Observing<State> {
  created(s: State, entity: Entity, archetype: Archetype): void;
  added(s: State, entity: Entity, store: Store): void;
  set(s: State, entity: Entity, store: Store): void;
  removed(s: State, entity: Entity, store: Store): void;
  leaving(s: State, entity: Entity, archetype: Archetype): void;
  /** Whether the notices of these entities may read them after they left. */
  areReadLater(s: State, ids: Int32Array, count: number): boolean;
  /** Whether observers must run before entities of these archetypes leave. */
  hasLeaving(s: State, ids: Int32Array, count: number): boolean;
  /** Runs the observers of all in the list while everything is still there, and takes those off it that they save. */
  runBefore(s: State, roots: readonly Entity[], list: IndexList): void;
  runDestroying(s: State, entity: Entity): void;
  runRemoving(s: State, entity: Entity, store: Store): boolean;
}
