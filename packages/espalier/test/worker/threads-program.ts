/** The worker of the test with two threads: moves, spawns and destroys as fast as it can, and then says what its world is. */
import { parentPort, workerData } from "node:worker_threads";
import type { Entity } from "espalier";
import { hostWorld } from "espalier/worker";
import { createSide, Key, shared, textOf } from "./pair.ts";

const side = createSide();
const { world, space, tree } = side;
const { memory, ticks } = workerData as { memory: "shared" | "transferred"; ticks: number };
const host = hostWorld(world, {
  components: shared,
  spaces: [space],
  port: parentPort!,
  ...(memory === "transferred" ? { memory } : {}),
  onInput: () => run(),
});

let keys = 0;
const all: Entity[] = [];
function born(): void {
  const entity = world.spawn(Key({ value: ++keys }), space.at(0, 0));
  const parent = all[keys % 7];
  if (parent !== undefined && keys % 3 === 0) tree.attach(entity, parent);
  all.push(entity);
}
for (let k = 0; k < 300; k++) born();

/** A turn of the event loop for every 50 ticks: what the page sends has to arrive. */
async function run(): Promise<void> {
  const answers: { [answer: string]: number } = {};
  for (let tick = 1; tick <= ticks; tick++) {
    for (const [k, entity] of all.entries()) if (k % 2 === tick % 2) space.setPosition(entity, tick, k);
    if (tick % 5 === 0) born();
    if (tick % 11 === 0) {
      world.destroy(all[tick % all.length]!);
      for (let k = all.length - 1; k >= 0; k--) if (!world.isAlive(all[k]!)) all.splice(k, 1);
    }
    const answer = host.publish();
    answers[answer] = (answers[answer] ?? 0) + 1;
    if (tick % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // Everything that waited has gone out when there is nothing new.
  while (host.publish() !== "unchanged") await new Promise((resolve) => setImmediate(resolve));
  parentPort!.postMessage({ text: textOf(side), answers });
}
