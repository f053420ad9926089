/**
 * What is asked of the arguments of snapshots, differences and patches, so that whatever is passed gets an error that helps.
 */
import { type AnyComponent, describeValue, isComponent, type World } from "../ecs/index.ts";
import { checkOptions, type OptionKinds, stateOf, type WorldState } from "../ecs/internal.ts";
import { InvalidHistoryError, SnapshotMismatchError } from "./errors.ts";
import type { StateOptions } from "./state.ts";

export function requireWorld(world: unknown, doing: string): World {
  const state = stateOf(Object(world) as World) as WorldState | undefined;
  if (state !== undefined) {
    state.requireUsable(doing);
    return world as World;
  }
  throw refuse(doing, `it takes a world, got ${describeValue(world)}. Pass what createWorld() returned`);
}

interface AnyOptions extends StateOptions {
  readonly components?: readonly AnyComponent[] | ((name: string) => boolean);
  readonly key?: unknown;
}

/** The options, with every part of the form that it must have. */
export function requireParts<Options extends AnyOptions>(
  options: Options | undefined,
  doing: string,
): Options {
  if (options === undefined) return {} as Options;
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw refuse(
      doing,
      `options are an object, got ${describeValue(options)}. Leave them out, or write { … }`,
    );
  }
  const { trees, resources, codecs, key } = options as AnyOptions;
  const list = (value: unknown, what: string, isRight: (item: unknown) => boolean) => {
    if (value === undefined || (Array.isArray(value) && value.every(isRight))) return;
    throw refuse(doing, `${what}, got ${describeValue(value)}`);
  };
  list(trees, "trees are a list of hierarchies", isTree);
  list(resources, "resources are a list of resources", isNamed);
  if (codecs !== undefined && (typeof codecs !== "object" || codecs === null || Array.isArray(codecs))) {
    throw refuse(doing, `codecs are an object by component and field, got ${describeValue(codecs)}`);
  }
  for (const [name, codec] of Object.entries(codecs ?? {})) {
    const { encode, decode } = Object(codec) as { encode?: unknown; decode?: unknown };
    if (typeof encode === "function" && typeof decode === "function") continue;
    throw refuse(doing, `the codec of ${name} has no encode and decode`);
  }
  if (key !== undefined && typeof key !== "function") {
    throw refuse(doing, `key is a function that gives the key of an entity, got ${describeValue(key)}`);
  }
  return options;
}

// The options of each call. What they hold is asked by `requireParts` and the call itself.

/**
 * By what the call does, as its messages say it. `world` is there where `{ world, trees }`, which `diff` compares, serves too.
 * Written out, because bundlers keep an object that is made from another one.
 */
const optionsOf = {
  "take a snapshot": {
    world: "anything",
    trees: "anything",
    resources: "anything",
    codecs: "anything",
    root: "anything",
  },
  "restore a snapshot": {
    world: "anything",
    trees: "anything",
    resources: "anything",
    codecs: "anything",
    components: "anything",
  },
  "apply a patch": {
    world: "anything",
    trees: "anything",
    key: "anything",
    components: "anything",
    codecs: "anything",
  },
  "compare states": { key: "anything", components: "anything", codecs: "anything" },
  "follow changes": { trees: "anything", components: "anything", codecs: "anything", maxBytes: "anything" },
} as const satisfies { readonly [doing: string]: OptionKinds };

/** Refuses options that the call does not have, in development builds. */
export function requireKnown(
  { checks }: { readonly checks: boolean },
  options: object,
  doing: keyof typeof optionsOf,
): void {
  checkOptions(checks, doing, options, optionsOf[doing]);
}

/** That components are a list of them. */
export function requireComponents(components: unknown, doing: string): void {
  if (components === undefined || (Array.isArray(components) && components.every(isComponent))) return;
  throw refuse(doing, `components are a list of components, got ${describeValue(components)}`);
}

function isTree(tree: unknown): boolean {
  const { world, name, parentOf } = Object(tree) as { world?: unknown; name?: unknown; parentOf?: unknown };
  return typeof world === "object" && typeof name === "string" && typeof parentOf === "function";
}

function isNamed(resource: unknown): boolean {
  return typeof (Object(resource) as { name?: unknown }).name === "string";
}

function refuse(doing: string, why: string): InvalidHistoryError {
  return new InvalidHistoryError(`Cannot ${doing}: ${why}.`);
}

/** That the trees belong to the world. */
export function requireOwnTrees(world: World, { trees = [] }: StateOptions, doing: string): void {
  for (const tree of trees) {
    if (tree.world === world) continue;
    throw new SnapshotMismatchError(
      `Cannot ${doing}: hierarchy ${tree.name} belongs to another world. Give the hierarchies of this one.`,
    );
  }
}
