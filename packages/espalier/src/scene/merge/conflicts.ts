/**
 * Conflicts of a merge as data: the value of each side, and which side the result follows.
 */
import { describeValue } from "../../ecs/index.ts";
import { ownOf } from "../../history/internal.ts";
import { isRecord, refuseUse } from "../arguments.ts";
import type { Json } from "../json/json.ts";

/** Which of the two changed files something comes from. */
export type MergeSide = "ours" | "theirs";

/** How a conflict can be resolved. `"both"` is for entities that both sides added under one id. */
export type MergeChoice = MergeSide | "both";

/**
 * What a conflict is about.
 *
 * - `"value"`: both sides changed a field of a component, or a key of an entity or of the file, in different ways.
 * - `"component"`: one side removed a component that the other changed.
 * - `"name"`, `"parent"`, `"order"`: both sides renamed an entity, moved it, or moved the same children within their list.
 * - `"cycle"`: moves of both sides together would make an entity its own ancestor.
 * - `"deleted"`: one side deleted an entity, with everything below it, in which the other changed something.
 * - `"added"`: both sides added an entity under the same id.
 * - `"prefab"`: one side made an entity an instance of another prefab, or unpacked it, and the other changed its content.
 * - `"unsound"`: the sides are each valid but not together, so the entity (or the file) is taken from one side.
 */
export type MergeConflictKind =
  | "value"
  | "component"
  | "name"
  | "parent"
  | "order"
  | "cycle"
  | "deleted"
  | "added"
  | "prefab"
  | "unsound";

/** A disagreement of the two sides. */
export interface MergeConflict {
  /** Identifies it for `resolve`: the same whenever the same three files are merged. */
  readonly key: string;
  /** What the conflict is about. */
  readonly kind: MergeConflictKind;
  /** The id of the entity; `null` for the file itself. `"tank/turret"` is inside an instance of a prefab. */
  readonly entity: string | null;
  /** The component, if it is about one. */
  readonly component?: string;
  /** The field of the component, or the key of the entity or file. */
  readonly field?: string;
  /** Further entities that take part: the cycle, what was changed below a deleted entity, the children of a list. */
  readonly entities?: readonly string[];
  /** The value in the common file; `undefined` if it has none. */
  readonly base: Json | undefined;
  /** The value in our file; `undefined` if it has none. */
  readonly ours: Json | undefined;
  /** The value in their file; `undefined` if it has none. */
  readonly theirs: Json | undefined;
  /** The choice unless `resolve` says otherwise. */
  readonly default: MergeChoice;
  /** The choice that the result follows. */
  readonly choice: MergeChoice;
}

/** How conflicts are resolved: all in favour of one side, by key, or by a function. The default applies to all others. */
export type MergeResolution =
  | MergeSide
  | { readonly [key: string]: MergeChoice }
  | ((conflict: MergeConflict) => MergeChoice | undefined);

/** A conflict before it is resolved. */
export type OpenConflict = Omit<MergeConflict, "key" | "default" | "choice"> & {
  readonly default?: MergeChoice;
};

/** Collects conflicts and resolves each as it is found. */
export class Conflicts {
  private readonly found = new Map<string, MergeConflict>();
  private readonly resolve: (conflict: MergeConflict) => MergeChoice | undefined;

  constructor(resolution: MergeResolution | undefined) {
    this.resolve = resolverOf(resolution);
  }

  get list(): readonly MergeConflict[] {
    return [...this.found.values()];
  }

  /** Adds a conflict, once for each key. @returns the side that the result follows. */
  add(open: OpenConflict): MergeChoice {
    const key = keyOf(open);
    const known = this.found.get(key);
    if (known !== undefined) return known.choice;
    const standard = open.default ?? "ours";
    const conflict: MergeConflict = { ...open, key, default: standard, choice: standard };
    const choice = requireChoice(this.resolve(conflict) ?? standard, conflict);
    this.found.set(key, { ...conflict, choice });
    return choice;
  }

  /** `add` for conflicts that only sides can resolve. */
  side(open: OpenConflict): MergeSide {
    return this.add(open) as MergeSide;
  }
}

function keyOf({ kind, entity, component, field, entities }: OpenConflict): string {
  const steps = [component, field].filter((step) => step !== undefined);
  // A cycle belongs to all of its entities equally.
  const owner = kind === "cycle" ? (entities as readonly string[]).join(" ") : (entity ?? "");
  return [kind, owner, steps.join(".")].filter((part) => part !== "").join(" ");
}

function resolverOf(
  resolution: MergeResolution | undefined,
): (conflict: MergeConflict) => MergeChoice | undefined {
  if (resolution === undefined) return () => undefined;
  if (typeof resolution === "function") return resolution;
  if (resolution === "ours" || resolution === "theirs") return () => resolution;
  if (isRecord(resolution)) return ({ key }) => ownOf(resolution, key);
  throw refuseUse(
    "merge scenes",
    `resolve is "ours", "theirs", an object by key, or a function, got ${describeValue(resolution)}.`,
  );
}

function requireChoice(choice: MergeChoice, { key, kind }: MergeConflict): MergeChoice {
  if (choice === "ours" || choice === "theirs" || (choice === "both" && kind === "added")) return choice;
  const sides = kind === "added" ? '"ours", "theirs" or "both"' : '"ours" or "theirs"';
  throw refuseUse(
    "merge scenes",
    `the conflict ${describeValue(key)} is resolved by ${describeValue(choice)}. Give ${sides}.`,
  );
}
