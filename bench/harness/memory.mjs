/**
 * Bytes retained by a populated world: the growth of the JavaScript heap and of everything it holds
 * outside (array buffers), after collecting garbage, in a process that has done nothing else.
 */
import { setTimeout } from "node:timers/promises";

export async function measureBytes(build) {
  const before = await settledBytes();
  const instance = await build();
  const after = await settledBytes();
  return { instance, bytes: after - before };
}

async function settledBytes() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await setTimeout(5); // finalizers and the freeing of array buffers run between tasks
  }
  const { heapUsed, external } = process.memoryUsage(); // external includes array buffers
  return heapUsed + external;
}
