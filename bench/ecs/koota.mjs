/**
 * koota in its two styles: `koota` iterates with `updateEach` (the standard pattern of its README),
 * `koota-stores` with `useStores`, its way for performance-critical loops. Queries and callbacks are
 * made once; change detection is off, because nothing here subscribes to changes.
 */
import { createQuery, createWorld, trait } from "koota";
import { five, letters, simpleShapes } from "./suite.mjs";

const bundle = 'export { createQuery, createWorld, trait, Not, Or } from "koota";';
const quiet = { changeDetection: "never" };

export const subjects = {
  koota: {
    bundle,
    cases: {
      packed_1: (size) => packed(size, ["A"], updateEach, [doubleEach]),
      packed_5: (size) => packed(size, five, updateEach, fiveDoubleEach()),
      simple_iter: (size) => simple(size, updateEach, threeSwapEach()),
      frag_iter: (size) => fragmented(size, updateEach, fiveDoubleEach()),
      entity_cycle,
      add_remove,
      velocity_100k: (size) => velocity(size, updateEach, moveEach),
      interference: (size, _, { further }) =>
        interference(size, further, updateEach, {
          first:
            () =>
            ([a]) => {
              a.value *= 2;
            },
          further:
            () =>
            ([a]) => {
              a.value *= 2;
            },
        }),
      memory,
    },
  },
  "koota-stores": {
    cases: {
      packed_1: (size) => packed(size, ["A"], useStores, [doubleStores]),
      packed_5: (size) => packed(size, five, useStores, fiveDoubleStores()),
      simple_iter: (size) => simple(size, useStores, threeSwapStores()),
      frag_iter: (size) => fragmented(size, useStores, fiveDoubleStores()),
      velocity_100k: (size) => velocity(size, useStores, moveStores),
      interference: (size, _, { further }) =>
        interference(size, further, useStores, {
          first:
            () =>
            ([{ value }], entities) => {
              for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
            },
          further:
            () =>
            ([{ value }], entities) => {
              for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
            },
        }),
    },
  },
};

function updateEach(world, callback, ...traits) {
  const query = createQuery(...traits);
  return () => world.query(query).updateEach(callback, quiet);
}

function useStores(world, callback, ...traits) {
  const query = createQuery(...traits);
  return () => world.query(query).useStores(callback);
}

function doubleEach([a]) {
  a.value *= 2;
}

function doubleStores([{ value }], entities) {
  for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
}

/** Written out, not made in a loop: systems that share one function share what V8 learns of it. */
function fiveDoubleEach() {
  return [
    ([a]) => {
      a.value *= 2;
    },
    ([a]) => {
      a.value *= 2;
    },
    ([a]) => {
      a.value *= 2;
    },
    ([a]) => {
      a.value *= 2;
    },
    ([a]) => {
      a.value *= 2;
    },
  ];
}

function fiveDoubleStores() {
  return [
    ([{ value }], entities) => {
      for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
    },
    ([{ value }], entities) => {
      for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
    },
    ([{ value }], entities) => {
      for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
    },
    ([{ value }], entities) => {
      for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
    },
    ([{ value }], entities) => {
      for (let i = 0; i < entities.length; i++) value[entities[i].id()] *= 2;
    },
  ];
}

function threeSwapEach() {
  return [
    ([a, b]) => {
      const { value } = a;
      a.value = b.value;
      b.value = value;
    },
    ([a, b]) => {
      const { value } = a;
      a.value = b.value;
      b.value = value;
    },
    ([a, b]) => {
      const { value } = a;
      a.value = b.value;
      b.value = value;
    },
  ];
}

function threeSwapStores() {
  return [
    ([{ value: a }, { value: b }], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const id = entities[i].id();
        const value = a[id];
        a[id] = b[id];
        b[id] = value;
      }
    },
    ([{ value: a }, { value: b }], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const id = entities[i].id();
        const value = a[id];
        a[id] = b[id];
        b[id] = value;
      }
    },
    ([{ value: a }, { value: b }], entities) => {
      for (let i = 0; i < entities.length; i++) {
        const id = entities[i].id();
        const value = a[id];
        a[id] = b[id];
        b[id] = value;
      }
    },
  ];
}

function moveEach([position, velocity]) {
  position.x += velocity.x;
  position.y += velocity.y;
}

function moveStores([{ x: px, y: py }, { x: vx, y: vy }], entities) {
  for (let i = 0; i < entities.length; i++) {
    const id = entities[i].id();
    px[id] += vx[id];
    py[id] += vy[id];
  }
}

function defineTraits(names) {
  return Object.fromEntries(names.map((name) => [name, trait({ value: 0 })]));
}

function access(traits, entities) {
  return {
    get: (name, i) => entities[i].get(traits[name]).value,
    set: (name, i, value) => entities[i].set(traits[name], { value }),
    has: (name, i) => entities[i].has(traits[name]),
  };
}

