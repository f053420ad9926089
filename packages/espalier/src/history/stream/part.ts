/**
 * What a stream reports between two positions: which entities existed, which exist now, and their keys.
 */
import type { Entity } from "../../ecs/index.ts";
import type { WorldState } from "../../ecs/internal.ts";
import type { Key } from "../patch/patch.ts";
import type { Members } from "./members.ts";
import type { Traces } from "./traces.ts";

export interface Part {
  /** The key of an entity that was included at the start; `undefined` for others. */
  before(entity: Entity): Key | undefined;
  /** The key of an entity that is included now; `undefined` for others. */
  now(entity: number): Key | undefined;
  /** Living entities that entered the part or left it, apart from those created or destroyed. */
  readonly flipped: readonly Entity[];
  /** All entities that may have entered, left or moved. */
  readonly touched: ReadonlySet<Entity>;
}

/** All entities of the world, by their handles. */
export function wholeWorld(state: WorldState, traces: Traces): Part {
  const touched = new Set<Entity>();
  for (const entity of traces.entities.keys()) if (entity !== 0) touched.add(entity);
  return {
    before: (entity) =>
      (traces.entities.get(entity)?.wasThere ?? state.isAlive(entity)) ? entity : undefined,
    now: (entity) => (state.isAlive(entity) ? entity : undefined),
    flipped: [],
    touched,
  };
}

/** The entities in `members`, at a position and now. */
export function partSince(state: WorldState, members: Members, traces: Traces, position: number): Part {
  const touched = members.flippedSince(position);
  const flipped = [...touched].filter((entity) => state.isAlive(entity));
  for (const entity of traces.entities.keys()) if (entity !== 0) touched.add(entity);
  return {
    before: members.at(position),
    now: (entity) => members.keys.get(entity as Entity),
    flipped,
    touched,
  };
}
