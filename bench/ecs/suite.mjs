/**
 * The ECS suite: its subjects, its cases, and the check of every case.
 *
 * A subject's function for a case gets `(size, probe, parameters)` and returns an instance with
 * `run()` and the readers below; checks are here, so that no subject checks itself.
 *
 * - `get(component, i)`, `set(component, i, value)`, `has(component, i)`: the i-th entity created.
 * - `count(component)`, `values(component)`: over all entities that have it, as the library reports them.
 * - `probe.middle`: called by entity_cycle and add_remove between their two halves, if it is set.
 */
import { expectEqual, expectTrue } from "../harness/expect.mjs";

const peer = (file) => ({ file, role: "peer" });

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  "espalier-each": { file: "espalier.mjs", role: "own" },
  "espalier-plain": { file: "espalier.mjs", role: "own" },
  "bitecs-0.3": peer("bitecs-0.3.mjs"),
  bitecs: peer("bitecs.mjs"),
  koota: peer("koota.mjs"),
  "koota-stores": peer("koota.mjs"),
  miniplex: peer("miniplex.mjs"),
  becsy: peer("becsy.mjs"),
  "wolf-ecs": peer("wolf-ecs.mjs"),
  piecs: peer("piecs.mjs"),
  limit: { file: "limit.mjs", role: "limit" },
  "limit-dense": { file: "limit-dense.mjs", role: "limit" },
};

export const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
export const five = letters.slice(0, 5);

/** The shapes of simple_iter, in the order in which one entity of each is created. */
export const simpleShapes = ["AB", "ABC", "ABCD", "ABCE"].map((shape) => Array.from(shape));

export const cases = {
  packed_1: { size: 1000, unitCount: 1000, unit: "entity", verify: verifyPacked(["A"]) },
  packed_5: { size: 1000, unitCount: 5000, unit: "entity", verify: verifyPacked(five) },
  simple_iter: { size: 1000, unitCount: 6000, unit: "entity", verify: verifySimple },
  frag_iter: { size: 100, unitCount: 2700, unit: "entity", verify: verifyFragmented },
  entity_cycle: { size: 1000, unitCount: 1000, unit: "create + destroy", verify: verifyCycle },
  add_remove: { size: 1000, unitCount: 1000, unit: "add + remove", verify: verifyAddRemove },
  velocity_100k: { size: 100_000, unitCount: 100_000, unit: "entity", verify: verifyVelocity },
  "interference/alone": {
    builder: "interference",
    group: "interference",
    parameters: { further: 0 },
    size: 1000,
    unitCount: 1000,
    unit: "entity",
    verify: verifyInterference,
  },
  "interference/among_20": {
    builder: "interference",
    group: "interference",
    parameters: { further: 20 },
    size: 1000,
    unitCount: 1000,
    unit: "entity",
    verify: verifyInterference,
  },
  memory: { kind: "memory", size: 100_000, unitCount: 100_000, unit: "entity", verify: verifyMemory },
  bundle: { kind: "bundle", unit: "core import" },
};

function verifyPacked(doubled) {
  return async (it, { size }) => {
    fill(it, size, five);
    await repeat(it, 3);
    for (const [c, name] of five.entries()) {
      const factor = doubled.includes(name) ? 8 : 1;
      for (let i = 0; i < size; i++) expectValue(it, name, i, startValue(i, c) * factor);
    }
  };
}

async function verifySimple(it, { size }) {
  const shapeOf = (i) => simpleShapes[i % simpleShapes.length];
  const total = size * simpleShapes.length;
  for (let i = 0; i < total; i++) {
    for (const name of shapeOf(i)) it.set(name, i, startValue(i, five.indexOf(name)));
  }
  await repeat(it, 3); // an odd number of swaps: the values end up swapped
  for (let i = 0; i < total; i++) {
    const source = { A: "B", B: "A", C: "C" };
    if (shapeOf(i).includes("D")) Object.assign(source, { C: "D", D: "C" });
    if (shapeOf(i).includes("E")) Object.assign(source, { C: "E", E: "C" });
    for (const name of five) {
      expectEqual(it.has(name, i), shapeOf(i).includes(name), `whether entity ${i} has ${name}`);
    }
    for (const name of shapeOf(i)) {
      expectValue(it, name, i, startValue(i, five.indexOf(source[name])));
    }
  }
}

/** Entity i has `Data` and the letter i mod 26; only `Data` and `Z` are asked for their values. */
async function verifyFragmented(it, { size }) {
  const total = size * letters.length;
  for (let i = 0; i < total; i++) {
    it.set("Data", i, startValue(i, 0));
    if (i % 26 === 25) it.set("Z", i, startValue(i, 1));
  }
  await repeat(it, 3);
  for (let i = 0; i < total; i++) {
    const own = letters[i % 26];
    expectTrue(it.has(own, i), `entity ${i} has no ${own}`);
    expectTrue(!it.has(letters[(i + 1) % 26], i), `entity ${i} has a foreign component`);
    expectValue(it, "Data", i, startValue(i, 0) * 8);
    if (own === "Z") expectValue(it, "Z", i, startValue(i, 1) * 8);
  }
}

