/**
 * koota: traits, read and written through their stores; an exclusive relation with `autoDestroy` for the
 * tree, without order. The transform pass is what a user would write: the parent's id in a column beside
 * the relation, every entity once per pass, its parent before it.
 */
import { createQuery, createWorld, getStore, relation, trait } from "koota";
import { casesOf } from "./cases.mjs";
import { peerCompany } from "./company.mjs";
import {
  armourOf,
  damping,
  fullArmour,
  fullHealth,
  hpOf,
  motionXOf,
  motionYOf,
  regenOf,
  seconds,
  spinOf,
  xOf,
  yOf,
} from "./data.mjs";
import { spawnManyBy, spawnPrefabBy } from "./drawing.mjs";

const ChildOf = relation({ exclusive: true, autoDestroy: "orphan" });
const Local = trait({ x: 0, y: 0, rotation: 0, scaleX: 1, scaleY: 1 });
const World = trait({ a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0 });
const Motion = trait({ x: 0, y: 0, spin: 0 });
const Health = trait({ hp: 0, armour: 0, regen: 0 });
const Name = trait({ value: "" });

export const subjects = {
  koota: {
    cases: {
      ...casesOf(createGame, { unable }),
      company: peerCompany("../ecs/koota.mjs", "koota-stores"),
    },
  },
};

/** A million entities take seconds to create. */
function unable(_, size) {
  return size > 100_000 ? "too slow" : undefined;
}

function createGame(capacity) {
  const world = createWorld();
  const parents = new Int32Array(capacity + 2); // entity ids start at 1, 0 means none
  const stamps = new Int32Array(capacity + 2);
  let stamp = 0;
  world.spawn(Local, World).destroy(); // creates the stores
  const local = getStore(world, Local);
  const global = getStore(world, World);
  const placed = createQuery(Local);
  const moving = createQuery(Motion);
  const living = createQuery(Health);
  const drifting = createQuery(Local, Motion);

  function spawnPlace(parent, n) {
    const place = Local({ x: xOf(n), y: yOf(n) });
    const entity =
      parent === undefined ? world.spawn(place, World) : world.spawn(place, World, ChildOf(parent));
    parents[entity.id()] = parent === undefined ? 0 : parent.id();
    return entity;
  }

  function spawn(parent, n) {
    const place = Local({ x: xOf(n), y: yOf(n) });
    const motion = Motion({ x: motionXOf(n), y: motionYOf(n), spin: spinOf(n) });
    const health = Health({ hp: hpOf(n), armour: armourOf(n), regen: regenOf(n) });
    const entity =
      parent === undefined
        ? world.spawn(place, World, motion, health)
        : world.spawn(place, World, motion, health, ChildOf(parent));
    parents[entity.id()] = parent === undefined ? 0 : parent.id();
    return entity;
  }

  function destroyAll(roots) {
    for (const root of roots) root.destroy();
  }

  function compute(id) {
    stamps[id] = stamp;
    const { x, y, rotation, scaleX, scaleY } = local;
    const { a, b, c, d, tx, ty } = global;
    const cos = Math.cos(rotation[id]);
    const sin = Math.sin(rotation[id]);
    const la = cos * scaleX[id];
    const lb = sin * scaleX[id];
    const lc = -sin * scaleY[id];
    const ld = cos * scaleY[id];
    const up = parents[id];
    if (up === 0) {
      a[id] = la;
      b[id] = lb;
      c[id] = lc;
      d[id] = ld;
      tx[id] = x[id];
      ty[id] = y[id];
      return;
    }
    if (stamps[up] !== stamp) compute(up);
    a[id] = a[up] * la + c[up] * lb;
    b[id] = b[up] * la + d[up] * lb;
    c[id] = a[up] * lc + c[up] * ld;
    d[id] = b[up] * lc + d[up] * ld;
    tx[id] = a[up] * x[id] + c[up] * y[id] + tx[up];
    ty[id] = b[up] * x[id] + d[up] * y[id] + ty[up];
  }

  function update() {
    stamp++;
    const entities = world.query(placed);
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      if (stamps[id] !== stamp) compute(id);
    }
  }

  function dampStores([{ x, y, spin }], entities) {
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      x[id] *= damping;
      y[id] *= damping;
      spin[id] *= damping;
    }
  }
  function healStores([{ hp, armour, regen }], entities) {
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      hp[id] = Math.min(fullHealth, hp[id] + regen[id] * seconds);
      armour[id] += (fullArmour - armour[id]) * seconds;
    }
  }
  function driftStores([{ x, y, rotation }, motion], entities) {
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      x[id] += motion.x[id] * seconds;
      y[id] += motion.y[id] * seconds;
      rotation[id] += motion.spin[id] * seconds;
    }
  }
  let by = 0;
  let byTurn = 0;
  function shiftStores([{ x, y, rotation }], entities) {
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      x[id] += by;
      y[id] -= by;
      rotation[id] += byTurn;
    }
  }

  function sumWorlds(entities) {
    const { tx, ty } = global;
    let sum = 0;
    for (let i = 0; i < entities.length; i++) {
      const id = entities[i].id();
      sum += tx[id] + ty[id];
    }
    return sum;
  }

  function sumChildren(parent) {
    const children = world.query(ChildOf(parent));
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i], i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(entity) {
    visitSum = (visitSum + Math.imul(entity, ++visitCount)) | 0;
    const children = world.query(ChildOf(entity));
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  return {
    ordered: false,
    spawn,
    spawnPlace,
    spawnPrefab: spawnPrefabBy(spawn),
    spawnMany: spawnManyBy(spawn),
    setName: (entity, name) => entity.add(Name({ value: name })),
    destroy: (entity) => entity.destroy(),
    destroyAll,
    move(entity, parent) {
      entity.add(ChildOf(parent));
      parents[entity.id()] = parent.id();
    },
    setLocal(entity, x, y, rotation) {
      const id = entity.id();
      local.x[id] = x;
      local.y[id] = y;
      local.rotation[id] = rotation;
    },
    shiftAll(shift, turn) {
      by = shift;
      byTurn = turn;
      world.query(placed).useStores(shiftStores);
    },
    damp: () => world.query(moving).useStores(dampStores),
    heal: () => world.query(living).useStores(healStores),
    drift: () => world.query(drifting).useStores(driftStores),
    update,
    sumWorlds,
    sumChildren,
    visit,
    dispose: () => world.destroy(),
    numberOf: (entity) => entity,
    valuesOf(entity) {
      const { x, y, rotation } = entity.get(Local);
      const motion = entity.get(Motion);
      const health = entity.get(Health);
      return [x, y, rotation, motion.x, motion.y, motion.spin, health.hp, health.armour, health.regen];
    },
    readWorld(entity) {
      const { tx, ty } = entity.get(World);
      return { x: tx, y: ty };
    },
    parentOf: (entity) => entity.targetFor(ChildOf),
    childrenOf: (entity) => world.query(ChildOf(entity)),
    isAlive: (entity) => world.has(entity),
    count: () => world.query(placed).length,
  };
}
