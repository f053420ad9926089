/**
 * What people write by hand: objects with a reference to the parent and an array of children. Destroying
 * marks all descendants, so that code which still has a reference can see it.
 */
import { casesOf } from "./cases.mjs";

export const subjects = { objects: { cases: casesOf(createTree) } };

class Thing {
  parent = undefined;
  children = [];
  name = "";
  isAlive = true;

  constructor(id) {
    this.id = id;
  }

  add(child) {
    child.remove();
    child.parent = this;
    this.children.push(child);
  }

  insertBefore(child, sibling) {
    child.remove();
    child.parent = this;
    this.children.splice(this.children.indexOf(sibling), 0, child);
  }

  remove() {
    if (this.parent === undefined) return;
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
    this.parent = undefined;
  }

  destroy() {
    this.remove();
    const open = [this];
    while (open.length > 0) {
      const thing = open.pop();
      thing.isAlive = false;
      thing.parent = undefined;
      for (const child of thing.children) open.push(child);
      thing.children = [];
    }
  }
}

function createTree() {
  let lastId = 0;

  function spawn(parent) {
    const thing = new Thing(++lastId);
    if (parent) parent.add(thing);
    return thing;
  }

  function sumChildren({ children }) {
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i].id, i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(thing) {
    visitSum = (visitSum + Math.imul(thing.id, ++visitCount)) | 0;
    const { children } = thing;
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  function climb(thing) {
    let steps = 0;
    for (let up = thing.parent; up !== undefined; up = up.parent) steps++;
    return steps;
  }

  function find(root, path) {
    let thing = root;
    for (const name of path.split("/")) thing = childNamed(thing, name);
    return thing;
  }

  function childNamed({ children }, name) {
    for (let i = 0; i < children.length; i++) if (children[i].name === name) return children[i];
    return undefined;
  }

  return {
    ordered: true,
    spawn,
    move: (thing, parent) => parent.add(thing),
    detach: (thing) => thing.remove(),
    insertBefore: (thing, sibling) => sibling.parent.insertBefore(thing, sibling),
    destroy: (thing) => thing.destroy(),
    count: (thing) => thing.children.length,
    sumChildren,
    visit,
    climb,
    setName(thing, name) {
      thing.name = name;
    },
    find,
    numberOf: (thing) => thing.id,
    parentOf: (thing) => thing.parent,
    childrenOf: (thing) => thing.children,
    isAlive: (thing) => thing.isAlive,
    perRun: { siblings: 32 },
  };
}
