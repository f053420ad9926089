/**
 * What page and worker must agree on, and the messages about mismatches.
 */
import {
  type AnyComponent,
  checkOptions,
  describeValue,
  type Field,
  isComponent,
  type OptionKinds,
  type World,
} from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { type AnyTree, createChangeFormat, type ValueCodec } from "../history/index.ts";
import type { Transforms2D, Transforms3D } from "../transform/index.ts";
import { ContractMismatchError, InvalidWorkerError } from "./errors.ts";

/** A space whose transforms are sent as blocks. */
export type AnySpace = Transforms2D | Transforms3D;

/** What page and worker share. Both sides must list the same. */
export interface SharedState {
  /** The components that the page gets. Those of `spaces` are included automatically. */
  readonly components: readonly AnyComponent[];
  /** The hierarchies that the page gets. Those of `spaces` if left out. */
  readonly trees?: readonly AnyTree[];
  /** The spaces whose transforms are sent as blocks of numbers. */
  readonly spaces?: readonly AnySpace[];
  /** Codecs for values that cannot be written otherwise, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** `"transferred"`: no shared memory, even if it is available. */
  readonly memory?: "transferred";
}

/** Options that both sides have. */
export const sharedOptions: OptionKinds = {
  components: "anything",
  trees: "anything",
  spaces: "anything",
  codecs: "anything",
  memory: ["transferred"],
  port: "anything",
};

/** Derived from the options. */
export interface Contract {
  readonly components: readonly AnyComponent[];
  readonly trees: readonly AnyTree[];
  readonly spaces: readonly AnySpace[];
  readonly codecs: { readonly [field: string]: ValueCodec } | undefined;
  readonly hash: number;
  /** As text, a line for each component, hierarchy and space. */
  readonly lines: readonly string[];
  /** Whether this side can share memory. */
  readonly shares: boolean;
}

/**
 * @param doing - Completes "Cannot …" in the message.
 * @throws InvalidWorkerError, InvalidOptionError
 */
export function contractOf(world: World, options: SharedState, doing: string, known: OptionKinds): Contract {
  const refuse = (option: string, what: string, value: unknown) =>
    new InvalidWorkerError(`Cannot ${doing}: ${what}, got ${describeValue(value)}.`, { option, value });
  if (typeof Object(world).spawn !== "function")
    throw refuse("world", "the first argument is a world", world);
  if (typeof options !== "object" || options === null)
    throw refuse("options", "it takes { components, … }", options);
  checkOptions(world.checks, doing, options, known);
  const { components: given, spaces = [], codecs, memory } = options;
  if (!Array.isArray(given) || !given.every(isComponent))
    throw refuse("components", "components are an array of components", given);
  if (!Array.isArray(spaces) || !spaces.every(isSpace))
    throw refuse(
      "spaces",
      "spaces are an array of the results of createTransforms2D or createTransforms3D",
      spaces,
    );
  const trees = options.trees ?? [...new Set(spaces.map(({ tree }): Hierarchy => tree))];
  if (!Array.isArray(trees) || !trees.every((tree) => typeof Object(tree).parentOf === "function"))
    throw refuse("trees", "trees are an array of hierarchies", trees);
  for (const tree of trees)
    if (tree.world !== world) throw refuse("trees", "trees are of the same world", tree);
  for (const space of spaces) {
    if (trees.includes(space.tree)) continue;
    throw refuse("spaces", "the hierarchy of each space is among the trees", space.name);
  }
  const components = [...new Set<AnyComponent>([...given, ...spaces.map(({ component }) => component)])];
  const names = trees.map(({ name }) => name);
  return {
    components,
    trees,
    spaces,
    codecs,
    hash: createChangeFormat({ components, trees: [...names, ...spaces.map(({ name }) => `space ${name}`)] })
      .hash,
    lines: [
      ...components.map(lineOf),
      ...names.map((name) => `tree ${name}`),
      ...spaces.map(({ name, component }) => `space ${name} of ${component.name}`),
    ],
    shares: memory === undefined && canShare(),
  };
}

/** @throws ContractMismatchError, always. */
export function mismatch(here: readonly string[], there: readonly string[]): ContractMismatchError {
  const onlyHere = here.filter((line) => !there.includes(line));
  const onlyThere = there.filter((line) => !here.includes(line));
  const sides = [
    onlyHere.length > 0 ? `only the page has ${onlyHere.join("; ")}` : "",
    onlyThere.length > 0 ? `only the worker has ${onlyThere.join("; ")}` : "",
  ].filter((text) => text !== "");
  const what =
    sides.length > 0
      ? sides.join(", ")
      : "the same names in another order, or another version of the library";
  return new ContractMismatchError(
    `Cannot mirror the world of the worker: ${what}. Import one list of components on both sides, and reload page and worker together.`,
    { here: onlyHere, there: onlyThere },
  );
}

function lineOf({ name, schema }: AnyComponent): string {
  const fields = Object.entries(schema).map(([field, spec]) => `${field}: ${(spec as Field).kind}`);
  return fields.length === 0 ? name : `${name} { ${fields.join(", ")} }`;
}

function isSpace(value: unknown): boolean {
  const { setLocal, component, tree } = Object(value) as Partial<AnySpace>;
  return typeof setLocal === "function" && isComponent(component) && typeof tree === "object";
}

/** Pages may share memory only if they are isolated from other origins. Node has no such restriction. */
function canShare(): boolean {
  return typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;
}
