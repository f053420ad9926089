/**
 * Locks of the editor: locked entities are not picked in the viewport. They are part of the world, so that undo covers them,
 * and never part of a file.
 */
import { bool, type Component, component, type Field } from "espalier";
import { defineInherited, type InheritedDefinition } from "espalier/inherit";

/** Own lock. */
export const EditorLock: Component<{ on: Field<boolean, "bool"> }> = component(
  "EditorLock",
  { on: bool(true) },
  { storage: "sparse" },
);

/** Effective lock: on when the entity or one of its ancestors is locked. */
export const locking: InheritedDefinition<{ on: Field<boolean, "bool"> }, boolean> = defineInherited({
  name: "editor lock",
  component: EditorLock,
  initial: false as boolean,
  combine: (parent, own) => parent || own.on,
});
