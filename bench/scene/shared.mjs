/**
 * Memory and time of many instances of a prefab whose appearance is shared (`storage: shared`) or not: a process per run, the
 * subjects one after the other in each round, medians of the rounds.
 *
 *     npm run build && node --expose-gc bench/scene/shared.mjs [instances] [rounds]
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);
const [first = "100000", second = "3", third] = process.argv.slice(2);

if (third !== undefined) await measure(Number(first), second, third);
else compare(Number(first), Number(second));

/** The output of each process, in order. */
function compare(count, rounds) {
  const results = { dense: [], sparse: [], shared: [] };
  for (let round = 0; round < rounds; round++) {
    for (const storage of Object.keys(results)) {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        ["--expose-gc", "--max-old-space-size=6000", file, String(count), storage, "child"],
        { encoding: "utf8" },
      );
      if (status !== 0) throw new Error(stderr);
      results[storage].push(JSON.parse(stdout));
    }
  }
  for (const [storage, runs] of Object.entries(results)) {
    const medians = Object.keys(runs[0]).map((key) => {
      const values = runs.map((run) => run[key]).sort((a, b) => a - b);
      return [key, values[values.length >> 1]];
    });
    console.log(JSON.stringify({ storage, instances: count, ...Object.fromEntries(medians) }));
  }
}

async function measure(count, storage) {
  const { component, createWorld, f32, object, shared, string, u8 } = await import("espalier");
  const { createHierarchy } = await import("espalier/hierarchy");
  const { createSceneFormat } = await import("espalier/scene");
  const options = { storage: storage === "shared" ? shared : storage };
  const Place = component("Place", { x: f32(), y: f32() });
  const Look = component(
    "Look",
    {
      sprite: string(),
      material: string(),
      note: string(),
      parts: object(() => []),
      layers: object(() => ({})),
    },
    options,
  );
  const Body = component(
    "Body",
    { width: f32(1), height: f32(1), density: f32(1), friction: f32(), bounce: f32(), shape: u8() },
    options,
  );
  const format = createSceneFormat({ components: [Place, Look, Body] });
  const text = (tint) =>
    JSON.stringify({
      entities: Array.from({ length: 5 }, (_, k) => ({
        id: `part-${k}`,
        ...(k === 0 ? {} : { parent: "part-0" }),
        components: {
          Place: { x: k },
          Look: {
            sprite: `tanks/part-${k}.png`,
            material: "steel",
            note: "made by the library of parts",
            parts: [1, 2, 3, 4, k],
            layers: { base: tint, top: "grey", marks: ["a", "b"] },
          },
          Body: { width: k + 1, height: 2, density: 7.8, friction: 0.5 },
        },
      })),
    });
  const bytes = () => {
    gc();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const timed = (work) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return Math.round((user + system) / 1000);
  };
  const prefab = format.prefab(text("red"), { file: "tank" });
  // Warm, in a world of its own.
  const warm = createHierarchy(createWorld());
  for (let k = 0; k < 2000; k++) prefab.instantiate(warm);
  warm.world.dispose();

  const start = bytes();
  const tree = createHierarchy(createWorld());
  const instantiateMs = timed(() => {
    for (let k = 0; k < count; k++) prefab.instantiate(tree);
  });
  const megabytes = Math.round((bytes() - start) / 1e5) / 10;
  const query = tree.world.query(Look, Body);
  let sum = 0;
  const read = () => {
    sum = 0;
    query.each((_, look, body) => {
      sum += body.width + look.sprite.length;
    });
  };
  for (let k = 0; k < 5; k++) read();
  const readMs =
    timed(() => {
      for (let k = 0; k < 5; k++) read();
    }) / 5;
  if (sum === 0 || query.count() !== count * 5) throw new Error("wrong content");
  const saved = format.save(tree);
  tree.world.dispose();

  const loaded = createHierarchy(createWorld());
  const loadMs = timed(() => {
    format.load(loaded, saved, { prefabs: { tank: text("red") } });
  });
  if (loaded.world.count !== count * 5) throw new Error("wrong content");
  loaded.world.dispose();

  const few = createHierarchy(createWorld());
  const tank = format.prefab(text("red"), { file: "tank" });
  const instances = Math.min(count, 5000);
  for (let k = 0; k < instances; k++) tank.instantiate(few);
  const replaceMs = timed(() => tank.replace(few, format.prefab(text("blue"), { file: "tank" })));
  if (few.world.get([...few.roots()][instances - 1], Look).layers.base !== "blue")
    throw new Error("not followed");
  console.log(JSON.stringify({ megabytes, instantiateMs, readMs, loadMs, replace5000Ms: replaceMs }));
}
