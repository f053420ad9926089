/**
 * The keeper of the record of changes, as the functions that change the world see it.
 *
 * A world starts without one. The record itself (`change-records.ts`) comes with its first reader, so that programs
 * without undo do not carry it.
 */
import type { Archetype } from "../archetypes/archetype.ts";
import type { Store } from "../components/store.ts";
import type { Entity } from "../entities/entity.ts";
import type { Reversible } from "../listeners/hooks.ts";

/** The entities that a loop walks. */
export interface LoopList {
  readonly ids: Int32Array;
  readonly count: number;
  /** Changes whenever `ids` does. */
  readonly revision: number;
}

/** Everything but `wanted` may be called only while it is true. */
export interface Recorder {
  /** Whether there are readers of records. */
  readonly wanted: boolean;
  /** `again`: it had been destroyed. */
  created(entity: Entity, again: boolean): void;
  destroyed(entity: Entity, archetype: Archetype, takenBack: boolean): void;
  added(entity: Entity, store: Store, row: number): void;
  removed(entity: Entity, store: Store): void;
  writing(entity: Entity, store: Store, field: number, before: unknown): void;
  touched(entity: Entity, store: Store): void;
  room(owner: Reversible, entity: Entity | null, a: number, b: number, extra?: unknown): void;
  beginLoop(stores: readonly Store[], list: LoopList): boolean;
  endLoop(): void;
  /** Runs `work` without keeping records of it. */
  unrecorded(work: () => void): void;
}

/** The recorder of a world whose changes are not recorded. */
export const noRecorder = { wanted: false } as Recorder;
