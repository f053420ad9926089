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
      slices.push({
        name,
        ...timesOf(
          own.filter(({ ts }) => ts > from.ts && ts < to.ts),
          ownerOf,
        ),
      });
  }
  return slices;
}

/** Garbage is collected in the middle of whatever runs, and is nobody's in particular: it is counted by itself. */
const GARBAGE = new Set(["MinorGC", "MajorGC"]);
const isGarbageTask = ({ args }) => /\b(v8::internal|cppgc)::/.test(args?.src_func ?? "");

function timesOf(events, ownerOf) {
  const times = { game: 0, twin: 0, rest: 0, garbage: 0 };
  let frames = 0;
  // Events are in the order in which they began, so the last of each is the one that runs.
  let task = { owner: "rest", end: 0 };
  let callback = { owner: "rest", end: 0 };
  const parts = new Map();
  for (const event of events) {
    const { name, ts, dur, tdur, args } = event;
    const ms = tdur / 1000;
    const part = parts.get(name) ?? { ms: 0, count: 0 };
    part.ms += ms;
    part.count++;
    parts.set(name, part);
    const end = ts + dur;
    if (name.endsWith("RunTask")) {
      // One may run within another, which has its time already.
      if (ts < task.end) continue;
      task = { owner: isGarbageTask(event) ? "garbage" : "rest", end };
      times[task.owner] += ms;
    } else if (name === "FireAnimationFrame" && ownerOf(args.data.id) !== undefined) {
      callback = { owner: ownerOf(args.data.id), end };
      if (callback.owner === "game") frames++;
      times[callback.owner] += ms;
      times.rest -= ms;
    } else if (GARBAGE.has(name)) {
      const { owner } = ts < callback.end ? callback : task;
      times[owner] -= ms;
      times.garbage += ms;
    }
  }
  for (const kind of Object.keys(times)) times[kind] /= frames;
  return { frames, ...times, parts };
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
