/**
 * A world with a history, and its slow, obvious twin, in which each write is recorded by itself because an observer listens.
 */
import { observe, optional } from "espalier";
import { createHistory, type UndoHistory } from "espalier/history";
import { expect } from "vitest";
import { type Grove, Health, Position, plantOne, Rare, stateOf, violations } from "./random-world.ts";

export interface Recorded {
  readonly forest: Grove;
  readonly history: UndoHistory;
  /** Kept: a query specialises its loops the more it is used. */
  readonly queries: ReturnType<typeof queriesOf>;
}

function queriesOf({ world }: Grove) {
  return {
    positions: world.query(Position),
    healths: world.query(Health),
    both: world.query(Position, Health),
    nested: world.query(Position),
    optional: world.query(Health, optional(Position)),
    rares: world.query(Rare),
  };
}

export function record(generate: boolean, isSlow: boolean): Recorded {
  const forest = plantOne({ generate });
  const history = createHistory(forest.world);
  if (isSlow) for (const each of [Position, Health, Rare]) observe(forest.world, each, { set: () => {} });
  return { forest, history, queries: queriesOf(forest) };
}

export function both({ forest }: Recorded, twin: Recorded): void {
  expect(stateOf(forest)).toEqual(stateOf(twin.forest));
  expect(violations(forest)).toEqual([]);
}
