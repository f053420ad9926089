/**
 * The inside of a field as its inputs see it: they know a path, and not whose it is.
 */
import type { JsonSchema } from "../../../document/values/json-schema.ts";
import type { Tag } from "../../../document/values/value-form.ts";
import type { ValuePath } from "../../../document/values/value-path.ts";

/** What can be done inside of a field. Each call is one step of the history, or joins the one with the same key. */
export interface Inside {
  /** The name of a path inside a component: `Collider shapes[0].radius`. */
  readonly nameOf: (path: ValuePath) => string;
  readonly set: (path: ValuePath, value: unknown, key?: string) => void;
  /** Changes a number of each of the entities from what it is. */
  readonly change: (path: ValuePath, change: (now: number) => number) => void;
  /** Gives a group another of the forms of its schema. */
  readonly setTag: (path: ValuePath, schema: JsonSchema | undefined, tag: Tag, next: unknown) => void;
  /** Ends a gesture. */
  readonly end: () => void;
  /** Behind all others if `at` is left out. */
  readonly insert: (list: ValuePath, items: readonly unknown[], at?: number) => void;
  readonly remove: (list: ValuePath, at: number, count: number) => void;
  readonly move: (list: ValuePath, from: number, to: number, count: number) => void;
  readonly removeMember: (path: ValuePath) => void;
  /** Why the last change was refused; nothing where it was not refused. */
  readonly errorAt: (path: ValuePath) => string | undefined;
}
