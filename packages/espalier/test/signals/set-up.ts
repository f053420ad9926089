import { createHierarchy } from "espalier/hierarchy";
import { createSignals, type Signal } from "espalier/signals";
import { strictWorld } from "../testing.ts";

/** Nothing is told before `flush()`. */
export const manual = { schedule: "manual", frame: "manual" } as const;

/** Everything a signal tells. */
export function log<Value>(signal: Signal<Value>): { told: Value[]; end: () => void } {
  const told: Value[] = [];
  return { told, end: signal.subscribe((value) => told.push(value)) };
}

/** A world with a tree, and signals that are flushed by hand. */
export function setUp() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const signals = createSignals(world, manual);
  return { world, tree, signals };
}
