/** Write a world value: position, rotation or scale as they are on the screen, whatever the parents do. */
import type { Entity } from "espalier";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";

export type WorldField = "x" | "y" | "rotation" | "scaleX" | "scaleY";

/** @throws SingularTransformError where a parent's scale is 0; nothing has changed then. */
export function setWorldValue(
  document: EditorDocument,
  entities: Iterable<Entity>,
  field: WorldField,
  value: number,
  options?: EditOptions,
): void {
  const { space, tree } = document;
  // Parents first: a parent that moves takes along a child that already stands where it should.
  const parentsFirst = [...entities].sort((a, b) => tree.depthOf(a) - tree.depthOf(b));
  edit(
    document,
    document.t("step.setWorld", { field }),
    () => {
      for (const entity of parentsFirst) {
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
