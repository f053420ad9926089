/**
 * The hooks on which other rooms stand. An extension is trusted code: it runs inside the operation and must not throw.
 */
import type { Entity } from "./entity.ts";
import type { Store } from "./store.ts";

export interface Extension {
  readonly name: string;
  /** An entity came to life at `index`; its components are not set yet. */
  readonly spawned?: (index: number) => void;
  /**
   * The entity at `index` is to be destroyed: push those that must go with it, before it, last one first. Called once
   * per doomed entity, so that several extensions agree on one list.
   */
  readonly doom?: (index: number, doomed: number[]) => void;
  /** The entity at `index` is about to leave; let go of it. Nothing can be asked of it afterwards. */
  readonly leaving?: (index: number) => void;
  /** Columns indexed by entity must now be this long. */
  readonly grow?: (capacity: number) => void;
  readonly dispose?: () => void;
  /** What is wrong with the extension's own data, in words; part of `check(world)`. */
  readonly check?: () => readonly string[];
}

/**
 * Hears of every change before it happens, with the old state still readable, so that it can be undone. One per
 * world.
 */
export interface Recorder {
  spawned(entity: Entity, index: number): void;
  destroying(entity: Entity, index: number): void;
  added(entity: Entity, index: number, store: Store): void;
  removing(entity: Entity, index: number, store: Store): void;
  /** Field number `field` of the entity's component is about to be overwritten. */
  writing(entity: Entity, index: number, store: Store, field: number): void;
  /** Something of another room is about to change; `owner.reverse` with the same facts brings it back. */
  changed(owner: Reversible, entity: Entity | null, a: number, b: number, extra?: unknown): void;
}

/** What can undo its own recorded changes. Undoing is a change like any other and is recorded in turn. */
export interface Reversible {
  reverse(entity: Entity | null, a: number, b: number, extra: unknown): void;
}
