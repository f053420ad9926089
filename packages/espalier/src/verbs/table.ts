/**
 * All verbs by name: the source of the command line and of the tools for agents.
 */
import { addComponent } from "./calls/add-component.ts";
import { align } from "./calls/align.ts";
import { apply } from "./calls/apply.ts";
import { create } from "./calls/create.ts";
import { deleteEntities } from "./calls/delete.ts";
import { duplicate } from "./calls/duplicate.ts";
import { find } from "./calls/find.ts";
import { get } from "./calls/get.ts";
import { group } from "./calls/group.ts";
import { insert } from "./calls/insert.ts";
import { instantiate } from "./calls/instantiate.ts";
import { log } from "./calls/log.ts";
import { makeInstance } from "./calls/make-instance.ts";
import { makePrefab } from "./calls/make-prefab.ts";
import { prefabs } from "./calls/prefabs.ts";
import { removeComponent } from "./calls/remove-component.ts";
import { rename } from "./calls/rename.ts";
import { reorder } from "./calls/reorder.ts";
import { reparent } from "./calls/reparent.ts";
import { replacePrefab } from "./calls/replace-prefab.ts";
import { revert } from "./calls/revert.ts";
import { rewrite } from "./calls/rewrite.ts";
import { set } from "./calls/set.ts";
import { show } from "./calls/show.ts";
import { undo } from "./calls/undo.ts";
import { unpack } from "./calls/unpack.ts";
import { unset } from "./calls/unset.ts";
import { validate } from "./calls/validate.ts";
import type { AnyVerb, Verb } from "./verb.ts";

/** Every verb by its name, in the order of the documentation. */
export const verbs = {
  find,
  get,
  show,
  validate,
  log,
  create,
  delete: deleteEntities,
  duplicate,
  rename,
  reparent,
  reorder,
  set,
  unset,
  "add-component": addComponent,
  "remove-component": removeComponent,
  group,
  align,
  insert,
  rewrite,
  prefabs,
  "make-prefab": makePrefab,
  "make-instance": makeInstance,
  instantiate,
  apply,
  revert,
  unpack,
  "replace-prefab": replacePrefab,
  undo,
} as const;

/** The name of a verb. */
export type VerbName = keyof typeof verbs;

/** The parameters of a verb. */
export type VerbParameters<Name extends VerbName> =
  (typeof verbs)[Name] extends Verb<infer Parameters> ? Parameters : never;

/** The verb with that name; `undefined` if there is none. */
export function verbNamed(name: string): AnyVerb | undefined {
  return Object.hasOwn(verbs, name) ? (verbs as { readonly [name: string]: AnyVerb })[name] : undefined;
}
