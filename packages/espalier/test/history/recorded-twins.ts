/**
 * A world with a history that is alone with it, and its slow, obvious twin, in which the history is called for each change
 * because another recorder listens.
 */
import { optional } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { createHistory, createVersions, type History } from "espalier/history";
import { expect } from "vitest";
import { type Grove, Health, Position, plantOne, Rare, stateOf, violations } from "./random-world.ts";

export interface Recorded {
  readonly forest: Grove;
  readonly history: History;
  /** Kept: a query learns from its passes whether they write much. */
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
  if (isSlow) createVersions(forest.trees[0] as Hierarchy);
  return { forest, history, queries: queriesOf(forest) };
}

export function both({ forest }: Recorded, twin: Recorded): void {
  expect(stateOf(forest)).toEqual(stateOf(twin.forest));
  expect(violations(forest)).toEqual([]);
}
