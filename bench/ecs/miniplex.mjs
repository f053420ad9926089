/** miniplex: entities are objects, components their properties; loops with `for...of`, as it asks. */
import { World } from "miniplex";
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

export const subjects = { miniplex: { cases, bundle: 'export { World } from "miniplex";' } };

/** An entity with a number for every named component. */
function entityWith(names) {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

function access(world, entities) {
  return {
    get: (name, i) => entities[i][name],
    set: (name, i, value) => {
      entities[i][name] = value;
    },
    has: (name, i) => world.has(entities[i]) && entities[i][name] !== undefined,
  };
}

function packed_1(size) {
  const world = new World();
  const withA = world.with("A");
  const entities = [];
  for (let i = 0; i < size; i++) entities.push(world.add({ A: 0, B: 0, C: 0, D: 0, E: 0 }));
  function run() {
    for (const entity of withA) entity.A *= 2;
  }
  return { run, ...access(world, entities) };
}

function packed_5(size) {
  const world = new World();
  const [withA, withB, withC, withD, withE] = five.map((name) => world.with(name));
  const entities = [];
  for (let i = 0; i < size; i++) entities.push(world.add({ A: 0, B: 0, C: 0, D: 0, E: 0 }));
  function run() {
    for (const entity of withA) entity.A *= 2;
    for (const entity of withB) entity.B *= 2;
    for (const entity of withC) entity.C *= 2;
    for (const entity of withD) entity.D *= 2;
    for (const entity of withE) entity.E *= 2;
  }
  return { run, ...access(world, entities) };
}

function simple_iter(size) {
  const world = new World();
  const withAB = world.with("A", "B");
  const withCD = world.with("C", "D");
  const withCE = world.with("C", "E");
  const entities = [];
  for (let i = 0; i < size; i++) {
    for (const shape of simpleShapes) entities.push(world.add(entityWith(shape)));
  }
  function run() {
    for (const entity of withAB) {
      const { A } = entity;
      entity.A = entity.B;
      entity.B = A;
    }
    for (const entity of withCD) {
      const { C } = entity;
      entity.C = entity.D;
      entity.D = C;
    }
    for (const entity of withCE) {
      const { C } = entity;
      entity.C = entity.E;
      entity.E = C;
    }
  }
  return { run, ...access(world, entities) };
}

function frag_iter(size) {
  const world = new World();
  const withData = world.with("Data");
  const withZ = world.with("Z");
  const entities = [];
  for (let i = 0; i < size; i++) {
    for (const letter of letters) entities.push(world.add(entityWith([letter, "Data"])));
  }
  function run() {
    for (const entity of withData) entity.Data *= 2;
    for (const entity of withZ) entity.Z *= 2;
  }
  return { run, ...access(world, entities) };
}

function entity_cycle(size, probe) {
  const world = new World();
  const withA = world.with("A");
  const withB = world.with("B");
  const entities = [];
  for (let i = 0; i < size; i++) entities.push(world.add({ A: 0 }));
  function run() {
    for (const entity of withA) world.add({ B: entity.A });
    probe.middle?.();
    for (const entity of withB) world.remove(entity);
  }
  return {
    run,
    ...access(world, entities),
    count: (name) => (name === "A" ? withA : withB).size,
    values: () => withB.entities.map((entity) => entity.B),
  };
}

function add_remove(size, probe) {
  const world = new World();
  const withA = world.with("A");
  const withB = world.with("B");
  const entities = [];
  for (let i = 0; i < size; i++) entities.push(world.add({ A: 0 }));
  function run() {
    for (const entity of withA) world.addComponent(entity, "B", entity.A);
    probe.middle?.();
    for (const entity of withB) world.removeComponent(entity, "B");
  }
  return {
    run,
    ...access(world, entities),
    count: (name) => (name === "A" ? withA : withB).size,
  };
}

function velocity_100k(size) {
  const world = new World();
  const moving = world.with("position", "velocity");
  const entities = [];
  for (let i = 0; i < size; i++) {
    entities.push(world.add({ position: { x: 0, y: 0 }, velocity: { x: 0, y: 0 } }));
  }
  function run() {
    for (const { position, velocity } of moving) {
      position.x += velocity.x;
      position.y += velocity.y;
    }
  }
  const fields = {
    px: ["position", "x"],
    py: ["position", "y"],
    vx: ["velocity", "x"],
    vy: ["velocity", "y"],
  };
  return {
    run,
    get: (name, i) => entities[i][fields[name][0]][fields[name][1]],
    set: (name, i, value) => {
      entities[i][fields[name][0]][fields[name][1]] = value;
    },
  };
}

function interferenceWorld(size, further) {
  const world = new World();
  const withA = world.with("A");
  const entities = [];
  for (let i = 0; i < size; i++) entities.push(world.add({ A: 0, B: 0, C: 0, D: 0, E: 0 }));
  function run() {
    for (const entity of withA) entity.A *= 2;
  }
  const names = Array.from({ length: further }, (_, n) => `further${n}`);
  const others = names.map((name) => {
    const query = world.with(name);
    return () => {
      for (const entity of query) entity[name] *= 2;
    };
  });
  const furtherEntities = names.map((name) => Array.from({ length: 100 }, () => world.add({ [name]: 0 })));
  return {
    run,
    ...access(world, entities),
    others,
    further: {
      get: (n, i) => furtherEntities[n][i][names[n]],
      set: (n, i, value) => {
        furtherEntities[n][i][names[n]] = value;
      },
    },
  };
}

function interference(size, _, { further }) {
  const it = interferenceWorld(size, further);
  if (further === 0) return it;
  const second = interferenceWorld(size, 0);
  return { ...it, second, others: [...it.others, second.run] };
}

function memory(size) {
  const world = new World();
  const query = world.with("position", "velocity", "tag").connect();
  for (let i = 0; i < size; i++) {
    world.add({ position: { x: 1.5, y: 2.5 }, velocity: { x: 3.5, y: 4.5 }, tag: true });
  }
  function sums() {
    const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
    for (const { position, velocity } of query) {
      total.count++;
      total.px += position.x;
      total.py += position.y;
      total.vx += velocity.x;
      total.vy += velocity.y;
    }
    return total;
  }
  return { world, sums };
}
