/** Set whether entities inherit one part of a transform from their parents. */
import type { Entity } from "espalier";
import { InheritTransform, setInherit as setInheritIn } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { edit } from "../../document/edit.ts";

export type InheritPart = "position" | "rotation" | "scale";

/** The other parts of each entity stay as they are. */
export function setInherit(
  document: EditorDocument,
  entities: Iterable<Entity>,
  part: InheritPart,
  isInherited: boolean,
): void {
  const { space, world } = document;
  edit(document, document.t("step.inherit"), () => {
    for (const entity of entities) {
      const { position, rotation, scale } = world.get(entity, InheritTransform) ?? ALL;
      setInheritIn(space, entity, { position, rotation, scale, [part]: isInherited });
    }
  });
}

const ALL = { position: true, rotation: true, scale: true };
