/**
 * The limit: typed arrays by entity id, written by hand for this game. Ids come from a free list and start
 * at 1, 0 means none and is the identity above all roots; entities have a generation, and there is a typed
 * list of the living ones. Local and world transforms are records of 8 floats; the pass follows the links, parents first. No
 * check, no event, capacity for exactly the entities needed.
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

export const subjects = { limit: { cases: casesOf(createGame) } };

function createGame(capacity) {
  const room = capacity + 1;
  const ints = () => new Int32Array(room);
  const floats = () => new Float32Array(room);
  const [parent, first, last, previous, next] = [ints(), ints(), ints(), ints(), ints()];
  const generation = new Uint32Array(room);
  const living = ints();
  const place = ints();
  const isAlive = new Uint8Array(room);
  const free = ints();
  const locals = new Float32Array(room * 8); // x y cos sin scaleX scaleY rotation -
  const worlds = new Float32Array(room * 8); // a b c d tx ty - -
  const [motionX, motionY, spin, hp, armour, regen] = [
    floats(),
    floats(),
    floats(),
    floats(),
    floats(),
    floats(),
  ];
  const names = [];
  let livingCount = 0;
  let freeCount = capacity;
  for (let i = 0; i < capacity; i++) free[i] = capacity - i;
  worlds[0] = worlds[3] = 1;

  function append(id, target) {
    const sibling = last[target];
    parent[id] = target;
    previous[id] = sibling;
    next[id] = 0;
    if (sibling === 0) first[target] = id;
    else next[sibling] = id;
    last[target] = id;
  }

  function unlink(id) {
    const from = parent[id];
    const before = previous[id];
    const after = next[id];
    if (before === 0) first[from] = after;
    else next[before] = after;
    if (after === 0) last[from] = before;
    else previous[after] = before;
  }

  function spawnPlace(target, n) {
    const id = free[--freeCount];
    isAlive[id] = 1;
    place[id] = livingCount;
    living[livingCount++] = id;
    append(id, target ?? 0);
    const at = id * 8;
    locals[at] = xOf(n);
    locals[at + 1] = yOf(n);
    locals[at + 2] = 1;
    locals[at + 3] = 0;
    locals[at + 4] = 1;
    locals[at + 5] = 1;
    locals[at + 6] = 0;
    return id;
  }

  function spawn(target, n) {
    const id = spawnPlace(target, n);
    motionX[id] = motionXOf(n);
    motionY[id] = motionYOf(n);
    spin[id] = spinOf(n);
    hp[id] = hpOf(n);
    armour[id] = armourOf(n);
    regen[id] = regenOf(n);
    return id;
  }

  const made = new Int32Array(prefabParents.length);
  function spawnPrefab(target) {
    for (let k = 0; k < prefabParents.length; k++) {
      made[k] = spawn(prefabParents[k] < 0 ? target : made[prefabParents[k]], k);
    }
    return made[0];
  }

  /** The free list is the queue of those to come: they end up in it anyway. */
  function destroy(root) {
    unlink(root);
    let at = freeCount;
    free[freeCount++] = root;
    while (at < freeCount) {
      const id = free[at++];
      for (let child = first[id]; child !== 0; child = next[child]) free[freeCount++] = child;
      const lastLiving = living[--livingCount];
      living[place[id]] = lastLiving;
      place[lastLiving] = place[id];
      isAlive[id] = 0;
      generation[id]++;
      first[id] = 0;
      last[id] = 0;
    }
  }

  function destroyAll() {
    for (let i = 0; i < livingCount; i++) {
      const id = living[i];
      isAlive[id] = 0;
      generation[id]++;
      first[id] = 0;
      last[id] = 0;
      free[freeCount++] = id;
    }
    first[0] = last[0] = 0;
    livingCount = 0;
  }

  /** Cosine and sine by polynomials, exact to 32 bits, without branches. */
  function turn(at, rotation) {
    const quarters = Math.floor(rotation * (2 / Math.PI) + 0.5);
    const rest = rotation - quarters * (Math.PI / 2);
    const square = rest * rest;
    const sine = rest + rest * square * (square * (1 / 120 + square * (square / 362880 - 1 / 5040)) - 1 / 6);
    const cosine = 1 - square * (1 / 2 - square * (1 / 24 - square * (1 / 720 - square / 40320)));
    const whole = quarters | 0;
    const swap = (whole & 1) * (sine - cosine);
    locals[at + 2] = (cosine + swap) * (1 - ((whole + 1) & 2));
    locals[at + 3] = (sine - swap) * (1 - (whole & 2));
    locals[at + 6] = rotation;
  }

  function damp() {
    for (let i = 0; i < livingCount; i++) {
      const id = living[i];
      motionX[id] *= damping;
      motionY[id] *= damping;
      spin[id] *= damping;
    }
  }
  function heal() {
    for (let i = 0; i < livingCount; i++) {
      const id = living[i];
      hp[id] = Math.min(fullHealth, hp[id] + regen[id] * seconds);
      armour[id] += (fullArmour - armour[id]) * seconds;
    }
  }
  function drift() {
    for (let i = 0; i < livingCount; i++) {
      const id = living[i];
      const at = id * 8;
      locals[at] += motionX[id] * seconds;
      locals[at + 1] += motionY[id] * seconds;
      turn(at, locals[at + 6] + spin[id] * seconds);
    }
  }
  function shiftAll(by, byTurn) {
    for (let i = 0; i < livingCount; i++) {
      const at = living[i] * 8;
      locals[at] += by;
      locals[at + 1] -= by;
      turn(at, locals[at + 6] + byTurn);
    }
  }

  function compute(id, up) {
    const at = id * 8;
    const above = up * 8;
    const x = locals[at];
    const y = locals[at + 1];
    const cos = locals[at + 2];
    const sin = locals[at + 3];
    const scaleX = locals[at + 4];
    const scaleY = locals[at + 5];
    const a = worlds[above];
    const b = worlds[above + 1];
    const c = worlds[above + 2];
    const d = worlds[above + 3];
    worlds[at] = (a * cos + c * sin) * scaleX;
    worlds[at + 1] = (b * cos + d * sin) * scaleX;
    worlds[at + 2] = (c * cos - a * sin) * scaleY;
    worlds[at + 3] = (d * cos - b * sin) * scaleY;
    worlds[at + 4] = a * x + c * y + worlds[above + 4];
    worlds[at + 5] = b * x + d * y + worlds[above + 5];
  }

  function update() {
    let id = first[0];
    while (id !== 0) {
      compute(id, parent[id]);
      let to = first[id];
      while (to === 0 && id !== 0) {
        to = next[id];
        if (to === 0) id = parent[id];
      }
      id = to;
    }
  }

  function sumWorlds(ids) {
    let sum = 0;
    for (let i = 0; i < ids.length; i++) {
      const at = ids[i] * 8;
      sum += worlds[at + 4] + worlds[at + 5];
    }
    return sum;
  }

  function sumChildren(id) {
    let sum = 0;
    let count = 0;
    for (let child = first[id]; child !== 0; child = next[child]) sum = (sum + Math.imul(child, ++count)) | 0;
    return sum;
  }

  function visit(root) {
    let id = root;
    let sum = 0;
    let count = 0;
    for (;;) {
      sum = (sum + Math.imul(id, ++count)) | 0;
      let to = first[id];
      while (to === 0) {
        if (id === root) return sum;
        to = next[id];
        if (to === 0) id = parent[id];
      }
      id = to;
    }
  }

  function* childrenOf(id) {
    for (let child = first[id]; child !== 0; child = next[child]) yield child;
  }

  return {
    ordered: true,
    spawn,
    spawnPlace,
    spawnPrefab,
    spawnMany(count, n) {
      const ids = new Array(count);
      for (let i = 0; i < count; i++) ids[i] = spawn(0, n);
      return ids;
    },
    setName(id, name) {
      names[id] = name;
    },
    destroy,
    destroyAll,
    move(id, target) {
      unlink(id);
      append(id, target);
    },
    setLocal(id, x, y, rotation) {
      const at = id * 8;
      locals[at] = x;
      locals[at + 1] = y;
      turn(at, rotation);
    },
    shiftAll,
    damp,
    heal,
    drift,
    update,
    sumWorlds,
    sumChildren,
    visit,
    numberOf: (id) => id,
    valuesOf(id) {
      const at = id * 8;
      return [
        locals[at],
        locals[at + 1],
        locals[at + 6],
        motionX[id],
        motionY[id],
        spin[id],
        hp[id],
        armour[id],
        regen[id],
      ];
    },
    readWorld: (id) => ({ x: worlds[id * 8 + 4], y: worlds[id * 8 + 5] }),
    parentOf: (id) => parent[id] || undefined,
    childrenOf,
    isAlive: (id) => isAlive[id] === 1,
    count: () => livingCount,
  };
}
