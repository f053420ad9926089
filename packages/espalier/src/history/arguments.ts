/**
 * Checks of the arguments of snapshots, differences and patches, so that every bad argument gets a helpful error.
 */
import { type AnyComponent, describeValue, isComponent, type World } from "../ecs/index.ts";
import { checkOptions, stateOf, type WorldState } from "../ecs/internal.ts";
import { InvalidHistoryError, SnapshotMismatchError } from "./errors.ts";
import type { AnyTree } from "./state.ts";

export function requireWorld(world: unknown, doing: string): World {
  const state = stateOf(Object(world) as World) as WorldState | undefined;
  if (state === undefined) {
    throw refuseCall(
      doing,
      `it takes a world, got ${describeValue(world)}. Pass what createWorld() returned`,
    );
  }
  state.requireUsable(doing);
  return world as World;
}

/**
 * Checks the form of options, and in development builds that the call knows them.
 * @param known - The options of the call. `world` is among them if `{ world, trees }`, which `diff` compares, is allowed too.
 */
export function requireOptions(
  checks: boolean,
  options: object,
  doing: string,
  known: readonly string[],
): void {
  if (!isObject(options)) {
    throw refuseCall(
      doing,
      `options are an object, got ${describeValue(options)}. Leave them out, or write { … }`,
    );
  }
  const { trees, resources, codecs, key } = options;
  requirePart(isListOf(trees, isTree), doing, "trees are an array of hierarchies", trees);
  requirePart(isListOf(resources, isNamed), doing, "resources are an array of resources", resources);
  requirePart(isObject(codecs), doing, "codecs are an object by component and field", codecs);
  requirePart(typeof key === "function", doing, "key is a function that gives the key of an entity", key);
  for (const [name, codec] of Object.entries(codecs ?? {})) {
    const { encode, decode } = Object(codec) as { encode?: unknown; decode?: unknown };
    if (typeof encode === "function" && typeof decode === "function") continue;
    throw refuseCall(doing, `the codec of ${name} has no encode and decode`);
  }
  checkOptions(checks, doing, options, Object.fromEntries(known.map((name) => [name, "anything"])));
}

/** Checks a list of components. */
export function requireComponents(components: unknown, doing: string): void {
  requirePart(isListOf(components, isComponent), doing, "components are an array of components", components);
}

/** Checks that a filter of components is a function. */
export function requireFilter(components: unknown, doing: string): void {
  requirePart(
    typeof components === "function",
    doing,
    "components is a function that gets a name",
    components,
  );
}

/** Checks that the trees belong to the world. */
export function requireOwnTrees(world: World, trees: readonly AnyTree[] = []): void {
  for (const tree of trees) {
    if (tree.world === world) continue;
    throw new SnapshotMismatchError(
      `Cannot use hierarchy ${tree.name}: it belongs to another world. Give the hierarchies of this one.`,
      { subject: tree.name },
    );
  }
}

/** The component with a name that the world knows, or a given one. */
export function findComponent(world: World, name: string, given: readonly AnyComponent[] = []): AnyComponent {
  const component = stateOf(world).componentNamed(name) ?? given.find((each) => each.name === name);
  if (component !== undefined) return component;
  throw new SnapshotMismatchError(
    `Cannot use component ${name}: this world does not know it. Give it in components, or use it in the world first.`,
    { component: name },
  );
}

/** Refuses an option of the wrong form; one that is left out is valid. */
export function requirePart(isRight: boolean, doing: string, what: string, value: unknown): void {
  if (!isRight && value !== undefined) throw refuseCall(doing, `${what}, got ${describeValue(value)}`);
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
}

function isTree(tree: unknown): boolean {
  const { world, name, parentOf } = Object(tree) as { world?: unknown; name?: unknown; parentOf?: unknown };
  return typeof world === "object" && typeof name === "string" && typeof parentOf === "function";
}

function isNamed(resource: unknown): boolean {
  return typeof (Object(resource) as { name?: unknown }).name === "string";
}

function refuseCall(doing: string, why: string): InvalidHistoryError {
  return new InvalidHistoryError(`Cannot ${doing}: ${why}.`);
}
