/**
 * The group that holds driven objects, all beside each other.
 */
import { Group, type Object3D } from "three";

/**
 * A group whose children three.js does not walk over to compute matrices: they have theirs. Only those are visited that
 * have children of their own, or do something more when they move, as cameras and skinned meshes do.
 *
 * @param onVisited - Told of every child that is visited from now on, or left the group and is three.js' to visit.
 */
export function createFlatRoot(onVisited: (child: Object3D) => void): Group {
  const root = new Group();
  root.name = "espalier";
  root.matrixAutoUpdate = false;
  root.matrixWorldAutoUpdate = false;
  const visited = new Set<Object3D>();
  function visit(child: Object3D): void {
    visited.add(child);
    onVisited(child);
  }
  const visitParent = (event: { readonly target: Object3D }) => visit(event.target);
  root.addEventListener("childadded", ({ child }) => {
    if (needsVisit(child)) visit(child);
    // It may get children later.
    child.addEventListener("childadded", visitParent);
  });
  root.addEventListener("childremoved", ({ child }) => {
    visited.delete(child);
    child.removeEventListener("childadded", visitParent);
    onVisited(child);
  });
  root.updateMatrixWorld = (force) => {
    for (const child of visited) child.updateMatrixWorld(force);
  };
  return root;
}

function needsVisit(object: Object3D): boolean {
  return object.matrixWorldAutoUpdate || object.children.length > 0 || overridesUpdate(object);
}

/** Whether it does more than an `Object3D` when it moves. Its own copy of three.js counts, which may be another one. */
function overridesUpdate(object: Object3D): boolean {
  let base: Object3D = object;
  for (let up = Object.getPrototypeOf(base); up?.updateMatrixWorld !== undefined; ) {
    base = up;
    up = Object.getPrototypeOf(up);
  }
  return object.updateMatrixWorld !== base.updateMatrixWorld;
}
