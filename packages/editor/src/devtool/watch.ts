/**
 * What changed lately, as panels ask for it.
 */
import type { AnyComponent, Entity } from "espalier";

/** One change, in words. */
export interface ChangeEntry {
  readonly entity: Entity;
  readonly component: string;
  readonly kind: "added" | "changed" | "removed";
}

export interface Watch {
  /** Of one frame, at most 200. */
  readonly entries: readonly ChangeEntry[];
  /** How many there were. */
  readonly count: number;
  wasChanged(entity: Entity): boolean;
  wasFieldChanged(entities: readonly Entity[], component: AnyComponent, field: string): boolean;
}

/** Of a live world, which runs by itself. */
export interface LiveControl {
  /** Lists everything that `during` changes. */
  capture(during: () => void): void;
}
