/**
 * Checks of the arguments of this room's public calls, so that every bad argument gets a helpful error.
 */
import {
  describeValue,
  type Entity,
  type EntityLike,
  handleOf,
  InvalidEntityError,
  type World,
} from "../ecs/index.ts";
import {
  checkOptions,
  DEVELOPMENT,
  isHandle,
  type OptionKinds,
  stateOf,
  type WorldState,
} from "../ecs/internal.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { SceneUseError } from "./errors.ts";

export function refuseUse(doing: string, why: string): SceneUseError {
  return new SceneUseError(`Cannot ${doing}: ${why}`, "scene/invalid-use");
}

export function requireTree(tree: unknown, doing: string): Hierarchy {
  const { world, childrenOf, attachNew } = Object(tree) as Partial<Hierarchy>;
  if (typeof world === "object" && typeof childrenOf === "function" && typeof attachNew === "function") {
    stateOf(world).requireUsable(doing);
    return tree as Hierarchy;
  }
  throw refuseUse(
    doing,
    `it takes a hierarchy with children, got ${describeValue(tree)}. Pass what createHierarchy() returned.`,
  );
}

export function requireWorld(world: unknown, doing: string): World {
  const state = stateOf(Object(world) as World) as WorldState | undefined;
  if (state === undefined) {
    throw refuseUse(
      doing,
      `it takes a world, got ${describeValue(world)}. Pass what createWorld() returned.`,
    );
  }
  state.requireUsable(doing);
  return world as World;
}

/** Checks that an entity is alive. */
export function requireEntity({ world }: { readonly world: World }, entity: unknown, doing: string): Entity {
  const handle: unknown = handleOf(world, entity as EntityLike);
  if (!isHandle(handle)) {
    throw new InvalidEntityError(
      `Cannot ${doing}: ${describeValue(entity)} is not an entity. Pass what spawn() returned.`,
      { value: entity },
    );
  }
  stateOf(world).require(handle, doing);
  return handle;
}

/**
 * The options, or none. Where values are checked, unknown options are refused.
 *
 * @param checks - Left out where there is no world to ask: a format belongs to none.
 */
export function requireOptions<Options extends object>(
  options: Options | undefined,
  doing: string,
  kinds: OptionKinds,
  checks: boolean = DEVELOPMENT,
): Options {
  if (options === undefined) return {} as Options;
  if (!isRecord(options)) {
    throw refuseUse(
      doing,
      `options are an object, got ${describeValue(options)}. Leave them out, or write { … }.`,
    );
  }
  checkOptions(checks, doing, options, kinds);
  return options;
}

export function requireInstanceOf<Thing>(
  thing: unknown,
  type: abstract new (...args: never[]) => Thing,
  what: string,
  doing: string,
): Thing {
  if (thing instanceof type) return thing;
  throw refuseUse(doing, `it takes ${what}, got ${describeValue(thing)}.`);
}

export function requireList(list: unknown, what: string, doing: string): readonly unknown[] {
  if (Array.isArray(list)) return list;
  throw refuseUse(doing, `${what} is an array, got ${describeValue(list)}.`);
}

export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error of user code as text; anything may have been thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : describeValue(error);
}
