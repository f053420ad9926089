/**
 * How even frames are: each of many is measured by itself, in processor time, so that other work of the machine is not included.
 *
 * The time is that of the process: the collector and the compiler work in threads of their own, and their work is part of the cost of a frame. The
 * clock of the main thread alone counts in ticks of milliseconds on most systems.
 */
import { measureAllocation } from "./allocation.mjs";

const warmFrames = 600;
const frames = 3000;

/** Nanoseconds a frame: median, 95th and 99th percentile and worst; and the bytes that a frame allocates on the heap. */
export async function measureSteady(instance) {
  const { run, reset = () => undefined } = instance;
  for (let i = 0; i < warmFrames; i++) {
    reset();
    run();
    // As between the frames of a game: late loads arrive.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const times = new Float64Array(frames);
  for (let i = 0; i < frames; i++) {
    reset();
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    times[i] = (user + system) * 1000;
  }
  times.sort();
  const at = (share) => times[Math.min(frames - 1, Math.floor(frames * share))];
  const bytes = await measureAllocation(instance);
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), worst: times[frames - 1], bytes };
}
