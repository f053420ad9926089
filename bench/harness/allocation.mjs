/**
 * Bytes that one warm run allocates on the JavaScript heap: the median over many runs of what the heap
 * has grown by. A run during which garbage was collected gives zero or less; the median ignores it.
 */
import { median } from "./summary.mjs";

const runs = 101;

export async function measureAllocation({ run, reset = () => undefined }) {
  const isAsync = typeof run()?.then === "function";
  const growth = isAsync ? growthAsync : growthSync;
  const nothing = median(await growth(() => undefined, reset));
  return Math.max(0, median(await growth(run, reset)) - nothing);
}

function growthSync(run, reset) {
  const growths = new Array(runs).fill(0);
  for (let i = 0; i < runs; i++) {
    reset();
    const before = process.memoryUsage().heapUsed;
    run();
    growths[i] = process.memoryUsage().heapUsed - before;
  }
  return growths;
}

async function growthAsync(run, reset) {
  const growths = new Array(runs).fill(0);
  for (let i = 0; i < runs; i++) {
    await reset();
    const before = process.memoryUsage().heapUsed;
    await run();
    growths[i] = process.memoryUsage().heapUsed - before;
  }
  return growths;
}
