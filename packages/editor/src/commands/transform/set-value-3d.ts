/** Write one number of 3D transforms: relative to the parent or in the world, angles as Euler angles. */
import type { Entity } from "espalier";
import { eulerToQuaternion, quaternionToEuler, type Transforms3D } from "espalier/transform";
import type { EditorDocument } from "../../document/document.ts";
import { type EditOptions, edit } from "../../document/edit.ts";
import { changed, type NumberChange } from "../../document/values/number-change.ts";

export const fields3D = ["x", "y", "z", "angleX", "angleY", "angleZ", "scaleX", "scaleY", "scaleZ"] as const;
export type Field3D = (typeof fields3D)[number];

/** All numbers of an entity, angles in radians (order XYZ). */
export function readValues3D(
  space: Transforms3D,
  entity: Entity,
  isWorld: boolean,
): { readonly [field in Field3D]: number } {
  const local = space.localOf(entity);
  const position = isWorld ? space.worldPosition(entity) : local;
  const angles = quaternionToEuler(isWorld ? space.worldRotation(entity) : local);
  const world = isWorld ? space.lossyScale(entity) : undefined;
  return {
    x: position.x,
    y: position.y,
    z: position.z,
    angleX: angles.x,
    angleY: angles.y,
    angleZ: angles.z,
    scaleX: world?.x ?? local.scaleX,
    scaleY: world?.y ?? local.scaleY,
    scaleZ: world?.z ?? local.scaleZ,
  };
}

/**
 * Writes parents before their children, so that each entity ends up with the value.
 *
 * @throws UnrepresentableTransformError, SingularTransformError or InvalidValueError; nothing has changed then.
 */
export function setValue3D(
  document: EditorDocument,
  entities: readonly Entity[],
  field: Field3D,
  change: NumberChange,
  isWorld: boolean,
  options?: EditOptions,
): void {
  const { space3D: space, tree } = document;
  if (space === undefined) return;
  const parentsFirst = [...entities].sort((a, b) => tree.depthOf(a) - tree.depthOf(b));
  const label = document.t(isWorld ? "step.setWorld" : "step.set", { field, name: `Transform3D.${field}` });
  // All are read before the first is written: a child that moved with its parent must not be moved twice.
  const values = parentsFirst.map((entity) => changed(change, readValues3D(space, entity, isWorld)[field]));
  const write = () => {
    for (const [k, entity] of parentsFirst.entries()) {
      const now = { ...readValues3D(space, entity, isWorld), [field]: values[k] as number };
      if (field.startsWith("angle")) {
        const rotation = eulerToQuaternion(now.angleX, now.angleY, now.angleZ);
        if (isWorld) space.setWorldRotation(entity, rotation);
        else document.world.set(entity, space.component, { ...rotation });
      } else if (field.startsWith("scale")) {
        if (isWorld) space.setWorldScale(entity, now.scaleX, now.scaleY, now.scaleZ);
        else space.setScale(entity, now.scaleX, now.scaleY, now.scaleZ);
      } else if (isWorld) space.setWorldPosition(entity, now.x, now.y, now.z);
      else space.setPosition(entity, now.x, now.y, now.z);
    }
  };
  edit(document, label, write, options);
}
