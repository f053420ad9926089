/**
 * What the main thread of a page did, from a trace of Chromium: time on the processor, in milliseconds a frame.
 */

/**
 * @param {object[]} events Of a trace with the categories `toplevel` and `devtools.timeline`. Slices begin and end with
 *   `console.timeStamp("begin name")` and `console.timeStamp("end name")`.
 * @param {(id: number) => "game" | "twin" | undefined} ownerOf Says of an id of `requestAnimationFrame` whose it was.
 */
export function slicesOf(events, ownerOf) {
  const stamps = events
    .filter(({ name }) => name === "TimeStamp")
    .map(({ ts, pid, tid, args }) => ({ ts, pid, tid, text: args.data.message ?? args.data.name }))
    .sort((a, b) => a.ts - b.ts);
  const { pid, tid } = stamps[0];
  const own = events
    .filter((event) => event.pid === pid && event.tid === tid && event.ph === "X" && event.tdur > 0)
    .sort((a, b) => a.ts - b.ts);
  const slices = [];
  for (let k = 0; k + 1 < stamps.length; k += 2) {
    const [from, to] = [stamps[k], stamps[k + 1]];
    const name = from.text.slice("begin ".length);
    if (to.text !== `end ${name}`) throw new Error(`"${from.text}" is followed by "${to.text}".`);
    if (name !== "warm")
      slices.push({ name, ...timesOf(own.filter(({ ts }) => ts > from.ts && ts < to.ts), ownerOf) });
  }
  return slices;
}

/** Garbage is collected in the middle of whatever runs, and is nobody's in particular: it counts as the rest. */
const GARBAGE = new Set(["MinorGC", "MajorGC"]);

function timesOf(events, ownerOf) {
  const times = { game: 0, twin: 0 };
  let [frames, all] = [0, 0];
  let running = { owner: undefined, end: 0 };
  const parts = new Map();
  for (const { name, ts, dur, tdur, args } of events) {
    const ms = tdur / 1000;
    const owner = name === "FireAnimationFrame" ? ownerOf(args.data.id) : undefined;
    if (owner !== undefined) {
      if (owner === "game") frames++;
      times[owner] += ms;
      running = { owner, end: ts + dur };
      continue;
    }
    if (GARBAGE.has(name) && ts < running.end) times[running.owner] -= ms;
    if (name.endsWith("RunTask")) all += ms;
    const part = parts.get(name) ?? { ms: 0, count: 0 };
    part.ms += ms;
    part.count++;
    parts.set(name, part);
  }
  const { game, twin } = times;
  return { frames, game: game / frames, twin: twin / frames, rest: (all - game - twin) / frames, parts };
}

/** The parts of some slices, the longest first: name, milliseconds a frame, times a frame. They lie within each other. */
export function partsOf(slices) {
  const sums = new Map();
  let frames = 0;
  for (const slice of slices) {
    frames += slice.frames;
    for (const [name, { ms, count }] of slice.parts) {
      const sum = sums.get(name) ?? [name, 0, 0];
      sum[1] += ms;
      sum[2] += count;
      sums.set(name, sum);
    }
  }
  return [...sums.values()]
    .map(([name, ms, count]) => [name, ms / frames, count / frames])
    .filter(([, ms]) => ms > 0.002)
    .sort((a, b) => b[1] - a[1]);
}
