/**
 * What a self-test finds, and the tests that rooms and programs add to that of the world.
 */
import { attached } from "../attached.ts";
import { describeValue } from "../components/fields.ts";
import type { Entity } from "../entities/entity.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";
import { requireFunction, requireObject, requireText } from "./arguments.ts";

/** Something that must hold inside and does not. */
export interface Finding {
  /** The room that found it and what kind of fault it is: `hierarchy/inconsistent`. */
  readonly code: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** The entity it is about, where it is about one. */
  readonly entity?: Entity;
}

/** A self-test; see `registerCheck`. */
export interface CheckSource {
  /** Stands before its messages. */
  readonly name: string;
  /** Everything that is wrong. It may be slow and should be obvious; it must change nothing that can be seen. */
  readonly check: () => Iterable<Finding>;
}

/**
 * Makes a test of your own a part of `checkWorld`. Returns a function that ends it.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * registerCheck(world, {
 *   name: "game",
 *   *check() {
 *     for (const entity of world.query(Health))
 *       if (world.get(entity, Health)!.hp > 100) yield { code: "game/too-healthy", entity, message: "hp is above 100" };
 *   },
 * });
 * const orc = world.spawn(Health({ hp: 500 }));
 * checkWorld(world); // → [{ code: "game/too-healthy", entity: orc, message: "game: hp is above 100" }]
 * ```
 */
export function registerCheck(world: World, source: CheckSource): () => void {
  const state = stateOf(world);
  state.requireUsable("register a check");
  requireObject(source, "register a check", "it");
  requireText(source.name, "register a check", "its name");
  requireFunction(source.check, `register the check ${describeValue(source.name)}`, "check");
  const sources = checksIn(state);
  sources.add(source);
  return () => void sources.delete(source);
}

/** `registerCheck` for rooms, which live as long as their world. */
export function provideCheck(state: WorldState, source: CheckSource): void {
  checksIn(state).add(source);
}

/** The registered tests of a world. */
export function checksIn(state: WorldState): Set<CheckSource> {
  return attached(state, "espalier.checks", () => new Set<CheckSource>());
}

/** What a registered test finds. One that throws is a finding itself. */
export function* findingsOf({ name, check }: CheckSource): IterableIterator<Finding> {
  try {
    for (const { code, message, entity } of check())
      yield { code, message: `${name}: ${message}`, ...(entity === undefined ? {} : { entity }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : describeValue(error);
    yield { code: "ecs/failed-check", message: `${name}: the check itself threw: ${why}` };
  }
}