async function verifyCycle(it, { size }, probe) {
  for (let i = 0; i < size; i++) it.set("A", i, i + 1);
  let calls = 0;
  probe.middle = () => {
    calls++;
    expectEqual(it.count("B"), size, "number of entities with B between create and destroy");
    const values = Array.from(it.values("B")).sort((a, b) => a - b);
    for (let i = 0; i < size; i++) expectEqual(values[i], i + 1, `value ${i} of the created Bs`);
  };
  for (let i = 0; i < 3; i++) {
    await it.run();
    expectEqual(it.count("B"), 0, "number of entities with B after destroying them");
    expectEqual(it.count("A"), size, "number of entities with A");
  }
  probe.middle = undefined;
  expectEqual(calls, 3, "number of cycles run");
  for (let i = 0; i < size; i++) expectValue(it, "A", i, i + 1);
}

async function verifyAddRemove(it, { size }, probe) {
  for (let i = 0; i < size; i++) it.set("A", i, i + 1);
  let calls = 0;
  probe.middle = () => {
    calls++;
    expectEqual(it.count("B"), size, "number of entities with B after adding it");
    for (let i = 0; i < size; i++) expectValue(it, "B", i, i + 1);
  };
  for (let i = 0; i < 3; i++) {
    await it.run();
    expectEqual(it.count("B"), 0, "number of entities with B after removing it");
    expectEqual(it.count("A"), size, "number of entities with A");
  }
  probe.middle = undefined;
  expectEqual(calls, 3, "number of rounds of adding");
  for (let i = 0; i < size; i++) {
    expectTrue(!it.has("B", i), `entity ${i} still has B`);
    expectValue(it, "A", i, i + 1);
  }
}

/** The fields are named px, py (position) and vx, vy (velocity) here; all values are exact in f32. */
async function verifyVelocity(it, { size }) {
  for (let i = 0; i < size; i++) {
    it.set("px", i, i % 1000);
    it.set("py", i, -(i % 777));
    it.set("vx", i, 1 + (i % 5));
    it.set("vy", i, 0.5);
  }
  await repeat(it, 4);
  for (let i = 0; i < size; i++) {
    expectEqual(it.get("px", i), (i % 1000) + 4 * (1 + (i % 5)), `position x of entity ${i}`);
    expectEqual(it.get("py", i), -(i % 777) + 2, `position y of entity ${i}`);
    expectEqual(it.get("vx", i), 1 + (i % 5), `velocity x of entity ${i}`);
    expectEqual(it.get("vy", i), 0.5, `velocity y of entity ${i}`);
  }
}

/**
 * packed_1 in a first world, which also has `further` systems over as many further components, with 100
 * entities each; a second world has the same content. `others` are those systems and the ones of the second
 * world; they run between the batches and are not timed.
 */
async function verifyInterference(it, definition) {
  const { size, parameters } = definition;
  await verifyPacked(["A"])(it, definition);
  if (parameters.further === 0) return;
  fill(it, size, five);
  fill(it.second, size, five);
  for (let n = 0; n < parameters.further; n++) {
    for (let i = 0; i < 100; i++) it.further.set(n, i, i + n);
  }
  for (const other of [...it.others, ...it.others]) await other();
  await it.run();
  for (let i = 0; i < size; i++) {
    expectValue(it, "A", i, startValue(i, 0) * 2);
    expectValue(it.second, "A", i, startValue(i, 0) * 4);
  }
  for (let n = 0; n < parameters.further; n++) {
    for (let i = 0; i < 100; i++) {
      expectEqual(it.further.get(n, i), (i + n) * 4, `value ${i} of further component ${n}`);
    }
  }
}

/**
 * `sums()` walks all entities with position, velocity and tag, and sums their values. The values
 * are fractions, as positions are: JavaScript stores whole numbers in less space.
 */
function verifyMemory(it, { size }) {
  const { count, px, py, vx, vy } = it.sums();
  expectEqual(count, size, "number of entities with position, velocity and tag");
  expectEqual(px, size * 1.5, "sum of position x");
  expectEqual(py, size * 2.5, "sum of position y");
  expectEqual(vx, size * 3.5, "sum of velocity x");
  expectEqual(vy, size * 4.5, "sum of velocity y");
}

/** Different for every entity and component, and far from overflow when doubled three times. */
function startValue(i, component) {
  return i * 7 + component + 1;
}

function fill(it, size, names) {
  for (const [c, name] of names.entries()) {
    for (let i = 0; i < size; i++) it.set(name, i, startValue(i, c));
  }
}

function expectValue(it, name, i, value) {
  expectTrue(it.has(name, i), `entity ${i} has no ${name}`);
  expectEqual(it.get(name, i), value, `${name} of entity ${i}`);
}

async function repeat(it, times) {
  for (let i = 0; i < times; i++) await it.run();
}
