/** Helpers that the tests of several rooms share. */

import { checkWorld, createWorld, type Entity, indexOf, type World, type WorldOptions } from "espalier";
import { stateOf } from "espalier/internal";
import fc from "fast-check";
import { expect } from "vitest";

/** Both ways in which a world can work: with generated loops, and without where a policy forbids them. */
export const modes = [
  { mode: "generated", generate: true },
  { mode: "plain", generate: false },
] as const;

/** A world whose errors fail the test: nothing may be reported unless the test asks for it. */
export function strictWorld(options: WorldOptions = {}): World {
  return createWorld({
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** Everything that can be asked of a world's entities, as plain data: compare it before and after. */
export function snapshot(world: World): unknown {
  return {
    alive: world.count,
    version: world.version,
    entities: world.entities().map((entity) => [entity, valuesOf(world, entity)]),
    lists: stateOf(world)
      .graph.all.filter((archetype) => archetype.count > 0)
      .map((archetype) => [String(archetype), [...archetype.ids.slice(0, archetype.count)]]),
    free: stateOf(world).table.freeIndices(),
  };
}

/** The components of an entity by name, with their values. */
export function valuesOf(world: World, entity: Entity): { [component: string]: unknown } {
  const stores = stateOf(world).archetypeAt(indexOf(entity))?.stores ?? [];
  return Object.fromEntries(
    stores.map(({ component }) => [component.name, structuredClone(world.get(entity, component as never))]),
  );
}

/** Runs `change`, expects it to throw, and expects that nothing has changed. Gives what was thrown. */
export function refused(world: World, change: () => unknown): Error {
  const before = snapshot(world);
  let thrown: unknown;
  try {
    change();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, "nothing was thrown").toBeInstanceOf(Error);
  expect(snapshot(world)).toEqual(before);
  expect(checkWorld(world)).toEqual([]);
  return thrown as Error;
}

/** What `change` throws, as `[code, message]`, with nothing changed. */
export function refusal(world: World, change: () => unknown): string {
  const error = refused(world, change);
  return `${error.name}: ${error.message}`;
}

/** `ESPALIER_RUNS=0.1` runs a tenth of each property, for a quick look; `ESPALIER_RUNS=10` ten times as much. */
const FACTOR = Number(process.env.ESPALIER_RUNS ?? 1);

/**
 * Runs a property with a seed that is printed when it fails: fast-check shows it with the smallest counterexample, and
 * `fc.assert(property, { seed, path })` repeats it.
 */
export function property<T>(arbitrary: fc.Arbitrary<T>, run: (value: T) => void, runs = 200): void {
  fc.assert(fc.property(arbitrary, run), {
    numRuns: Math.ceil(runs * FACTOR),
    interruptAfterTimeLimit: 45_000 * Math.max(1, FACTOR),
  });
}
