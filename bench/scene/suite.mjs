/**
 * The scene suite: reading and writing large files compared with JSON alone, and instances of a prefab
 * compared with hand-written code.
 */
import { expectEqual } from "../harness/expect.mjs";
import { flatFile, prefabParents, prefabPlaces } from "./scenes.mjs";

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own" },
  // The same calls by hand, with the content of the prefab as constants of the loop.
  "espalier-loop": { file: "espalier.mjs", role: "peer", byHand: true },
  three: { file: "three.mjs", role: "peer" },
  objects: { file: "objects.mjs", role: "peer", byHand: true },
  json: { file: "json.mjs", role: "limit" },
};

const entityCount = 100_000;
const instanceCount = 10_000;
const mergeCount = 10_000;

/** A run takes a second: few must do. */
const effort = { warmRuns: 8 };

export const cases = {
  load_flat: { effort, size: entityCount, unitCount: entityCount, unit: "entity", verify: verifyLoad },
  save_flat: { effort, size: entityCount, unitCount: entityCount, unit: "entity", verify: verifySave },
  merge: { effort, size: mergeCount, unitCount: mergeCount, unit: "entity", verify: verifyMerge },
  instantiate: {
    effort: { warmRuns: 20 },
    size: instanceCount,
    unitCount: instanceCount,
    unit: "instance of 10 nodes",
    verify: verifyInstances,
  },
};

/** Number and positions of all entities, and the parent of every hundredth. */
async function verifyLoad(it, { size }) {
  await it.reset?.();
  await it.run();
  expectEqual(it.count(), size, "number of entities");
  for (let k = 1; k < size; k += 97) {
    expectEqual(it.parentOf(k), (k - 1) >> 2, `parent of entity ${k}`);
    expectEqual(it.placeOf(k).x, (k % 977) + 0.5, `x of entity ${k}`);
    expectEqual(it.hpOf(k), k % 2 === 0 ? undefined : k % 100, `hp of entity ${k}`);
  }
}

/** What was written is read back by JSON.parse. */
async function verifySave(it, { size }) {
  await it.run();
  const { entities } = JSON.parse(it.text());
  expectEqual(entities.length, size, "number of entities");
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  for (let k = 1; k < size; k += 97) {
    const { parent, components } = byId.get(`entity-${k}`);
    expectEqual(parent, `entity-${(k - 1) >> 2}`, `parent of entity ${k}`);
    expectEqual(components.Place.x, (k % 977) + 0.5, `x of entity ${k}`);
  }
}

/** What either side moved is moved, in the order of the file. */
async function verifyMerge(it, { size }) {
  await it.run();
  const { entities } = JSON.parse(it.text());
  const base = flatFile(size).entities;
  expectEqual(entities.length, size, "number of entities");
  for (let k = 0; k < size; k++) {
    const moved = k % 10 === 1 || k % 10 === 2 ? k % 10 : 0;
    expectEqual(entities[k].id, base[k].id, `id of entry ${k}`);
    expectEqual(entities[k].components.Place.x, base[k].components.Place.x + moved, `x of entry ${k}`);
  }
}

/** Every node of every hundredth instance: where it is and whose child it is, in order. */
async function verifyInstances(it, { size }) {
  await it.reset?.();
  await it.run();
  expectEqual(it.count(), size, "number of instances");
  for (let k = 0; k < size; k += 101) {
    const nodes = it.nodesOf(k);
    expectEqual(nodes.length, prefabParents.length, `number of nodes of instance ${k}`);
    nodes.forEach(({ parent, x, y }, n) => {
      expectEqual(parent, prefabParents[n], `parent of node ${n}`);
      expectEqual(x, prefabPlaces[n].x, `x of node ${n}`);
      expectEqual(y, prefabPlaces[n].y, `y of node ${n}`);
    });
  }
}