function packed(size, doubled, style, callbacks) {
  const world = createWorld();
  const traits = defineTraits(five);
  const entities = Array.from({ length: size }, () => world.spawn(...Object.values(traits)));
  const systems = doubled.map((name, i) => style(world, callbacks[i], traits[name]));
  return { run: inTurn(systems), ...access(traits, entities) };
}

function simple(size, style, [swapAB, swapCD, swapCE]) {
  const world = createWorld();
  const traits = defineTraits(five);
  const { A, B, C, D, E } = traits;
  const entities = [];
  for (let i = 0; i < size; i++) {
    for (const shape of simpleShapes) {
      entities.push(world.spawn(...shape.map((name) => traits[name])));
    }
  }
  const systems = [style(world, swapAB, A, B), style(world, swapCD, C, D), style(world, swapCE, C, E)];
  return { run: inTurn(systems), ...access(traits, entities) };
}

function fragmented(size, style, [doubleData, doubleZ]) {
  const world = createWorld();
  const traits = defineTraits([...letters, "Data"]);
  const entities = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) entities.push(world.spawn(traits[letter], traits.Data));
  }
  const systems = [style(world, doubleData, traits.Data), style(world, doubleZ, traits.Z)];
  return { run: inTurn(systems), ...access(traits, entities) };
}

function inTurn(systems) {
  if (systems.length === 1) return systems[0];
  return () => {
    for (const system of systems) system();
  };
}

function entity_cycle(size, probe) {
  const world = createWorld();
  const traits = defineTraits(["A", "B"]);
  const { A, B } = traits;
  const withA = createQuery(A);
  const withB = createQuery(B);
  const entities = Array.from({ length: size }, () => world.spawn(A));
  const spawnB = ([a]) => {
    world.spawn(B({ value: a.value }));
  };
  function run() {
    world.query(withA).readEach(spawnB);
    probe.middle?.();
    for (const entity of world.query(withB)) entity.destroy();
  }
  return {
    run,
    ...access(traits, entities),
    count: (name) => world.query(name === "A" ? withA : withB).length,
    values: () => world.query(withB).map((entity) => entity.get(B).value),
  };
}

function add_remove(size, probe) {
  const world = createWorld();
  const traits = defineTraits(["A", "B"]);
  const { A, B } = traits;
  const withA = createQuery(A);
  const withB = createQuery(B);
  const entities = Array.from({ length: size }, () => world.spawn(A));
  const addB = ([a], entity) => {
    entity.add(B({ value: a.value }));
  };
  function run() {
    world.query(withA).readEach(addB);
    probe.middle?.();
    for (const entity of world.query(withB)) entity.remove(B);
  }
  return {
    run,
    ...access(traits, entities),
    count: (name) => world.query(name === "A" ? withA : withB).length,
  };
}

function velocity(size, style, move) {
  const world = createWorld();
  const Position = trait({ x: 0, y: 0 });
  const Velocity = trait({ x: 0, y: 0 });
  const entities = Array.from({ length: size }, () => world.spawn(Position, Velocity));
  const fields = {
    px: [Position, "x"],
    py: [Position, "y"],
    vx: [Velocity, "x"],
    vy: [Velocity, "y"],
  };
  return {
    run: style(world, move, Position, Velocity),
    get: (name, i) => entities[i].get(fields[name][0])[fields[name][1]],
    set: (name, i, value) => entities[i].set(fields[name][0], { [fields[name][1]]: value }),
  };
}

function interference(size, further, style, makers) {
  const it = interferenceWorld(size, further, style, makers);
  if (further === 0) return it;
  const second = interferenceWorld(size, 0, style, makers);
  return { ...it, second, others: [...it.others, second.run] };
}

function interferenceWorld(size, further, style, makers) {
  const world = createWorld();
  const traits = defineTraits(five);
  const entities = Array.from({ length: size }, () => world.spawn(...Object.values(traits)));
  const run = style(world, makers.first(), traits.A);
  const extra = Array.from({ length: further }, () => trait({ value: 0 }));
  const furtherEntities = extra.map((one) => Array.from({ length: 100 }, () => world.spawn(one)));
  return {
    run,
    ...access(traits, entities),
    others: extra.map((one) => style(world, makers.further(), one)),
    further: {
      get: (n, i) => furtherEntities[n][i].get(extra[n]).value,
      set: (n, i, value) => furtherEntities[n][i].set(extra[n], { value }),
    },
  };
}

function memory(size) {
  const world = createWorld();
  const Position = trait({ x: 0, y: 0 });
  const Velocity = trait({ x: 0, y: 0 });
  const Tag = trait();
  const query = createQuery(Position, Velocity, Tag);
  for (let i = 0; i < size; i++) world.spawn(Position({ x: 1.5, y: 2.5 }), Velocity({ x: 3.5, y: 4.5 }), Tag);
  world.query(query);
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    world.query(query).readEach(([position, velocity]) => {
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
