/**
 * three.js: Object3D under a Scene, as its users have it: `matrixAutoUpdate` on, `updateMatrixWorld` of
 * the scene once per frame, as the renderer calls it. 2D means z = 0 and rotation about z. It has no
 * destroy.
 */
import { Object3D, Scene } from "three";
import { casesOf } from "./cases.mjs";

export const subjects = {
  three: {
    bundle: 'export { Object3D, Scene } from "three";',
    cases: casesOf(createSpace, { without: ["destroy"], unable }),
  },
};

/** A million objects take 2 GB and 13 s each time they are built. */
function unable(_, { size }) {
  return size > 100_000 ? "too slow" : undefined;
}

function createSpace() {
  let scene = new Scene();

  function set(object, x, y, rotation, scaleX, scaleY) {
    object.position.set(x, y, 0);
    object.rotation.z = rotation;
    object.scale.set(scaleX, scaleY, 1);
  }

  function spawn(parent, x, y, rotation, scaleX, scaleY) {
    const object = new Object3D();
    set(object, x, y, rotation, scaleX, scaleY);
    (parent ?? scene).add(object);
    return object;
  }

  let visitSum = 0;
  let visitCount = 0;
  function addUp(object) {
    visitSum = (visitSum + Math.imul(object.id, ++visitCount)) | 0;
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    root.traverse(addUp);
    return visitSum;
  }

  return {
    spawn,
    set,
    move: (object, parent) => parent.add(object),
    update: () => scene.updateMatrixWorld(),
    visit,
    restart() {
      scene = new Scene();
    },
    readWorld(object, out) {
      const { elements } = object.matrixWorld;
      out[0] = elements[0];
      out[1] = elements[1];
      out[2] = elements[4];
      out[3] = elements[5];
      out[4] = elements[12];
      out[5] = elements[13];
    },
    numberOf: (object) => object.id,
    childrenOf: (object) => object.children,
    isAlive: () => true,
  };
}
