/**
 * becsy, its `perf` build (no checks), with `sparse` storage: typed arrays by entity id, the fastest
 * of its three. Systems are classes and declare what they touch; a frame is `world.execute()`.
 * Entity handles kept outside of systems are `hold()` handles, as it requires.
 */
import { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";
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

export const subjects = {
  becsy: {
    cases,
    bundle: 'export { System, Type, World } from "@lastolivegames/becsy/lib/perf.js";',
  },
};

function defineComponent(name, schema = { value: Type.int32 }) {
  const component = class {};
  component.schema = schema;
  Object.defineProperty(component, "name", { value: name });
  return component;
}

function defineComponents(names) {
  return Object.fromEntries(names.map((name) => [name, defineComponent(name)]));
}

/** The perf build does not tell when a frame changes more shapes than fit: entities go missing. */
function createWorld(maxEntities, defs, more = {}) {
  return World.create({
    maxEntities,
    defs,
    defaultComponentStorage: "sparse",
    maxShapeChangesPerFrame: maxEntities * 8,
    ...more,
  });
}

/** Creates one entity per entry of `shapes` (a list of component lists) and holds it. */
function spawnAll(world, shapes) {
  const entities = [];
  world.build((system) => {
    for (const shape of shapes) entities.push(system.createEntity(...shape).hold());
  });
  return entities;
}

function access(components, entities) {
  return {
    get: (name, i) => entities[i].read(components[name]).value,
    set: (name, i, value) => {
      entities[i].write(components[name]).value = value;
    },
    has: (name, i) => entities[i].has(components[name]),
  };
}

/** A system class that doubles the value of a further component. */
function doubling(component) {
  const system = class extends System {
    entities = this.query((q) => q.current.with(component).write);
    execute() {
      for (const entity of this.entities.current) entity.write(component).value *= 2;
    }
  };
  Object.defineProperty(system, "name", { value: `Double${component.name}` });
  return system;
}

async function packed_1(size) {
  const components = defineComponents(five);
  const { A } = components;
  class DoubleA extends System {
    entities = this.query((q) => q.current.with(A).write);
    execute() {
      for (const entity of this.entities.current) entity.write(A).value *= 2;
    }
  }
  const all = Object.values(components);
  const world = await createWorld(size + 1, [...all, DoubleA]);
  const entities = spawnAll(world, Array(size).fill(all));
  return { run: () => world.execute(), ...access(components, entities) };
}

async function packed_5(size) {
  const components = defineComponents(five);
  const { A, B, C, D, E } = components;
  class DoubleA extends System {
    entities = this.query((q) => q.current.with(A).write);
    execute() {
      for (const entity of this.entities.current) entity.write(A).value *= 2;
    }
  }
  class DoubleB extends System {
    entities = this.query((q) => q.current.with(B).write);
    execute() {
      for (const entity of this.entities.current) entity.write(B).value *= 2;
    }
  }
  class DoubleC extends System {
    entities = this.query((q) => q.current.with(C).write);
    execute() {
      for (const entity of this.entities.current) entity.write(C).value *= 2;
    }
  }
  class DoubleD extends System {
    entities = this.query((q) => q.current.with(D).write);
    execute() {
      for (const entity of this.entities.current) entity.write(D).value *= 2;
    }
  }
  class DoubleE extends System {
    entities = this.query((q) => q.current.with(E).write);
    execute() {
      for (const entity of this.entities.current) entity.write(E).value *= 2;
    }
  }
  const all = Object.values(components);
  const systems = [DoubleA, DoubleB, DoubleC, DoubleD, DoubleE];
  const world = await createWorld(size + 1, [...all, ...systems]);
  const entities = spawnAll(world, Array(size).fill(all));
  return { run: () => world.execute(), ...access(components, entities) };
}

async function simple_iter(size) {
  const components = defineComponents(five);
  const { A, B, C, D, E } = components;
  class SwapAB extends System {
    entities = this.query((q) => q.current.with(A, B).write);
    execute() {
      for (const entity of this.entities.current) {
        const a = entity.write(A);
        const b = entity.write(B);
        const { value } = a;
        a.value = b.value;
        b.value = value;
      }
    }
  }
  class SwapCD extends System {
    entities = this.query((q) => q.current.with(C, D).write);
    execute() {
      for (const entity of this.entities.current) {
        const a = entity.write(C);
        const b = entity.write(D);
        const { value } = a;
        a.value = b.value;
        b.value = value;
      }
    }
  }
  class SwapCE extends System {
    entities = this.query((q) => q.current.with(C, E).write);
    execute() {
      for (const entity of this.entities.current) {
        const a = entity.write(C);
        const b = entity.write(E);
        const { value } = a;
        a.value = b.value;
        b.value = value;
      }
    }
  }
  const group = System.group(SwapCD, SwapCE).schedule((s) => s.inAnyOrderWith(SwapCD, SwapCE));
  const defs = [...Object.values(components), SwapAB, group];
  const world = await createWorld(size * simpleShapes.length + 1, defs);
  const shapes = simpleShapes.map((shape) => shape.map((name) => components[name]));
  const entities = spawnAll(world, Array(size).fill(shapes).flat());
  return { run: () => world.execute(), ...access(components, entities) };
}

async function frag_iter(size) {
  const components = defineComponents([...letters, "Data"]);
  const { Data, Z } = components;
  class DoubleData extends System {
    entities = this.query((q) => q.current.with(Data).write);
    execute() {
      for (const entity of this.entities.current) entity.write(Data).value *= 2;
    }
  }
  class DoubleZ extends System {
    entities = this.query((q) => q.current.with(Z).write);
    execute() {
      for (const entity of this.entities.current) entity.write(Z).value *= 2;
    }
  }
  const defs = [...Object.values(components), DoubleData, DoubleZ];
  const world = await createWorld(size * letters.length + 1, defs);
  const shapes = letters.map((letter) => [components[letter], Data]);
  const entities = spawnAll(world, Array(size).fill(shapes).flat());
  return { run: () => world.execute(), ...access(components, entities) };
}

async function entity_cycle(size, probe) {
  const components = defineComponents(["A", "B"]);
  const { A, B } = components;
  const now = { B: [] };
  class Spawn extends System {
    entities = this.query((q) => q.current.with(A).also.using(B).create);
    execute() {
      for (const entity of this.entities.current) {
        this.createEntity(B, { value: entity.read(A).value });
      }
    }
  }
  class Middle extends System {
    entities = this.query((q) => q.current.with(B));
    sys = this.schedule((s) => s.after(Spawn));
    execute() {
      if (!probe.middle) return;
      now.B = Array.from(this.entities.current, (entity) => entity.read(B).value);
      probe.middle();
    }
  }
  class Kill extends System {
    entities = this.query((q) => q.current.with(B).usingAll.write);
    sys = this.schedule((s) => s.after(Spawn, Middle));
    execute() {
      for (const entity of this.entities.current) entity.delete();
    }
  }
  class Count extends System {
    withA = this.query((q) => q.current.with(A));
    withB = this.query((q) => q.current.with(B));
    sys = this.schedule((s) => s.after(Kill));
    execute() {
      if (!probe.middle) return;
      now.A = this.withA.current.length;
      now.B = Array.from(this.withB.current, (entity) => entity.read(B).value);
    }
  }
  const world = await createWorld(size * 6, [A, B, Spawn, Middle, Kill, Count], {
    maxLimboComponents: size * 20,
    maxShapeChangesPerFrame: size * 40,
  });
  const entities = spawnAll(world, Array(size).fill([A]));
  return {
    run: () => world.execute(),
    ...access(components, entities),
    count: (name) => (name === "A" ? now.A : now.B.length),
    values: () => now.B,
  };
}

async function add_remove(size, probe) {
  const components = defineComponents(["A", "B"]);
  const { A, B } = components;
  const now = {};
  class Add extends System {
    entities = this.query((q) => q.current.with(A).but.without(B).using(B).write);
    execute() {
      for (const entity of this.entities.current) entity.add(B, { value: entity.read(A).value });
    }
  }
  class Middle extends System {
    entities = this.query((q) => q.current.with(B));
    sys = this.schedule((s) => s.after(Add));
    execute() {
      if (!probe.middle) return;
      now.B = this.entities.current.length;
      probe.middle();
    }
  }
  class Remove extends System {
    entities = this.query((q) => q.current.with(B).write);
    sys = this.schedule((s) => s.after(Add, Middle));
    execute() {
      for (const entity of this.entities.current) entity.remove(B);
    }
  }
  class Count extends System {
    withA = this.query((q) => q.current.with(A));
    withB = this.query((q) => q.current.with(B));
    sys = this.schedule((s) => s.after(Remove));
    execute() {
      if (!probe.middle) return;
      now.A = this.withA.current.length;
      now.B = this.withB.current.length;
    }
  }
  const world = await createWorld(size * 2, [A, B, Add, Middle, Remove, Count], {
    maxLimboComponents: size * 20,
    maxShapeChangesPerFrame: size * 40,
  });
  const entities = spawnAll(world, Array(size).fill([A]));
  return { run: () => world.execute(), ...access(components, entities), count: (name) => now[name] };
}

function defineVector(name) {
  return defineComponent(name, { x: Type.float32, y: Type.float32 });
}

async function velocity_100k(size) {
  const Position = defineVector("Position");
  const Velocity = defineVector("Velocity");
  class Move extends System {
    entities = this.query((q) => q.current.with(Velocity).and.with(Position).write);
    execute() {
      for (const entity of this.entities.current) {
        const velocity = entity.read(Velocity);
        const position = entity.write(Position);
        position.x += velocity.x;
        position.y += velocity.y;
      }
    }
  }
  const world = await createWorld(size + 1, [Position, Velocity, Move]);
  const entities = spawnAll(world, Array(size).fill([Position, Velocity]));
  const fields = { px: [Position, "x"], py: [Position, "y"], vx: [Velocity, "x"], vy: [Velocity, "y"] };
  return {
    run: () => world.execute(),
    get: (name, i) => entities[i].read(fields[name][0])[fields[name][1]],
    set: (name, i, value) => {
      entities[i].write(fields[name][0])[fields[name][1]] = value;
    },
  };
}

/** The first system and the further ones are groups, so that a frame can run one without the rest. */
async function interferenceWorld(size, further, types) {
  const components = defineComponents(five);
  const { A } = components;
  class DoubleA extends System {
    entities = this.query((q) => q.current.with(A).write);
    execute() {
      for (const entity of this.entities.current) entity.write(A).value *= 2;
    }
  }
  const first = System.group(DoubleA);
  const extra = Array.from({ length: further }, (_, n) =>
    defineComponent(`Further${n}`, { value: types[n % types.length] }),
  );
  const groups = extra.map((component) => System.group(doubling(component)));
  const all = Object.values(components);
  const world = await createWorld(size + further * 100 + 1, [...all, ...extra, first, ...groups]);
  const entities = spawnAll(world, Array(size).fill(all));
  const furtherEntities = extra.map((component) => spawnAll(world, Array(100).fill([component])));
  const runGroup = (group) => {
    const frame = world.createCustomExecutor(group);
    return async () => {
      await frame.begin();
      await frame.execute(group);
      await frame.end();
    };
  };
  return {
    run: runGroup(first),
    ...access(components, entities),
    others: groups.map(runGroup),
    further: {
      get: (n, i) => furtherEntities[n][i].read(extra[n]).value,
      set: (n, i, value) => {
        furtherEntities[n][i].write(extra[n]).value = value;
      },
    },
  };
}

async function interference(size, _, { further }) {
  const types = [Type.int32, Type.float32, Type.float64];
  const it = await interferenceWorld(size, further, types);
  if (further === 0) return it;
  const second = await interferenceWorld(size, 0, types);
  return { ...it, second, others: [...it.others, second.run] };
}

async function memory(size) {
  const Position = defineVector("Position");
  const Velocity = defineVector("Velocity");
  class Tag {}
  const total = { count: 0, px: 0, py: 0, vx: 0, vy: 0 };
  class Sum extends System {
    entities = this.query((q) => q.current.with(Position, Velocity, Tag));
    execute() {
      for (const entity of this.entities.current) {
        const position = entity.read(Position);
        total.count++;
        total.px += position.x;
        total.py += position.y;
        const velocity = entity.read(Velocity);
        total.vx += velocity.x;
        total.vy += velocity.y;
      }
    }
  }
  const world = await createWorld(size + 1, [Position, Velocity, Tag, Sum], {
    maxShapeChangesPerFrame: size * 4,
  });
  for (let i = 0; i < size; i++) {
    world.createEntity(Position, { x: 1.5, y: 2.5 }, Velocity, { x: 3.5, y: 4.5 }, Tag);
  }
  await world.execute();
  return { world, sums: () => total };
}
