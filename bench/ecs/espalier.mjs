/**
 * Espalier in two styles, and one of them without generated code.
 *
 * `espalier` is the raw one: a world of fixed capacity, so that columns and the list of matches are
 * constants of each loop; `query.sync()` brings the list up to date. Where two worlds share one
 * function (interference) its loops are made by `compileLoop`. Many entities at once are created,
 * changed and destroyed by the bulk calls.
 *
 * `espalier-each` is the readable one: `query.update` with a callback per entity, and single calls
 * inside `query.each` for structural changes. `espalier-plain` is the same loops in worlds made with `generate: false`, as where a
 * policy forbids code from text.
 *
 * Imported by its public name, as built (`npm run build`). Without a build its rows are left out.
 */
import {
  addAll,
  compileLoop,
  component,
  createWorld,
  destroyAll,
  f32,
  f64,
  i32,
  indexOf,
  removeAll,
  tag,
} from "espalier";
import { five, letters, simpleShapes } from "./suite.mjs";

export const subjects = {
  espalier: {
    cases: {
      packed_1,
      packed_5,
      simple_iter,
      frag_iter,
      entity_cycle,
      add_remove,
      velocity_100k,
      interference,
      memory,
    },
    bundle: bundleWith("createWorld"),
  },
  "espalier-each": {
    cases: {
      packed_1: (size) => packed_1_each(size),
      packed_5: packed_5_each,
      simple_iter: simple_iter_each,
      frag_iter: frag_iter_each,
      entity_cycle: entity_cycle_each,
      add_remove: add_remove_each,
      velocity_100k: (size) => velocity_100k_each(size),
      interference: interference_each,
    },
  },
  "espalier-plain": {
    cases: {
      packed_1: (size) => packed_1_each(size, { generate: false }),
      velocity_100k: (size) => velocity_100k_each(size, { generate: false }),
    },
  },
};

function bundleWith(factory) {
  return `export {
    any, bool, component, ${factory}, f32, i32, not, object, optional, string, tag,
  } from "espalier";`;
}

function defineComponents(names) {
  return Object.fromEntries(names.map((name) => [name, component(name, { value: i32() })]));
}

function access(world, components, ids) {
  const columns = Object.fromEntries(
    Object.entries(components).map(([name, one]) => [name, world.columns(one)]),
  );
  return {
    get: (name, i) => columns[name].value[indexOf(ids[i])],
    set: (name, i, value) => {
      columns[name].value[indexOf(ids[i])] = value;
    },
    has: (name, i) => world.has(ids[i], components[name]),
  };
}

function packedWorld(size, options) {
  const world = createWorld({ capacity: size, fixed: true, ...options });
  const components = defineComponents(five);
  const ids = world.spawnMany(size, ...Object.values(components));
  return { world, components, it: access(world, components, ids) };
}

function packed_1(size) {
  const { world, components, it } = packedWorld(size);
  const withA = world.query(components.A);
  const { indices } = withA;
  const { value: a } = world.columns(components.A);
  function run() {
    const count = withA.sync();
    for (let k = 0; k < count; k++) a[indices[k]] *= 2;
  }
  return { run, ...it };
}

function packed_1_each(size, options) {
  const { world, components, it } = packedWorld(size, options);
  const withA = world.query(components.A);
  const double = (a) => {
    a.value = (a.value * 2) | 0;
  };
  return { run: () => withA.update(double), ...it };
}

function packed_5(size) {
  const { world, components, it } = packedWorld(size);
  const [withA, withB, withC, withD, withE] = five.map((name) => world.query(components[name]));
  const [inA, inB, inC, inD, inE] = [withA, withB, withC, withD, withE].map((query) => query.indices);
  const [a, b, c, d, e] = five.map((name) => world.columns(components[name]).value);
  function doubleA() {
    const count = withA.sync();
    for (let k = 0; k < count; k++) a[inA[k]] *= 2;
  }
  function doubleB() {
    const count = withB.sync();
    for (let k = 0; k < count; k++) b[inB[k]] *= 2;
  }
  function doubleC() {
    const count = withC.sync();
    for (let k = 0; k < count; k++) c[inC[k]] *= 2;
  }
  function doubleD() {
    const count = withD.sync();
    for (let k = 0; k < count; k++) d[inD[k]] *= 2;
  }
  function doubleE() {
    const count = withE.sync();
    for (let k = 0; k < count; k++) e[inE[k]] *= 2;
  }
  function run() {
    doubleA();
    doubleB();
    doubleC();
    doubleD();
    doubleE();
  }
  return { run, ...it };
}

function packed_5_each(size) {
  const { world, components, it } = packedWorld(size);
  const [withA, withB, withC, withD, withE] = five.map((name) => world.query(components[name]));
  const doubleA = (a) => {
    a.value = (a.value * 2) | 0;
  };
  const doubleB = (b) => {
    b.value = (b.value * 2) | 0;
  };
  const doubleC = (c) => {
    c.value = (c.value * 2) | 0;
  };
  const doubleD = (d) => {
    d.value = (d.value * 2) | 0;
  };
  const doubleE = (e) => {
    e.value = (e.value * 2) | 0;
  };
  function run() {
    withA.update(doubleA);
    withB.update(doubleB);
    withC.update(doubleC);
    withD.update(doubleD);
    withE.update(doubleE);
  }
  return { run, ...it };
}

