/**
 * The worker suite: what one tick of a world in a worker costs the thread of the page. Timed is the page alone: taking the message in (the copy that
 * structured cloning makes included) and writing every transform that moved; not the worker, and not the propagation that follows.
 *
 * `shared` and `transferred` are the two memories of `espalier/worker`, `stream` is a follower of the change stream without blocks. The peers are
 * what a program does by hand: `shared-array` reads numbers from shared memory into objects, `objects` receives a list of plain objects.
 */
import { expectEqual } from "../harness/expect.mjs";

const own = { file: "espalier.mjs", role: "own" };
const peer = { file: "by-hand.mjs", role: "peer" };

export const subjects = {
  shared: own,
  transferred: own,
  stream: own,
  "shared-array": peer,
  objects: peer,
};

const tick = { effort: { warmRuns: 100 }, unit: "moved entity", verify: verifyMoved };

export const cases = {
  "tick/5000": { ...tick, builder: "tick", size: 5000, unitCount: 5000 },
  "tick/500": { ...tick, builder: "tick", size: 500, unitCount: 500 },
  // Ten entities come and ten go in every tick.
  "births/5000": { ...tick, builder: "births", size: 5000, unitCount: 5000 },
};

async function verifyMoved(it, { size }) {
  for (let k = 0; k < 3; k++) {
    await it.reset();
    await it.run();
    expectEqual(it.moved(), size, "number of entities that are where the worker has them");
  }
}
