/**
 * Recent changes, in the form that panels need.
 */
import type { AnyComponent, Entity } from "espalier";

/** One change, in words. */
export interface ChangeEntry {
  readonly entity: Entity;
  readonly component: string;
  readonly kind: "added" | "changed" | "removed";
}

export interface Watch {
  /** The changes of one frame, at most 200. */
  readonly entries: readonly ChangeEntry[];
  /** How many changes there were. */
  readonly count: number;
  wasChanged(entity: Entity): boolean;
  wasFieldChanged(entities: readonly Entity[], component: AnyComponent, field: string): boolean;
}

/** The controls of a live world, which runs by itself. */
export interface LiveControl {
  /** Lists everything that `during` changes. */
  capture(during: () => void): void;
}
