/**
 * bitecs 0.4: typed arrays for all values, and two kinds of tree. `bitecs` uses its exclusive relation with
 * `autoRemoveSubject`, without order, and the parent's id in a column beside it; a relation to a new target
 * makes new components, so the work per step grows with the world. `bitecs-columns` is what users write who
 * need speed: links in their own columns, and a hand-written cascade. The transform pass is written by hand
 * for both: every entity once per pass, its parent before it.
 */
import {
  addComponent,
  addComponents,
  addEntity,
  createRelation,
  createWorld,
  entityExists,
  query,
  removeEntity,
} from "bitecs";
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

export const subjects = {
  bitecs: {
    cases: {
      ...casesOf((capacity) => createGame(capacity, createRelationTree), { unable: unableRelation }),
      company: peerCompany("../ecs/bitecs.mjs", "bitecs"),
    },
  },
  "bitecs-columns": { cases: casesOf((capacity) => createGame(capacity, createColumnTree), { unable }) },
};

function unable(_, size) {
  return size > 100_000 ? "too slow" : undefined;
}

/** To destroy a parent in a world of 10,000 takes milliseconds, a frame of 10,000 several seconds. */
function unableRelation(name, size) {
  if (size > 10_000) return "too slow";
  const destroysParents = [
    "create_child",
    "create_tree",
    "cascade",
    "destroy_all",
    "frame",
    "frame_part",
    "build",
    "cold",
  ];
  return size > 1000 && destroysParents.includes(name) ? "too slow" : undefined;
}

function createRelationTree(world, { parent }) {
  const ChildOf = createRelation({ exclusive: true, autoRemoveSubject: true });
  return {
    ordered: false,
    append(id, target) {
      if (target !== 0) addComponent(world, id, ChildOf(target));
      parent[id] = target;
    },
    move(id, target) {
      addComponent(world, id, ChildOf(target));
      parent[id] = target;
    },
    destroy: (id) => removeEntity(world, id),
    childrenOf: (id) => query(world, [ChildOf(id)]),
    perRun: { destroyed: 500 },
  };
}

function createColumnTree(world, { parent, first, last, previous, next }) {
  function append(id, target) {
    parent[id] = target;
    next[id] = 0;
    if (target === 0) return; // roots have no list
    const sibling = last[target];
    previous[id] = sibling;
    if (sibling === 0) first[target] = id;
    else next[sibling] = id;
    last[target] = id;
  }

  function unlink(id) {
    const from = parent[id];
    if (from === 0) return;
    if (previous[id] === 0) first[from] = next[id];
    else next[previous[id]] = next[id];
    if (next[id] === 0) last[from] = previous[id];
    else previous[next[id]] = previous[id];
  }

  function removeBelow(id) {
    for (let child = first[id]; child !== 0; child = next[child]) removeBelow(child);
    first[id] = 0;
    last[id] = 0;
    removeEntity(world, id);
  }

  function* childrenOf(id) {
    for (let child = first[id]; child !== 0; child = next[child]) yield child;
  }

  return {
    ordered: true,
    append,
    move(id, target) {
      unlink(id);
      append(id, target);
    },
    destroy(id) {
      unlink(id);
      removeBelow(id);
    },
    childrenOf,
    sumChildren(id) {
      let sum = 0;
      let place = 0;
      for (let child = first[id]; child !== 0; child = next[child])
        sum = (sum + Math.imul(child, ++place)) | 0;
      return sum;
    },
    visit(root) {
      let id = root;
      let sum = 0;
      let place = 0;
      for (;;) {
        sum = (sum + Math.imul(id, ++place)) | 0;
        let to = first[id];
        while (to === 0) {
          if (id === root) return sum;
          to = next[id];
          if (to === 0) id = parent[id];
        }
        id = to;
      }
    },
  };
}