function simpleWorld(size) {
  const world = createWorld({ capacity: size * simpleShapes.length, fixed: true });
  const components = defineComponents(five);
  const { A, B, C, D, E } = components;
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const shape of simpleShapes) ids.push(world.spawn(...shape.map((name) => components[name])));
  }
  const queries = [world.query(A, B), world.query(C, D), world.query(C, E)];
  return { world, components, queries, it: access(world, components, ids) };
}

function simple_iter(size) {
  const { world, components, queries, it } = simpleWorld(size);
  const [withAB, withCD, withCE] = queries;
  const [inAB, inCD, inCE] = queries.map((query) => query.indices);
  const [a, b, c, d, e] = five.map((name) => world.columns(components[name]).value);
  function swapAB() {
    const count = withAB.sync();
    for (let k = 0; k < count; k++) {
      const i = inAB[k];
      const value = a[i];
      a[i] = b[i];
      b[i] = value;
    }
  }
  function swapCD() {
    const count = withCD.sync();
    for (let k = 0; k < count; k++) {
      const i = inCD[k];
      const value = c[i];
      c[i] = d[i];
      d[i] = value;
    }
  }
  function swapCE() {
    const count = withCE.sync();
    for (let k = 0; k < count; k++) {
      const i = inCE[k];
      const value = c[i];
      c[i] = e[i];
      e[i] = value;
    }
  }
  function run() {
    swapAB();
    swapCD();
    swapCE();
  }
  return { run, ...it };
}

function simple_iter_each(size) {
  const { queries, it } = simpleWorld(size);
  const [withAB, withCD, withCE] = queries;
  const swapAB = (a, b) => {
    const value = a.value;
    a.value = b.value;
    b.value = value;
  };
  const swapCD = (c, d) => {
    const value = c.value;
    c.value = d.value;
    d.value = value;
  };
  const swapCE = (c, e) => {
    const value = c.value;
    c.value = e.value;
    e.value = value;
  };
  function run() {
    withAB.update(swapAB);
    withCD.update(swapCD);
    withCE.update(swapCE);
  }
  return { run, ...it };
}

function fragmentedWorld(size) {
  const world = createWorld({ capacity: size * letters.length, fixed: true });
  const components = defineComponents([...letters, "Data"]);
  const { Data, Z } = components;
  const ids = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) ids.push(world.spawn(Data, components[letter]));
  }
  const queries = [world.query(Data), world.query(Z)];
  return { world, components, queries, it: access(world, components, ids) };
}

function frag_iter(size) {
  const { world, components, queries, it } = fragmentedWorld(size);
  const [withData, withZ] = queries;
  const [inData, inZ] = queries.map((query) => query.indices);
  const { value: data } = world.columns(components.Data);
  const { value: z } = world.columns(components.Z);
  function doubleData() {
    const count = withData.sync();
    for (let k = 0; k < count; k++) data[inData[k]] *= 2;
  }
  function doubleZ() {
    const count = withZ.sync();
    for (let k = 0; k < count; k++) z[inZ[k]] *= 2;
  }
  function run() {
    doubleData();
    doubleZ();
  }
  return { run, ...it };
}

function frag_iter_each(size) {
  const { queries, it } = fragmentedWorld(size);
  const [withData, withZ] = queries;
  const doubleData = (data) => {
    data.value = (data.value * 2) | 0;
  };
  const doubleZ = (z) => {
    z.value = (z.value * 2) | 0;
  };
  function run() {
    withData.update(doubleData);
    withZ.update(doubleZ);
  }
  return { run, ...it };
}

function structureWorld(size, capacity) {
  const world = createWorld({ capacity, fixed: true });
  const components = defineComponents(["A", "B"]);
  const { A, B } = components;
  const ids = world.spawnMany(size, A);
  const withA = world.query(A);
  const withB = world.query(B);
  const { value: b } = world.columns(B);
  const it = {
    ...access(world, components, ids),
    count: (name) => (name === "A" ? withA : withB).count(),
    values: () => withB.ids().map((id) => b[indexOf(id)]),
  };
  return { world, A, B, withA, withB, it };
}

function entity_cycle(size, probe) {
  const { world, A, B, withA, withB, it } = structureWorld(size, size * 2);
  const { value: a } = world.columns(A);
  const { value: b } = world.columns(B);
  const { indices: inA } = withA;
  const { indices: inB } = withB;
  function spawn() {
    world.spawnMany(withA.sync(), B);
    const count = withB.sync();
    for (let k = 0; k < count; k++) b[inB[k]] = a[inA[k]];
  }
  function run() {
    spawn();
    probe.middle?.();
    destroyAll(withB);
  }
  return { run, ...it };
}

