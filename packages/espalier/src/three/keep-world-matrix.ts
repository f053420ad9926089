/**
 * For three.js before revision 166, which writes the world matrix of an object although its `matrixWorldAutoUpdate` is off.
 */
import { type Object3D, REVISION } from "three";

/**
 * Lets three.js update only what depends on the world matrix of the object: its children, the inverse of a camera. Returns the
 * function that ends it.
 */
export function keepWorldMatrix(object: Object3D): () => void {
  if (Number.parseInt(REVISION, 10) >= 166) return nothing;
  const { updateMatrixWorld, updateWorldMatrix } = object;
  object.updateMatrixWorld = (force) => asRoot(object, () => updateMatrixWorld.call(object, force));
  object.updateWorldMatrix = (_updateParents, updateChildren) =>
    asRoot(object, () => updateWorldMatrix.call(object, false, updateChildren));
  return () => {
    Object.assign(object, { updateMatrixWorld, updateWorldMatrix });
  };
}

/** A root gets its local matrix as world matrix: with the same matrix as both, the copy changes nothing. */
function asRoot(object: Object3D, update: () => void): void {
  const { parent, matrix } = object;
  Object.assign(object, { parent: null, matrix: object.matrixWorld });
  try {
    update();
  } finally {
    Object.assign(object, { parent, matrix });
  }
}

function nothing(): void {}
