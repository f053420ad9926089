/**
 * The limit for columns by entity id: typed-array columns, a typed list of ids per query, no
 * library. The lower bound for an ECS with this layout.
 *
 * The number of entities is a constant of the loop, which V8 folds into the code: 0.55 ns an entity
 * instead of 0.83 with `ids.length`. A library cannot know the number in advance.
 */
import { five, letters, simpleShapes } from "./suite.mjs";

const cases = {
  packed_1,
  packed_5,
  simple_iter,
  frag_iter,
  entity_cycle,
  add_remove,
  velocity_100k,
  interference,
  memory,
};

export const subjects = { limit: { cases } };

function columns(names, size) {
  return Object.fromEntries(names.map((name) => [name, new Int32Array(size)]));
}

function upTo(size) {
  return Uint32Array.from({ length: size }, (_, i) => i);
}

function access(data, has = (name) => name in data) {
  return {
    get: (name, i) => data[name][i],
    set: (name, i, value) => {
      data[name][i] = value;
    },
    has,
  };
}

function packed_1(size) {
  const data = columns(five, size);
  const ids = upTo(size);
  const a = data.A;
  const count = size;
  function run() {
    for (let i = 0; i < count; i++) a[ids[i]] *= 2;
  }
  return { run, ...access(data) };
}

function packed_5(size) {
  const data = columns(five, size);
  const ids = upTo(size);
  const { A, B, C, D, E } = data;
  const count = size;
  function run() {
    for (let i = 0; i < count; i++) A[ids[i]] *= 2;
    for (let i = 0; i < count; i++) B[ids[i]] *= 2;
    for (let i = 0; i < count; i++) C[ids[i]] *= 2;
    for (let i = 0; i < count; i++) D[ids[i]] *= 2;
    for (let i = 0; i < count; i++) E[ids[i]] *= 2;
  }
  return { run, ...access(data) };
}

function simple_iter(size) {
  const total = size * simpleShapes.length;
  const data = columns(five, total);
  const { A, B, C, D, E } = data;
  const ab = upTo(total);
  const cd = ab.filter((id) => id % 4 === 2);
  const ce = ab.filter((id) => id % 4 === 3);
  const abCount = ab.length;
  const cdCount = cd.length;
  const ceCount = ce.length;
  function run() {
    for (let i = 0; i < abCount; i++) {
      const id = ab[i];
      const a = A[id];
      A[id] = B[id];
      B[id] = a;
    }
    for (let i = 0; i < cdCount; i++) {
      const id = cd[i];
      const c = C[id];
      C[id] = D[id];
      D[id] = c;
    }
    for (let i = 0; i < ceCount; i++) {
      const id = ce[i];
      const c = C[id];
      C[id] = E[id];
      E[id] = c;
    }
  }
  return { run, ...access(data, (name, i) => simpleShapes[i % 4].includes(name)) };
}

function frag_iter(size) {
  const total = size * letters.length;
  const data = { Data: new Int32Array(total), Z: new Int32Array(total) };
  const { Data, Z } = data;
  const withData = upTo(total);
  const withZ = withData.filter((id) => id % 26 === 25);
  const dataCount = withData.length;
  const zCount = withZ.length;
  function run() {
    for (let i = 0; i < dataCount; i++) Data[withData[i]] *= 2;
    for (let i = 0; i < zCount; i++) Z[withZ[i]] *= 2;
  }
  return { run, ...access(data, (name, i) => name === "Data" || name === letters[i % 26]) };
}

/** Ids from a stack, one typed list of ids per component set, the index of each id in its list. */
function createEntities(capacity) {
  const free = new Uint32Array(capacity);
  for (let i = 0; i < capacity; i++) free[i] = capacity - 1 - i;
  return {
    free,
    freeCount: capacity,
    generation: new Uint32Array(capacity),
    place: new Uint32Array(capacity),
    set: new Uint8Array(capacity),
  };
}

function entity_cycle(size, probe) {
  const capacity = size * 2;
  const entities = createEntities(capacity);
  const { free, generation, place, set } = entities;
  const A = new Int32Array(capacity);
  const B = new Int32Array(capacity);
  const withA = upTo(size);
  const withB = new Uint32Array(capacity);
  let countB = 0;
  let freeCount = capacity - size;

  function create(value) {
    const id = free[--freeCount];
    set[id] = 2;
    place[id] = countB;
    withB[countB++] = id;
    B[id] = value;
    return id;
  }

  function destroy(id) {
    const last = withB[--countB];
    withB[place[id]] = last;
    place[last] = place[id];
    set[id] = 0;
    generation[id]++;
    free[freeCount++] = id;
  }

  function run() {
    for (let i = 0; i < size; i++) create(A[withA[i]]);
    probe.middle?.();
    for (let i = countB - 1; i >= 0; i--) destroy(withB[i]);
  }

  return {
    run,
    get: (_, i) => A[i],
    set: (_, i, value) => {
      A[i] = value;
    },
    has: () => true,
    count: (name) => (name === "A" ? size : countB),
    values: () => Array.from(withB.subarray(0, countB), (id) => B[id]),
  };
}

function add_remove(size, probe) {
  const { place, set } = createEntities(size);
  const A = new Int32Array(size);
  const B = new Int32Array(size);
  const onlyA = upTo(size);
  const both = new Uint32Array(size);
  let countA = size;
  let countBoth = 0;
  for (let i = 0; i < size; i++) place[i] = i;

  function add(id, value) {
    const last = onlyA[--countA];
    onlyA[place[id]] = last;
    place[last] = place[id];
    place[id] = countBoth;
    both[countBoth++] = id;
    set[id] = 1;
    B[id] = value;
  }

  function remove(id) {
    const last = both[--countBoth];
    both[place[id]] = last;
    place[last] = place[id];
    place[id] = countA;
    onlyA[countA++] = id;
    set[id] = 0;
  }

  function run() {
    for (let i = countA - 1; i >= 0; i--) add(onlyA[i], A[onlyA[i]]);
    probe.middle?.();
    for (let i = countBoth - 1; i >= 0; i--) remove(both[i]);
  }

  return {
    run,
    ...access({ A, B }, (name, i) => name === "A" || set[i] === 1),
    count: (name) => (name === "A" ? countA + countBoth : countBoth),
  };
}

function velocity_100k(size) {
  const ids = upTo(size);
  const [px, py, vx, vy] = Array.from({ length: 4 }, () => new Float32Array(size));
  const count = size;
  function run() {
    for (let i = 0; i < count; i++) {
      const id = ids[i];
      px[id] += vx[id];
      py[id] += vy[id];
    }
  }
  return { run, ...access({ px, py, vx, vy }) };
}

function interference(size, probe, { further }) {
  const it = packed_1(size);
  if (further === 0) return it;
  const second = packed_1(size);
  const ids = upTo(100);
  const stores = [];
  const systems = [];
  for (let n = 0; n < further; n++) {
    const store = new [Int32Array, Float32Array, Float64Array][n % 3](100);
    stores.push(store);
    systems.push(() => {
      for (let i = 0; i < ids.length; i++) store[ids[i]] *= 2;
    });
  }
  return { ...it, second, others: [...systems, second.run], further: access(stores) };
}

function memory(size) {
  const entities = createEntities(size);
  const ids = upTo(size);
  const [px, py, vx, vy] = [1.5, 2.5, 3.5, 4.5].map((value) => new Float32Array(size).fill(value));
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const id of ids) {
      total.count++;
      total.px += px[id];
      total.py += py[id];
      total.vx += vx[id];
      total.vy += vy[id];
    }
    return total;
  }
  return { sums, entities };
}
