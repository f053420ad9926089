/**
 * The group that holds driven objects, all beside each other.
 */
import { Group, Object3D } from "three";

const { updateMatrixWorld } = Object3D.prototype;

/**
 * A group whose children three.js does not walk over to compute matrices: they have theirs. Only those are visited that
 * have children of their own, or do something more when they move, as cameras and skinned meshes do.
 */
export function createFlatRoot(): Group {
  const root = new Group();
  root.name = "espalier";
  root.matrixAutoUpdate = false;
  root.matrixWorldAutoUpdate = false;
  root.updateMatrixWorld = (force) => {
    for (const child of root.children) {
      const isDriven = !child.matrixWorldAutoUpdate && child.children.length === 0;
      if (!isDriven || child.updateMatrixWorld !== updateMatrixWorld) child.updateMatrixWorld(force);
    }
  };
  return root;
}
