/**
 * bitecs 0.4: an exclusive relation with `autoRemoveSubject`; its children have no order. A relation to
 * a new target makes new components, so the work per step grows with the world.
 */
import {
  addComponent,
  addEntity,
  createRelation,
  createWorld,
  entityExists,
  getRelationTargets,
  query,
  removeComponent,
  removeEntity,
} from "bitecs";
import { casesOf } from "./cases.mjs";

export const subjects = {
  bitecs: { cases: casesOf(createTree, { without: ["siblings_insert"], unable }) },
};

/** A million children would take 2 GB; to detach one of 100,000 takes 60 ms. */
function unable(_, { size }) {
  return size > 10_000 ? "too slow" : undefined;
}

const ChildOf = createRelation({ exclusive: true, autoRemoveSubject: true });

function createTree() {
  let world = createWorld();
  const names = [];
  const childrenOf = (parent) => query(world, [ChildOf(parent)]);
  const parentOf = (entity) => getRelationTargets(world, entity, ChildOf)[0];

  function spawn(parent) {
    const entity = addEntity(world);
    if (parent !== undefined) addComponent(world, entity, ChildOf(parent));
    return entity;
  }

  function move(entity, parent) {
    addComponent(world, entity, ChildOf(parent));
  }

  function detach(entity) {
    removeComponent(world, entity, ChildOf(parentOf(entity)));
  }

  function sumChildren(parent) {
    const children = query(world, [ChildOf(parent)]);
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i], i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(entity) {
    visitSum = (visitSum + Math.imul(entity, ++visitCount)) | 0;
    const children = query(world, [ChildOf(entity)]);
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  function climb(entity) {
    let steps = 0;
    for (let up = parentOf(entity); up !== undefined; up = parentOf(up)) steps++;
    return steps;
  }

  function find(root, path) {
    let entity = root;
    for (const name of path.split("/")) entity = childNamed(entity, name);
    return entity;
  }

  function childNamed(parent, name) {
    const children = query(world, [ChildOf(parent)]);
    for (let i = 0; i < children.length; i++) if (names[children[i]] === name) return children[i];
    return undefined;
  }

  return {
    ordered: false,
    spawn,
    move,
    detach,
    destroy: (entity) => removeEntity(world, entity),
    count: (parent) => query(world, [ChildOf(parent)]).length,
    sumChildren,
    visit,
    climb,
    setName(entity, name) {
      names[entity] = name;
    },
    find,
    numberOf: (entity) => entity,
    parentOf,
    childrenOf,
    isAlive: (entity) => entityExists(world, entity),
    restart() {
      world = createWorld();
    },
    perRun: { destroyedParents: 1, siblings: 32, counts: 10 },
  };
}
