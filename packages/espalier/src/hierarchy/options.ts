/**
 * The options of a hierarchy and of its calls.
 */
import { describeValue, type EntityLike } from "../ecs/index.ts";
import { checkOptions, type OptionKinds } from "../ecs/internal.ts";
import { InvalidHierarchyError } from "./errors.ts";
import type { DepthLimit, InlineLinks } from "./links/forms.ts";

/**
 * What happens to the children of an entity that is destroyed: they go too, become roots, or go to its parent. `refuse`: an entity that
 * has children is not destroyed.
 */
export type DestroyPolicy = "cascade" | "orphan" | "adopt" | "refuse";

/**
 * What `keep` may name where the spaces of a tree are not known: those of the library by name, for completion, and any other.
 * `{}` is what keeps TypeScript from folding all of it into `string`.
 */
export type SpaceName = "world" | "rect" | (string & {});

/** Options of `createHierarchy`. */
export interface HierarchyOptions<Keep extends string = SpaceName> {
  /** Distinguishes several hierarchies of one world, in messages and tools. `"tree"` if left out. */
  readonly name?: string;
  /**
   * What happens to the children of a destroyed entity: they go too (`cascade`, the default), become roots
   * (`orphan`), or move up to its parent, into its position (`adopt`). A child that limits or constraints keep from
   * being adopted becomes a root, and one that may not be a root goes too. With `refuse` an entity is destroyed only without
   * children, or together with all of them: anything else is a `HasChildrenError`.
   */
  readonly onDestroy?: DestroyPolicy;
  /**
   * Something that children keep when their parent is destroyed and they live on: `"world"` with `espalier/transform`. What
   * cannot be kept goes to the world's `onError`, and the child moves without.
   */
  readonly keep?: Keep;
  /** How deep trees may get: `depthLimit({ max, warn })`. No limit if left out. */
  readonly limits?: DepthLimit;
  /** Refuse more children per parent than this. No limit if left out; roots are not counted. */
  readonly maxChildren?: number;
  /**
   * Linked lists if left out, without bounds: 32 bytes per entity, every operation in constant time. `inlineLinks(n)` keeps up to n children in
   * a fixed array inside each node, and is `maxChildren` too.
   */
  readonly links?: InlineLinks;
  /**
   * Refuse two siblings with the same name. Children that a destroyed parent leaves behind get a number where their
   * name is taken: `turret~2`.
   */
  readonly uniqueNames?: boolean;
  /** How many events a slow reader may lag behind before it misses some. If left out, `eventBytes` is the only bound. */
  readonly eventCapacity?: number;
  /** The most memory for events that a reader has not read yet. 64 MiB if left out. */
  readonly eventBytes?: number;
  /** Gets warnings; the console if left out. */
  readonly onWarn?: (message: string) => void;
}

/** What stays as it is when an entity gets another parent. */
export interface KeepOptions<Keep extends string = SpaceName> {
  /**
   * The name of a space of the tree in which it stays where it is although the parent changes: `"world"` with `createTransforms2D`
   * and `createTransforms3D`, `"rect"` with `createRectTransforms`, and those that `createHierarchy<"grid">(world)` announces.
   */
  readonly keep?: Keep;
}

/** Where among the siblings: at an index, beside a sibling, or at an end. Last if left out. */
export interface AttachOptions<Keep extends string = SpaceName> extends KeepOptions<Keep> {
  /** An index among the children without the moved one; clamped, negative counts from the end (-1: last position). */
  readonly at?: number | "first" | "last";
  /** The sibling it is put in front of. */
  readonly before?: EntityLike;
  /** The sibling it is put behind. */
  readonly after?: EntityLike;
}

/** Options of `tree.destroy`. */
export interface DestroyOptions<Keep extends string = SpaceName> {
  /** What happens to the children. The `onDestroy` of the hierarchy if left out. */
  readonly children?: DestroyPolicy;
  /** Something that children which live on keep: `"world"` with `espalier/transform`. The hierarchy's `keep` if left out. */
  readonly keep?: Keep;
}

const hierarchyOptions: OptionKinds = {
  name: "string",
  onDestroy: "anything",
  keep: "string",
  limits: "anything",
  maxChildren: "anything",
  links: "anything",
  uniqueNames: "boolean",
  eventCapacity: "anything",
  eventBytes: "anything",
  onWarn: "function",
};

/** What the walking calls take. */
export const traverseOptions: OptionKinds = { order: ["pre", "post", "level"], includeSelf: "boolean" };
export const ancestorOptions: OptionKinds = { includeSelf: "boolean" };
export const siblingOptions: OptionKinds = { from: ["first", "self"], wrap: "boolean" };
/** What the editing calls take. */
export const attachOptions: OptionKinds = {
  at: "anything",
  before: "anything",
  after: "anything",
  keep: "string",
};
export const keepOptions: OptionKinds = { keep: "string" };
export const destroyOptions: OptionKinds = {
  children: ["cascade", "orphan", "adopt", "refuse"],
  keep: "string",
};

/** The options of the calls that run in loops; see `needCheck`. */
export const optionKinds = {
  traverse: traverseOptions,
  ancestor: ancestorOptions,
  sibling: siblingOptions,
  attach: attachOptions,
  keep: keepOptions,
  destroy: destroyOptions,
};

/** @throws InvalidHierarchyError when options cannot work, InvalidOptionError for those that do not exist. */
export function checkHierarchyOptions(checks: boolean, options: HierarchyOptions): void {
  checkOptions(checks, "create a hierarchy", options, hierarchyOptions);
  count(options.maxChildren, "maxChildren", 1);
  madeBy(options.links, "createLinks", "links", "inlineLinks(maxChildren) or upLinks()");
  madeBy(options.limits, "createDepths", "limits", "depthLimit({ max, warn })");
  oneOf(options.onDestroy, "onDestroy", ["cascade", "orphan", "adopt", "refuse"]);
  if (options.links !== undefined && options.maxChildren !== undefined) {
    throw new InvalidHierarchyError(
      "Cannot create a hierarchy with inlineLinks() and maxChildren: the links have the bound. Leave maxChildren out.",
      { option: "maxChildren", value: options.maxChildren },
    );
  }
}

/** Options that are values come from functions, so that a program carries only what it names. */
function madeBy(value: object | undefined, member: string, what: string, makers: string): void {
  if (value === undefined || (typeof value === "object" && value !== null && member in value)) return;
  throw new InvalidHierarchyError(
    `Cannot create a hierarchy with ${what} ${describeValue(value)}. Use ${makers}, or leave it out.`,
    { option: what, value },
  );
}

function count(value: number | undefined, what: string, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw new InvalidHierarchyError(
    `Cannot create a hierarchy with ${what} ${String(value)}. Give an integer of at least ${least}.`,
    { option: what, value },
  );
}

function oneOf(value: string | undefined, what: string, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const names = known.map((name) => describeValue(name));
  throw new InvalidHierarchyError(
    `Cannot create a hierarchy with ${what} ${describeValue(value)}. Use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`,
    { option: what, value },
  );
}
