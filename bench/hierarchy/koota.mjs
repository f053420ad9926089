/**
 * koota, exclusive relation with `autoDestroy`. `koota` asks the relation for the children, which have
 * no order; `koota-ordered` keeps an `ordered` list on the parents beside it, as its README proposes for
 * iterating children.
 */
import { createWorld, ordered, relation, trait } from "koota";
import { casesOf } from "./cases.mjs";

const ChildOf = relation({ exclusive: true, autoDestroy: "orphan" });
const OrderedChildren = ordered(ChildOf);
const Name = trait({ value: "" });

export const subjects = {
  koota: { cases: casesOf(createTree, { without: ["siblings_insert"] }) },
  "koota-ordered": { cases: casesOf(createOrderedTree) },
};

/** What both styles share; `childrenOf` is what differs. */
function createCommon(world, childrenOf) {
  function move(entity, parent) {
    entity.add(ChildOf(parent));
  }

  function detach(entity) {
    entity.remove(ChildOf(entity.targetFor(ChildOf)));
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(entity) {
    visitSum = (visitSum + Math.imul(entity, ++visitCount)) | 0;
    const children = childrenOf(entity);
    if (children === undefined) return;
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
    for (let up = entity.targetFor(ChildOf); up !== undefined; up = up.targetFor(ChildOf)) steps++;
    return steps;
  }

  function find(root, path) {
    let entity = root;
    for (const name of path.split("/")) entity = childNamed(entity, name);
    return entity;
  }

  function childNamed(parent, name) {
    const children = childrenOf(parent);
    for (let i = 0; i < children.length; i++) {
      if (children[i].get(Name).value === name) return children[i];
    }
    return undefined;
  }

  return {
    move,
    detach,
    destroy: (entity) => entity.destroy(),
    visit,
    climb,
    setName: (entity, name) => entity.add(Name({ value: name })),
    find,
    numberOf: (entity) => entity,
    parentOf: (entity) => entity.targetFor(ChildOf),
    childrenOf: (entity) => childrenOf(entity) ?? [],
    isAlive: (entity) => world.has(entity),
  };
}

function createTree() {
  const world = createWorld();
  const childrenOf = (parent) => world.query(ChildOf(parent));

  function spawn(parent) {
    return parent === undefined ? world.spawn() : world.spawn(ChildOf(parent));
  }

  function sumChildren(parent) {
    const children = world.query(ChildOf(parent));
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i], i + 1)) | 0;
    return sum;
  }

  return {
    ...createCommon(world, childrenOf),
    ordered: false,
    spawn,
    sumChildren,
    count: (parent) => world.query(ChildOf(parent)).length,
    perRun: { siblings: 32, counts: 10 },
  };
}

function createOrderedTree() {
  const world = createWorld();
  const childrenOf = (parent) => parent.get(OrderedChildren);

  function spawn(parent, isLeaf) {
    if (parent === undefined) return world.spawn(OrderedChildren);
    return isLeaf ? world.spawn(ChildOf(parent)) : world.spawn(OrderedChildren, ChildOf(parent));
  }

  function insertBefore(entity, sibling) {
    const siblings = sibling.targetFor(ChildOf).get(OrderedChildren);
    siblings.insert(entity, siblings.indexOf(sibling));
  }

  function sumChildren(parent) {
    const children = parent.get(OrderedChildren);
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i], i + 1)) | 0;
    return sum;
  }

  return {
    ...createCommon(world, childrenOf),
    ordered: true,
    spawn,
    insertBefore,
    sumChildren,
    count: (parent) => parent.get(OrderedChildren)?.length ?? 0,
    perRun: { siblings: 8 },
  };
}
