/** Write a world value: position, rotation or scale as they are on the screen, whatever the parents do. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";
import { changed, type NumberChange } from "../../document/values/number-change.ts";

export type WorldField = "x" | "y" | "rotation" | "scaleX" | "scaleY";

export function readWorldValue({ space }: EditorDocument, entity: Entity, field: WorldField): number {
  if (field === "x" || field === "y") return space.worldOf(entity)[field];
  if (field === "rotation") return space.worldRotation(entity);
  const scale = space.lossyScale(entity);
  return field === "scaleX" ? scale.x : scale.y;
}

/** @throws SingularTransformError where a parent's scale is 0; nothing has changed then. */
export function setWorldValue(
  document: EditorDocument,
  entities: Iterable<Entity>,
  field: WorldField,
  change: NumberChange,
  options?: EditOptions,
): void {
  const { space, tree } = document;
  // Parents first: a parent that moves takes along a child that was already placed. All are read before the first is
  // written, for the same reason: a child that moved with its parent must not be moved twice.
  const parentsFirst = [...entities].sort((a, b) => tree.depthOf(a) - tree.depthOf(b));
  const values = parentsFirst.map((entity) => changed(change, readWorldValue(document, entity, field)));
  edit(
    document,
    document.t("step.setWorld", { field }),
    () => {
      for (const [k, entity] of parentsFirst.entries()) {
        const value = values[k] as number;
        const at = space.worldOf(entity);
        if (field === "x") space.setWorldPosition(entity, value, at.y);
        else if (field === "y") space.setWorldPosition(entity, at.x, value);
        else if (field === "rotation") space.setWorldRotation(entity, value);
        else {
          const scale = space.lossyScale(entity);
          if (field === "scaleX") space.setWorldScale(entity, value, scale.y);
          else space.setWorldScale(entity, scale.x, value);
        }
      }
    },
    options,
  );
}
