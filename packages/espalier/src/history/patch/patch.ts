/**
 * Differences between two states as plain data: what `diff` returns and `applyPatch` takes. Everything in it survives JSON.
 */
import { describeValue } from "../../ecs/internal.ts";
import { InvalidPatchError } from "../errors.ts";
import type { Json } from "../values/value-codec.ts";

/** Identifies an entity in a patch: its handle, or the result of the `key` option. */
export type Key = string | number;

/**
 * Values of some fields. References to entities are keys; numbers that JSON lacks are the strings "NaN", "Infinity",
 * "-Infinity" and "-0"; objects are in the form of snapshots.
 */
export type FieldValues = { readonly [field: string]: Json };

/** The position of an entity in a hierarchy: the parent (`null`: a root) and the sibling before it (`null`: none, left out: last). */
export interface TreePosition {
  /** The parent; `null` for a root. */
  readonly parent: Key | null;
  /** The sibling before it; `null` for the first position, left out for the last. */
  readonly after?: Key | null;
}

/** Creates an entity with components, at its position in each hierarchy. */
export interface AddEntry {
  /** The kind of change. */
  readonly op: "add";
  /** The key of the new entity. */
  readonly id: Key;
  /** Its components by name, each with its values. */
  readonly components: { readonly [component: string]: FieldValues };
  /** By the name of a hierarchy: its position there, and its name. */
  readonly positions: { readonly [tree: string]: TreePosition & { readonly name?: string } };
}

/** Destroys an entity. With `tree`, everything below it there is destroyed too, except entities that other entries move away. */
export interface RemoveEntry {
  /** The kind of change. */
  readonly op: "remove";
  /** The entity that is destroyed. */
  readonly id: Key;
  /** The hierarchy in which everything below it is destroyed too. */
  readonly tree?: string;
}

/** Gives an entity another parent. */
export interface MoveEntry extends TreePosition {
  /** The kind of change. */
  readonly op: "move";
  /** The entity that moves. */
  readonly id: Key;
  /** The name of the hierarchy. */
  readonly tree: string;
}

/** Gives an entity another position among its siblings. */
export interface ReorderEntry {
  /** The kind of change. */
  readonly op: "reorder";
  /** The entity that gets another position. */
  readonly id: Key;
  /** The name of the hierarchy. */
  readonly tree: string;
  /** The sibling before it; `null` for none. */
  readonly after: Key | null;
}

/** Writes some fields of a component, which is added if need be; `null` removes it. */
export interface SetEntry {
  /** The kind of change. */
  readonly op: "set";
  /** The entity that is written. */
  readonly id: Key;
  /** The name of the component. */
  readonly component: string;
  /** The fields that change; `null` removes the component. */
  readonly values: FieldValues | null;
}

/** Names an entity; `null` removes the name. */
export interface RenameEntry {
  /** The kind of change. */
  readonly op: "set";
  /** The entity that is named. */
  readonly id: Key;
  /** The name of the hierarchy. */
  readonly tree: string;
  /** The new name; `null` removes it. */
  readonly name: string | null;
}

/**
 * Writes the same fields of many entities, in place of many entries of kind "set". Change streams produce it for loops. Values are
 * typed arrays as stored in the world; in JSON they are arrays of the values that other entries have.
 */
export interface ColumnsEntry {
  /** The kind of change. */
  readonly op: "columns";
  /** The name of the component, which is added to those that lack it. */
  readonly component: string;
  /** The entities that are written. */
  readonly ids: readonly Key[];
  /** By field: a value for each of them. */
  readonly values: { readonly [field: string]: ArrayLike<number> | readonly Json[] };
}

/** One change of a patch. */
export type PatchEntry = AddEntry | RemoveEntry | MoveEntry | ReorderEntry | SetEntry | RenameEntry;

/** A patch of a change stream: values of many entities may be columns. */
export type StreamPatch = readonly (PatchEntry | ColumnsEntry)[];

