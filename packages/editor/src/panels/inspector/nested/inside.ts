/**
 * The inside of a field as its inputs see it: they know a path, but not the entity or component.
 */
import type { JsonSchema } from "../../../document/values/json-schema.ts";
import type { Tag } from "../../../document/values/value-form.ts";
import type { ValuePath } from "../../../document/values/value-path.ts";

/** The operations inside a field. Each call is one step of the history, or joins the one with the same key. */
export interface Inside {
  /** The name of a path inside a component: `Collider shapes[0].radius`. */
  readonly nameOf: (path: ValuePath) => string;
  readonly set: (path: ValuePath, value: unknown, key?: string) => void;
  /** Changes a number of each entity relative to its current value. */
  readonly change: (path: ValuePath, change: (now: number) => number) => void;
  /** Switches an object to another variant of its schema. */
  readonly setTag: (path: ValuePath, schema: JsonSchema | undefined, tag: Tag, next: unknown) => void;
  /** Ends a gesture. */
  readonly end: () => void;
  /** At the end if `at` is left out. */
  readonly insert: (list: ValuePath, items: readonly unknown[], at?: number) => void;
  readonly remove: (list: ValuePath, at: number, count: number) => void;
  readonly move: (list: ValuePath, from: number, to: number, count: number) => void;
  readonly removeMember: (path: ValuePath) => void;
  /** Why the last change was refused; `undefined` if it was not. */
  readonly errorAt: (path: ValuePath) => string | undefined;
}
