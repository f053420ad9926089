/**
 * three.js: Object3D under a Scene, `matrixAutoUpdate` on, `updateMatrixWorld` of the scene once per frame, as
 * the renderer calls it; the data in `userData`. 2D means z = 0 and rotation about z. It has no destroy: an
 * object that was removed from its parent is garbage.
 */
import { Object3D, Scene } from "three";
import { casesOf } from "./cases.mjs";
import { seconds, xOf, yOf } from "./data.mjs";
import { createData, createList, spawnManyBy, spawnPrefabBy } from "./drawing.mjs";

export const subjects = { three: { cases: casesOf(createGame, { unable }) } };

/** A million objects take 2 GB and 13 s each time they are built. */
function unable(_, size) {
  return size > 100_000 ? "too slow" : undefined;
}

const dataOf = (object) => object.userData;

function createGame() {
  const scene = new Scene();
  const { all, join, leave, damp, heal, dataValues } = createList(dataOf);

  function spawnPlace(parent, n) {
    const object = new Object3D();
    object.position.set(xOf(n), yOf(n), 0);
    (parent ?? scene).add(object);
    return object;
  }

  function spawn(parent, n) {
    const object = spawnPlace(parent, n);
    object.userData = createData(n);
    join(object);
    return object;
  }

  function destroy(object) {
    object.traverse(leave);
    object.removeFromParent();
  }

  function drift() {
    for (const object of all) {
      const { motion } = object.userData;
      object.position.x += motion.x * seconds;
      object.position.y += motion.y * seconds;
      object.rotation.z += motion.spin * seconds;
    }
  }
  function shiftAll(by, turn) {
    for (const object of all) {
      object.position.x += by;
      object.position.y -= by;
      object.rotation.z += turn;
    }
  }

  function sumWorlds(objects) {
    let sum = 0;
    for (let i = 0; i < objects.length; i++) {
      const { elements } = objects[i].matrixWorld;
      sum += elements[12] + elements[13];
    }
    return sum;
  }

  function sumChildren({ children }) {
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i].id, i + 1)) | 0;
    return sum;
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

  function isAlive(object) {
    let top = object;
    while (top.parent !== null) top = top.parent;
    return top === scene;
  }

  return {
    ordered: true,
    spawn,
    spawnPlace,
    spawnPrefab: spawnPrefabBy(spawn),
    spawnMany: spawnManyBy(spawn),
    setName(object, name) {
      object.name = name;
    },
    destroy,
    destroyAll() {
      scene.clear();
      all.length = 0;
    },
    move: (object, parent) => parent.add(object),
    setLocal(object, x, y, rotation) {
      object.position.set(x, y, 0);
      object.rotation.z = rotation;
    },
    shiftAll,
    damp,
    heal,
    drift,
    update: () => scene.updateMatrixWorld(),
    sumWorlds,
    sumChildren,
    visit,
    numberOf: (object) => object.id,
    valuesOf: (object) => [object.position.x, object.position.y, object.rotation.z, ...dataValues(object)],
    readWorld: ({ matrixWorld: { elements } }) => ({ x: elements[12], y: elements[13] }),
    parentOf: (object) => (object.parent === scene ? undefined : object.parent),
    childrenOf: (object) => object.children,
    isAlive,
    count: () => all.length,
  };
}
