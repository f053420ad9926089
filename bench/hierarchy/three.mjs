/**
 * three.js: Object3D. It has no insert beside a sibling (done on the array of children, as its users
 * do, which skips its event) and no destroy: an object is removed and left to the garbage collector.
 */
import { Object3D } from "three";
import { casesOf } from "./cases.mjs";

export const subjects = {
  three: { cases: casesOf(createTree, { without: ["cascade_destroy", "chain_destroy"], unable }) },
};

/** A million objects take 2 GB and 13 s each time they are built. */
function unable(name) {
  return name === "chain_build" ? "too slow" : undefined;
}

function createTree() {
  function spawn(parent) {
    const object = new Object3D();
    if (parent) parent.add(object);
    return object;
  }

  function insertBefore(object, sibling) {
    const { parent } = sibling;
    object.removeFromParent();
    parent.children.splice(parent.children.indexOf(sibling), 0, object);
    object.parent = parent;
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

  function climb(object) {
    let steps = 0;
    for (let up = object.parent; up !== null; up = up.parent) steps++;
    return steps;
  }

  /** Its own getObjectByName searches everything below; a path names a child at every step. */
  function find(root, path) {
    let object = root;
    for (const name of path.split("/")) object = childNamed(object, name);
    return object;
  }

  function childNamed({ children }, name) {
    for (let i = 0; i < children.length; i++) if (children[i].name === name) return children[i];
    return undefined;
  }

  return {
    ordered: true,
    spawn,
    move: (object, parent) => parent.add(object),
    detach: (object) => object.removeFromParent(),
    insertBefore,
    count: (object) => object.children.length,
    sumChildren,
    visit,
    climb,
    setName(object, name) {
      object.name = name;
    },
    find,
    numberOf: (object) => object.id,
    parentOf: (object) => object.parent ?? undefined,
    childrenOf: (object) => object.children,
    isAlive: () => true,
    restart: () => undefined,
    perRun: { siblings: 32 },
  };
}
