/**
 * The group that holds driven objects as a flat list.
 */
import { Group, type Object3D, REVISION } from "three";

/**
 * A group whose children three.js does not traverse to compute matrices: they have theirs. Only those that have children
 * of their own, or do additional work when they move, such as cameras and skinned meshes, are visited.
 *
 * @param onVisited - Called with every child that is visited from then on, or that left the group and is visited by three.js.
 */
export function createFlatRoot(onVisited: (child: Object3D) => void): Group {
  const root = new Group();
  root.name = "espalier";
  root.matrixAutoUpdate = false;
  root.matrixWorldAutoUpdate = false;
  // Before revision 163 a parent gets no events about its children: there all of them are visited.
  const hasChildEvents = Number.parseInt(REVISION, 10) >= 163;
  const visited = new Set<Object3D>();
  function visit(child: Object3D): void {
    visited.add(child);
    onVisited(child);
  }
  const visitParent = (event: { readonly target: Object3D }) => visit(event.target);
  function onAdded(child: Object3D): void {
    if (!hasChildEvents || needsVisit(child)) visit(child);
    // It may get children later.
    child.addEventListener("childadded", visitParent);
  }
  function onRemoved(child: Object3D): void {
    visited.delete(child);
    child.removeEventListener("childadded", visitParent);
    onVisited(child);
  }
  if (hasChildEvents) {
    root.addEventListener("childadded", (event) => onAdded(event.child));
    root.addEventListener("childremoved", (event) => onRemoved(event.child));
  } else watchCalls(root, onAdded, onRemoved);
  root.updateMatrixWorld = (force) => {
    for (const child of visited) child.updateMatrixWorld(force);
  };
  return root;
}

/** Reports added and removed children by wrapping the calls: three.js itself removes a child from its old parent by `remove`. */
function watchCalls(
  root: Group,
  onAdded: (child: Object3D) => void,
  onRemoved: (child: Object3D) => void,
): void {
  root.add = (...objects) => {
    const arriving = objects.filter((object) => object?.parent !== root);
    Group.prototype.add.apply(root, objects);
    for (const object of arriving) if (object?.parent === root) onAdded(object);
    return root;
  };
  root.remove = (...objects) => {
    const leaving = objects.filter((object) => object?.parent === root);
    Group.prototype.remove.apply(root, objects);
    for (const object of leaving) onRemoved(object);
    return root;
  };
}

function needsVisit(object: Object3D): boolean {
  return object.matrixWorldAutoUpdate || object.children.length > 0 || overridesUpdate(object);
}

/** Whether it does more than an `Object3D` when it moves. Compared with its own copy of three.js, which may be a different one. */
function overridesUpdate(object: Object3D): boolean {
  let base: Object3D = object;
  for (let up = Object.getPrototypeOf(base); up?.updateMatrixWorld !== undefined; ) {
    base = up;
    up = Object.getPrototypeOf(up);
  }
  return object.updateMatrixWorld !== base.updateMatrixWorld;
}