function entity_cycle_each(size, probe) {
  const { world, B, withA, withB, it } = structureWorld(size, size * 2);
  const spawn = (_, a) => {
    world.spawn(B({ value: a.value }));
  };
  const destroy = (entity) => {
    world.destroy(entity);
  };
  function run() {
    withA.each(spawn);
    probe.middle?.();
    withB.each(destroy);
  }
  return { run, ...it };
}

function add_remove(size, probe) {
  const { world, A, B, withB, it } = structureWorld(size, size);
  const { value: a } = world.columns(A);
  const { value: b } = world.columns(B);
  const withoutB = world.query(A);
  const { indices } = withB;
  function add() {
    addAll(withoutB, B);
    const count = withB.sync();
    for (let k = 0; k < count; k++) b[indices[k]] = a[indices[k]];
  }
  function run() {
    add();
    probe.middle?.();
    removeAll(withB, B);
  }
  return { run, ...it };
}

function add_remove_each(size, probe) {
  const { world, B, withA, withB, it } = structureWorld(size, size);
  const add = (entity, a) => {
    world.add(entity, B({ value: a.value }));
  };
  const remove = (entity) => {
    world.remove(entity, B);
  };
  function run() {
    withA.each(add);
    probe.middle?.();
    withB.each(remove);
  }
  return { run, ...it };
}

function movingWorld(size, options) {
  const world = createWorld({ capacity: size, fixed: true, ...options });
  const Position = component("Position", { x: f32(), y: f32() });
  const Velocity = component("Velocity", { x: f32(), y: f32() });
  const ids = world.spawnMany(size, Position, Velocity);
  const { x: px, y: py } = world.columns(Position);
  const { x: vx, y: vy } = world.columns(Velocity);
  const fields = { px, py, vx, vy };
  const it = {
    get: (name, i) => fields[name][indexOf(ids[i])],
    set: (name, i, value) => {
      fields[name][indexOf(ids[i])] = value;
    },
  };
  return { moving: world.query(Position, Velocity), fields, it };
}

function velocity_100k(size) {
  const { moving, fields, it } = movingWorld(size);
  const { px, py, vx, vy } = fields;
  const { indices } = moving;
  function run() {
    const count = moving.sync();
    for (let k = 0; k < count; k++) {
      const i = indices[k];
      px[i] += vx[i];
      py[i] += vy[i];
    }
  }
  return { run, ...it };
}

function velocity_100k_each(size, options) {
  const { moving, it } = movingWorld(size, options);
  const move = (position, velocity) => {
    position.x += velocity.x;
    position.y += velocity.y;
  };
  return { run: () => moving.update(move), ...it };
}

function interferenceWorld(size, further) {
  const world = createWorld({ capacity: size + further * 100, fixed: true });
  const components = defineComponents(five);
  const ids = world.spawnMany(size, ...Object.values(components));
  const extra = Array.from({ length: further }, (_, n) =>
    component(`Extra${n}`, { value: [i32, f32, f64][n % 3]() }),
  );
  const furtherIds = extra.map((one) => world.spawnMany(100, one));
  const it = {
    ...access(world, components, ids),
    further: {
      get: (n, i) => world.get(furtherIds[n][i], extra[n]).value,
      set: (n, i, value) => world.set(furtherIds[n][i], extra[n], { value }),
    },
  };
  return { world, A: components.A, extra, it };
}

function interference(size, _, { further }) {
  const it = interferenceRaw(size, further);
  if (further === 0) return it;
  const second = interferenceRaw(size, 0);
  return { ...it, second, others: [...it.others, second.run] };
}

function interferenceRaw(size, further) {
  const { world, A, extra, it } = interferenceWorld(size, further);
  const double = ([ids, { value }]) => {
    return (count) => {
      for (let k = 0; k < count; k++) value[ids[k]] *= 2;
    };
  };
  const run = compileLoop(world.query(A), double);
  const others = extra.map((one) => compileLoop(world.query(one), double));
  return { ...it, run, others };
}

function interference_each(size, _, { further }) {
  const it = interferenceEach(size, further);
  if (further === 0) return it;
  const second = interferenceEach(size, 0);
  return { ...it, second, others: [...it.others, second.run] };
}

function interferenceEach(size, further) {
  const { world, A, extra, it } = interferenceWorld(size, further);
  const withA = world.query(A);
  const double = (a) => {
    a.value = (a.value * 2) | 0;
  };
  const others = extra.map((one) => {
    const query = world.query(one);
    const double = (view) => {
      view.value = (view.value * 2) | 0;
    };
    return () => query.update(double);
  });
  return { ...it, run: () => withA.update(double), others };
}

function memory(size) {
  const world = createWorld({ capacity: size, fixed: true });
  const Position = component("Position", { x: f32(), y: f32() });
  const Velocity = component("Velocity", { x: f32(), y: f32() });
  const Visible = tag("Visible");
  world.spawnMany(size, Position({ x: 1.5, y: 2.5 }), Velocity({ x: 3.5, y: 4.5 }), Visible);
  const query = world.query(Position, Velocity, Visible);
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    query.update((position, velocity) => {
      total.count++;
      total.px += position.x;
      total.py += position.y;
      total.vx += velocity.x;
      total.vy += velocity.y;
    });
    return total;
  }
  return { world, sums };
}