function createGame(capacity, createTree) {
  const room = capacity + 2; // entity ids start at 1, 0 means none
  const floats = () => new Float32Array(room);
  const ints = () => new Int32Array(room);
  const world = createWorld();
  const Local = { x: floats(), y: floats(), rotation: floats(), scaleX: floats(), scaleY: floats() };
  const World = { a: floats(), b: floats(), c: floats(), d: floats(), tx: floats(), ty: floats() };
  const Motion = { x: floats(), y: floats(), spin: floats() };
  const Health = { hp: floats(), armour: floats(), regen: floats() };
  const links = { parent: ints(), first: ints(), last: ints(), previous: ints(), next: ints() };
  const tree = createTree(world, links);
  const { append, childrenOf } = tree;
  const { parent } = links;
  const stamps = ints();
  const names = [];
  let stamp = 0;
  const { x, y, rotation, scaleX, scaleY } = Local;
  const { a, b, c, d, tx, ty } = World;
  const { x: motionX, y: motionY, spin } = Motion;
  const { hp, armour, regen } = Health;
  const place = [Local, World];
  const all = [Local, World, Motion, Health];
  const [placed, moving, living, drifting] = [[Local], [Motion], [Health], [Local, Motion]];

  function setPlace(id, n) {
    x[id] = xOf(n);
    y[id] = yOf(n);
    rotation[id] = 0;
    scaleX[id] = 1;
    scaleY[id] = 1;
  }

  function spawnPlace(target, n) {
    const id = addEntity(world);
    addComponents(world, id, place);
    setPlace(id, n);
    append(id, target ?? 0);
    return id;
  }

  function spawn(target, n) {
    const id = addEntity(world);
    addComponents(world, id, all);
    setPlace(id, n);
    motionX[id] = motionXOf(n);
    motionY[id] = motionYOf(n);
    spin[id] = spinOf(n);
    hp[id] = hpOf(n);
    armour[id] = armourOf(n);
    regen[id] = regenOf(n);
    append(id, target ?? 0);
    return id;
  }

  function compute(id) {
    stamps[id] = stamp;
    const cos = Math.cos(rotation[id]);
    const sin = Math.sin(rotation[id]);
    const la = cos * scaleX[id];
    const lb = sin * scaleX[id];
    const lc = -sin * scaleY[id];
    const ld = cos * scaleY[id];
    const up = parent[id];
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
    const ids = query(world, placed);
    for (let i = 0; i < ids.length; i++) if (stamps[ids[i]] !== stamp) compute(ids[i]);
  }

  function damp() {
    const ids = query(world, moving);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      motionX[id] *= damping;
      motionY[id] *= damping;
      spin[id] *= damping;
    }
  }
  function heal() {
    const ids = query(world, living);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      hp[id] = Math.min(fullHealth, hp[id] + regen[id] * seconds);
      armour[id] += (fullArmour - armour[id]) * seconds;
    }
  }
  function drift() {
    const ids = query(world, drifting);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      x[id] += motionX[id] * seconds;
      y[id] += motionY[id] * seconds;
      rotation[id] += spin[id] * seconds;
    }
  }
  function shiftAll(by, turn) {
    const ids = query(world, placed);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i];
      x[id] += by;
      y[id] -= by;
      rotation[id] += turn;
    }
  }

  function sumWorlds(ids) {
    let sum = 0;
    for (let i = 0; i < ids.length; i++) sum += tx[ids[i]] + ty[ids[i]];
    return sum;
  }

  function sumChildren(id) {
    const children = childrenOf(id);
    let sum = 0;
    for (let i = 0; i < children.length; i++) sum = (sum + Math.imul(children[i], i + 1)) | 0;
    return sum;
  }

  let visitSum = 0;
  let visitCount = 0;
  function visitBelow(id) {
    visitSum = (visitSum + Math.imul(id, ++visitCount)) | 0;
    const children = childrenOf(id);
    for (let i = 0; i < children.length; i++) visitBelow(children[i]);
  }
  function visit(root) {
    visitSum = 0;
    visitCount = 0;
    visitBelow(root);
    return visitSum;
  }

  return {
    sumChildren,
    visit,
    ...tree,
    spawn,
    spawnPlace,
    spawnPrefab: spawnPrefabBy(spawn),
    spawnMany: spawnManyBy(spawn),
    setName(id, name) {
      names[id] = name;
    },
    destroyAll(roots) {
      for (const root of roots) tree.destroy(root);
    },
    setLocal(id, newX, newY, newRotation) {
      x[id] = newX;
      y[id] = newY;
      rotation[id] = newRotation;
    },
    shiftAll,
    damp,
    heal,
    drift,
    update,
    sumWorlds,
    numberOf: (id) => id,
    valuesOf: (id) => [
      x[id],
      y[id],
      rotation[id],
      motionX[id],
      motionY[id],
      spin[id],
      hp[id],
      armour[id],
      regen[id],
    ],
    readWorld: (id) => ({ x: tx[id], y: ty[id] }),
    parentOf: (id) => parent[id] || undefined,
    childrenOf,
    isAlive: (id) => entityExists(world, id),
    count: () => query(world, placed).length,
  };
}
