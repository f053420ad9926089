/**
 * Values that no component holds and tools want to show: depth, path, the position in the world. Rooms and programs register how
 * each is computed; nothing is computed before an entity is inspected.
 */
import { attached } from "../attached.ts";
import { requireFunction, requireObject, requireText } from "../checks/arguments.ts";
import { describeValue } from "../components/fields.ts";
import type { Entity } from "../entities/entity.ts";
import { InvalidValueError } from "../errors.ts";
import type { WorldState } from "../state.ts";
import { stateOf, type World } from "../world.ts";

/** Something that can be computed for entities; see `registerComputed`. */
export interface ComputedSource {
  /** Unique among the computed values of a world. */
  readonly name: string;
  /** The value for a living entity, or `undefined` where it does not apply. */
  readonly compute: (entity: Entity) => unknown;
}

/**
 * Shows a computed value wherever entities are inspected. Returns a function that ends it.
 *
 * @throws InvalidValueError when the world has a computed value of that name.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const e = world.spawn(Health({ hp: 25 }));
 * registerComputed(world, { name: "wounded", compute: (it) => world.get(it, Health)!.hp < 50 });
 * inspect(world, e).computed; // → [{ name: "wounded", value: true }]
 * ```
 */
export function registerComputed(world: World, source: ComputedSource): () => void {
  stateOf(world).requireUsable("register a computed value");
  requireObject(source, "register a computed value", "the source");
  requireText(source.name, "register a computed value", "its name");
  requireFunction(source.compute, `register computed value ${source.name}`, "compute");
  const sources = computedOf(world);
  if (isTaken(sources, source.name)) {
    throw new InvalidValueError(
      `Cannot register computed value ${describeValue(source.name)}: this world has one of that name. Rename one.`,
      { subject: source.name },
    );
  }
  sources.add(source);
  return () => void sources.delete(source);
}

/**
 * `registerComputed` for rooms: where the name is taken, because a world has two trees for example, the name of the owner distinguishes
 * the second from the first.
 */
export function provideComputed(world: World, owner: string, source: ComputedSource): void {
  const sources = computedOf(world);
  let { name } = source;
  if (isTaken(sources, name)) name = `${name} (${owner})`;
  for (let k = 2; isTaken(sources, name); k++) name = `${source.name} (${owner} ${k})`;
  sources.add({ name, compute: source.compute });
}

function isTaken(sources: ReadonlySet<ComputedSource>, name: string): boolean {
  return [...sources].some((other) => other.name === name);
}

/** The computed values that a world has. */
export function computedOf(world: World): Set<ComputedSource> {
  return computedIn(stateOf(world));
}

/** The same by the state of the world. */
export function computedIn(state: WorldState): Set<ComputedSource> {
  return attached(state, "espalier.computed", () => new Set<ComputedSource>());
}