/**
 * The difference between two states. The order of the entries does not matter: one may refer to an entity that a later
 * one adds. `diff` lists parents first.
 */
export type Patch = readonly PatchEntry[];

/** Whether the entry sets a component, not a name. */
export function setsComponent(entry: SetEntry | RenameEntry): entry is SetEntry {
  return "component" in entry;
}

/**
 * Checks the form of a patch that may come from anywhere.
 * @throws InvalidPatchError
 */
export function requirePatch(patch: unknown): Patch {
  const checked = requireStreamPatch(patch);
  const k = checked.findIndex(({ op }) => op === "columns");
  if (k < 0) return checked as Patch;
  throw new InvalidPatchError(
    `Cannot use a patch: entry ${k} is of kind "columns", which only change streams give. Use applyPatch().`,
    { value: k },
  );
}

/** The same for patches of change streams. */
export function requireStreamPatch(patch: unknown, doing = "apply a patch"): StreamPatch {
  if (!Array.isArray(patch)) {
    throw new InvalidPatchError(
      `Cannot ${doing}: expected an array of entries, got ${describeValue(patch)}.`,
      { value: patch },
    );
  }
  patch.forEach((entry: unknown, k) => {
    const wrong = misfit(entry);
    if (wrong !== undefined)
      throw new InvalidPatchError(`Cannot ${doing}: entry ${k} ${wrong}.`, { value: k });
  });
  return patch as StreamPatch;
}

const isKey = (value: unknown) => typeof value === "string" || typeof value === "number";
const isKeyOrNull = (value: unknown) => value === null || isKey(value);
const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What is wrong with an entry, phrased to follow its number. */
function misfit(entry: unknown): string | undefined {
  if (!isObject(entry)) return `is ${describeValue(entry)}, not an object`;
  const { op, id } = entry;
  if (op === "columns") return misfitOfColumns(entry);
  if (!isKey(id)) return `has no id that is a string or a number, but ${describeValue(id)}`;
  switch (op) {
    case "add":
      if (!isObject(entry.components) || !Object.values(entry.components).every(isObject))
        return 'of kind "add" has no components';
      if (!isObject(entry.positions)) return 'of kind "add" has no positions';
      return Object.values(entry.positions).every(isPosition) ? undefined : "has a position without a parent";
    case "remove":
      return entry.tree === undefined || typeof entry.tree === "string"
        ? undefined
        : "has a tree that is not a name";
    case "move":
      return typeof entry.tree === "string" && isPosition(entry)
        ? undefined
        : 'of kind "move" lacks tree or parent';
    case "reorder":
      return typeof entry.tree === "string" && isKeyOrNull(entry.after)
        ? undefined
        : 'of kind "reorder" lacks tree or after';
    case "set": {
      const isName =
        typeof entry.tree === "string" && (entry.name === null || typeof entry.name === "string");
      const isValue =
        typeof entry.component === "string" && (entry.values === null || isObject(entry.values));
      return isName || isValue ? undefined : 'of kind "set" lacks component and values, or tree and name';
    }
    default:
      return `has the unknown kind ${describeValue(op)}; use add, remove, move, reorder, set or columns`;
  }
}

function misfitOfColumns({ component, ids, values }: { [key: string]: unknown }): string | undefined {
  if (typeof component !== "string") return 'of kind "columns" lacks component';
  if (!Array.isArray(ids) || !ids.every(isKey)) return 'of kind "columns" has no ids that are keys';
  const isColumn = (column: unknown) =>
    (Array.isArray(column) || (ArrayBuffer.isView(column) && "length" in column)) &&
    (column as ArrayLike<unknown>).length === ids.length;
  return isObject(values) && Object.values(values).every(isColumn)
    ? undefined
    : 'of kind "columns" has no column with a value for each of its ids';
}

function isPosition(value: unknown): boolean {
  return (
    isObject(value) && isKeyOrNull(value.parent) && (value.after === undefined || isKeyOrNull(value.after))
  );
}
