/**
 * becsy, its `perf` build: a ref from the child, backrefs on the parent; backrefs have no order, and
 * nothing cascades: the user deletes the descendants. All work is done in a system, as it requires;
 * handles that live longer are `hold()` handles.
 */
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
import { casesOf } from "./cases.mjs";

export const subjects = {
  becsy: { cases: casesOf(createTree, { without: ["siblings_insert"], unable }) },
};

/** A chain of a million takes 6 s each time it is built. */
function unable(name) {
  return name === "chain_build" || name === "chain_destroy" ? "too slow" : undefined;
}

class ChildOf {}
ChildOf.schema = { parent: Type.ref };

class Children {}
Children.schema = { list: Type.backrefs(ChildOf, "parent") };

class Name {}
Name.schema = { value: Type.object };

const nobody = [];

async function createTree(capacity, { isKept = false } = {}) {
  let task;
  let system;
  class Work extends System {
    access = this.query((q) => q.using(ChildOf, Children, Name).write);
    execute() {
      system = this;
      task?.();
    }
  }
  // Deleted entities are freed at the end of the next frame: capacity for those of two frames.
  const maxEntities = isKept ? capacity + 1 : capacity * 3 + 100;
  const world = await World.create({
    maxEntities,
    maxLimboComponents: maxEntities * 4,
    maxShapeChangesPerFrame: maxEntities * 8,
    maxRefChangesPerFrame: maxEntities * 4,
    defaultComponentStorage: "sparse",
    defs: [ChildOf, Children, Name, Work],
  });
  await world.execute();

  const childrenOf = (entity) => (entity.has(Children) ? entity.read(Children).list : nobody);

  function spawn(parent, isLeaf) {
    if (parent === undefined) return system.createEntity(Children).hold();
    if (isLeaf) return held(system.createEntity(ChildOf, { parent }));
    return held(system.createEntity(Children, ChildOf, { parent }));
  }

  const held = isKept ? (entity) => entity : (entity) => entity.hold();

  function move(entity, parent) {
    if (entity.has(ChildOf)) entity.write(ChildOf).parent = parent;
    else entity.add(ChildOf, { parent });
  }

  function destroy(root) {
    const open = [root];
    while (open.length > 0) {
      const entity = open.pop();
      for (const child of childrenOf(entity)) open.push(child);
      entity.delete();
    }
  }

  function sumChildren(parent) {
    const children = parent.read(Children).list;
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i].__id, i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(entity) {
    visitSum = (visitSum + Math.imul(entity.__id, ++visitCount)) | 0;
    const children = childrenOf(entity);
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  const parentOf = (entity) => (entity.has(ChildOf) ? entity.read(ChildOf).parent : undefined);

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
    const children = parent.read(Children).list;
    for (let i = 0; i < children.length; i++) {
      if (children[i].read(Name).value === name) return children[i];
    }
    return undefined;
  }

  return {
    ordered: false,
    spawn,
    move,
    detach: (entity) => entity.remove(ChildOf),
    destroy,
    count: (entity) => childrenOf(entity).length,
    sumChildren,
    visit,
    climb,
    setName: (entity, name) => entity.add(Name, { value: name }),
    find,
    numberOf: (entity) => entity.__id,
    parentOf,
    childrenOf,
    isAlive: (entity) => entity.alive,
    frame: (work) => async () => {
      task = work;
      await world.execute();
      task = undefined;
    },
    perRun: { siblings: 32 },
  };
}
