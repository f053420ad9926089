/**
 * Timing inside a subject's process.
 *
 * The same loop warms up and measures, so that what is timed is what was optimised. It has called
 * other functions before, as the loop of a frame over its systems has, so V8 cannot inline the measured one.
 * Otherwise V8 sometimes inlines the whole case into the timing loop, with every array a constant, and
 * sometimes not, and the same code takes 1.5 or 4 ns.
 */
import { performance } from "node:perf_hooks";

/**
 * Returns `batch(runs, work = instance.run)`, which resolves to the milliseconds it took.
 *
 * With `instance.reset` every run is timed alone and the reset before it is not counted: for work
 * that uses its data up (build, destroy). Otherwise the whole batch is one span.
 */
export async function createBatch(instance) {
  const { run, reset } = instance;
  if (reset) await reset();
  const first = run();
  const isAsync = typeof first?.then === "function";
  await first;
  if (reset) {
    const time = isAsync ? timeEachAsync : timeEach;
    for (const other of strangers) await time(other, other, 4);
    return (runs, work = run) => time(work, reset, runs);
  }
  const time = isAsync ? timeAllAsync : timeAll;
  for (const other of strangers) await time(other, 4);
  return (runs, work = run) => time(work, runs);
}

const strangers = [() => 1, () => "2", () => [3], () => null];

function timeAll(run, runs) {
  const start = performance.now();
  for (let i = 0; i < runs; i++) run();
  return performance.now() - start;
}

function timeEach(run, reset, runs) {
  let total = 0;
  for (let i = 0; i < runs; i++) {
    reset();
    const start = performance.now();
    run();
    total += performance.now() - start;
  }
  return total;
}

async function timeAllAsync(run, runs) {
  const start = performance.now();
  for (let i = 0; i < runs; i++) await run();
  return performance.now() - start;
}

async function timeEachAsync(run, reset, runs) {
  let total = 0;
  for (let i = 0; i < runs; i++) {
    await reset();
    const start = performance.now();
    await run();
    total += performance.now() - start;
  }
  return total;
}

const mostWall = 40;

/**
 * Runs until the time is stable, then returns how many runs make one batch of `batchMs`.
 *
 * Stable: the minimum time and number of warm-up runs are reached and two consecutive batches agree
 * within 10 %. The number matters for long runs: a loop over 100,000 entities is first compiled
 * while it runs, without its constants, and replaced by the final code some thousand runs later.
 * Given up after four times the warm-up time: on a busy machine two batches may never agree. A batch whose
 * resets take long ends when it has lasted `mostWall` times as long as one without.
 */
export async function warmUp(instance, batch, { warmMs, warmRuns, batchMs }) {
  const start = performance.now();
  let runs = 1;
  let runsSoFar = 0;
  let previous = Number.POSITIVE_INFINITY;
  for (;;) {
    await disturb(instance, batch);
    const begun = performance.now();
    const perRun = Math.max((await batch(runs)) / runs, 1e-7);
    const elapsed = performance.now() - start;
    const most = Math.max(1, Math.floor((batchMs * mostWall * runs) / (performance.now() - begun)));
    runsSoFar += runs;
    const settled = Math.abs(perRun - previous) <= 0.1 * perRun;
    const isWarm = elapsed >= warmMs && runsSoFar >= warmRuns;
    if ((isWarm && settled) || elapsed >= 4 * warmMs) {
      return Math.min(most, Math.max(1, Math.round(batchMs / perRun)));
    }
    previous = perRun;
    runs = Math.min(most, Math.max(1, Math.round(batchMs / perRun)), runs * 4);
  }
}

/**
 * One timed batch. Untimed runs before it refill the caches, which other processes used meanwhile; a run that is longer
 * than a batch does that itself.
 */
export async function timeBatch(instance, batch, runs) {
  await disturb(instance, batch);
  if (runs > 1) await batch(Math.max(1, runs >> 3));
  return (await batch(runs)) / runs;
}

/** Runs the other work of the process, untimed, through the same call that is timed. */
async function disturb({ others = [] }, batch) {
  for (const other of others) await batch(8, other);
}
