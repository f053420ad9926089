/**
 * What people write by hand: objects with a reference to the parent, an array of children, and nested
 * objects for the data; one list of all of them for the systems, one of the roots for the transforms. An
 * object stores its index in each list, so that removal can swap with the last one.
 */
import { casesOf } from "./cases.mjs";
import {
  armourOf,
  damping,
  fullArmour,
  fullHealth,
  hpOf,
  motionXOf,
  motionYOf,
  prefabParents,
  regenOf,
  seconds,
  spinOf,
  xOf,
  yOf,
} from "./data.mjs";

export const subjects = { objects: { cases: casesOf(createGame) } };

class Thing {
  parent = undefined;
  children = [];
  isAlive = true;
  place = 0;
  rootPlace = -1;
  name = "";
  motion = undefined;
  health = undefined;
  rotation = 0;
  scaleX = 1;
  scaleY = 1;
  a = 1;
  b = 0;
  c = 0;
  d = 1;
  tx = 0;
  ty = 0;

  constructor(id, x, y) {
    this.id = id;
    this.x = x;
    this.y = y;
  }

  add(child) {
    child.remove();
    child.parent = this;
    this.children.push(child);
  }

  remove() {
    if (this.parent === undefined) return;
    const { children } = this.parent;
    children.splice(children.indexOf(this), 1);
    this.parent = undefined;
  }

  /** World from local and parent, for itself and everything below. */
  updateWorld(above) {
    const cos = Math.cos(this.rotation);
    const sin = Math.sin(this.rotation);
    const la = cos * this.scaleX;
    const lb = sin * this.scaleX;
    const lc = -sin * this.scaleY;
    const ld = cos * this.scaleY;
    this.a = above.a * la + above.c * lb;
    this.b = above.b * la + above.d * lb;
    this.c = above.a * lc + above.c * ld;
    this.d = above.b * lc + above.d * ld;
    this.tx = above.a * this.x + above.c * this.y + above.tx;
    this.ty = above.b * this.x + above.d * this.y + above.ty;
    const { children } = this;
    for (let i = 0; i < children.length; i++) children[i].updateWorld(this);
  }
}

function createGame() {
  const all = [];
  const roots = [];
  const top = new Thing(0, 0, 0);
  let lastId = 0;

  function spawnPlace(parent, n) {
    const thing = new Thing(++lastId, xOf(n), yOf(n));
    thing.place = all.push(thing) - 1;
    if (parent === undefined) thing.rootPlace = roots.push(thing) - 1;
    else parent.add(thing);
    return thing;
  }

  function spawn(parent, n) {
    const thing = spawnPlace(parent, n);
    thing.motion = { x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) };
    thing.health = { hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) };
    return thing;
  }

  function spawnPrefab(parent) {
    const made = [];
    for (let k = 0; k < prefabParents.length; k++) {
      made.push(spawn(prefabParents[k] < 0 ? parent : made[prefabParents[k]], k));
    }
    return made[0];
  }

  function leave(thing) {
    thing.isAlive = false;
    thing.parent = undefined;
    const last = all.pop();
    if (last !== thing) {
      all[thing.place] = last;
      last.place = thing.place;
    }
    const { children } = thing;
    for (let i = 0; i < children.length; i++) leave(children[i]);
    thing.children = [];
  }

  function destroy(thing) {
    if (thing.parent !== undefined) thing.remove();
    else {
      const last = roots.pop();
      if (last !== thing) {
        roots[thing.rootPlace] = last;
        last.rootPlace = thing.rootPlace;
      }
    }
    leave(thing);
  }

  function destroyAll() {
    for (const thing of all) {
      thing.isAlive = false;
      thing.parent = undefined;
      thing.children = [];
    }
    all.length = 0;
    roots.length = 0;
  }

  function update() {
    for (let i = 0; i < roots.length; i++) roots[i].updateWorld(top);
  }

  function damp() {
    for (const { motion } of all) {
      motion.x *= damping;
      motion.y *= damping;
      motion.spin *= damping;
    }
  }
  function heal() {
    for (const { health } of all) {
      health.hp = Math.min(fullHealth, health.hp + health.regen * seconds);
      health.armour += (fullArmour - health.armour) * seconds;
    }
  }
  function drift() {
    for (const thing of all) {
      const { motion } = thing;
      thing.x += motion.x * seconds;
      thing.y += motion.y * seconds;
      thing.rotation += motion.spin * seconds;
    }
  }
  function shiftAll(by, turn) {
    for (const thing of all) {
      thing.x += by;
      thing.y -= by;
      thing.rotation += turn;
    }
  }

  function sumWorlds(things) {
    let sum = 0;
    for (let i = 0; i < things.length; i++) sum += things[i].tx + things[i].ty;
    return sum;
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

  return {
    ordered: true,
    spawn,
    spawnPlace,
    spawnPrefab,
    spawnMany: (count, n) => Array.from({ length: count }, () => spawn(undefined, n)),
    setName(thing, name) {
      thing.name = name;
    },
    destroy,
    destroyAll,
    move: (thing, parent) => parent.add(thing),
    setLocal(thing, x, y, rotation) {
      thing.x = x;
      thing.y = y;
      thing.rotation = rotation;
    },
    shiftAll,
    damp,
    heal,
    drift,
    update,
    sumWorlds,
    sumChildren,
    visit,
    numberOf: (thing) => thing.id,
    valuesOf: ({ x, y, rotation, motion, health }) => [
      x,
      y,
      rotation,
      motion.x,
      motion.y,
      motion.spin,
      health.hp,
      health.armour,
      health.regen,
    ],
    readWorld: ({ tx, ty }) => ({ x: tx, y: ty }),
    parentOf: (thing) => thing.parent,
    childrenOf: (thing) => thing.children,
    isAlive: (thing) => thing.isAlive,
    count: () => all.length,
  };
}
