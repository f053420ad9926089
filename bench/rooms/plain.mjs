/** The limit: loops over objects, as a program without a library has them. */
import { columnOf, FRAMES, placeOf, rowOf, STEP, solidAfter, tileAt, VALUES, valueAt } from "./shared.mjs";

function sprites(size) {
  const all = Array.from({ length: size }, (_, k) => ({ time: (k % 20) / 60, frame: "" }));
  const run = () => {
    for (const it of all) {
      it.time = (it.time + STEP) % (FRAMES.length / 12);
      const frame = FRAMES[Math.min(Math.floor(it.time * 12 + 1e-9), FRAMES.length - 1)];
      if (it.frame !== frame) it.frame = frame;
    }
  };
  const result = () => all.filter(({ frame }) => FRAMES.includes(frame)).length;
  return { run, result, expected: () => size };
}

function keyframes(size) {
  const all = Array.from({ length: size }, () => ({ time: 0, x: 0, rotation: 0 }));
  const run = () => {
    for (const it of all) {
      it.time = (it.time + STEP) % 1;
      it.x = valueAt(VALUES.x, it.time);
      it.rotation = valueAt(VALUES.rotation, it.time);
    }
  };
  return {
    run,
    result: () => all.reduce((sum, { x }) => sum + x, 0) / size,
    expected: () => valueAt(VALUES.x, all[0].time),
  };
}

function sounds(size) {
  const all = Array.from({ length: size }, (_, k) => ({ time: 0, x: k % 100, y: k / 10, gain: -1, pan: 0 }));
  let [n, calls] = [0, 0];
  const run = () => {
    n++;
    for (let k = 0; k < size; k += 10) all[k].x = (k + n) % 100;
    for (const it of all) {
      it.time += STEP;
      const gain = (600 - Math.hypot(it.x, it.y)) / 600;
      const pan = it.x / 600;
      if (gain === it.gain && pan === it.pan) continue;
      it.gain = gain;
      it.pan = pan;
      calls++;
    }
  };
  return { run, calls: () => calls };
}

function nearest(size) {
  const all = Array.from({ length: size }, (_, k) => ({ x: 0, y: rowOf(k) }));
  let [n, sum, wanted] = [0, 0, 0];
  const find = (x, y) => {
    let least = Infinity;
    for (const it of all) least = Math.min(least, (it.x - x) ** 2 + (it.y - y) ** 2);
    return Math.sqrt(least);
  };
  const run = () => {
    n++;
    for (let k = 0; k < size; k++) all[k].x = placeOf(k, n);
    sum = 0;
    for (let k = 0; k < size; k++) sum += find(rowOf(k), placeOf(k, 3));
    wanted = sum;
  };
  return { run, result: () => sum, expected: () => wanted };
}

function set_tile(size) {
  const side = Math.sqrt(size);
  let tiles = Array.from({ length: size }, (_, k) => tileAt(k));
  let [n, edges] = [0, 0];
  const run = () => {
    n++;
    const [column, row] = [columnOf(n, side), columnOf(n * 7, side)];
    tiles = tiles.slice();
    tiles[row * side + column] = n & 1;
    // The outline of its chunk: every side of a solid tile beyond which there is none.
    edges = 0;
    const [left, top] = [column - (column % 16), row - (row % 16)];
    const isSolid = (x, y) => x >= 0 && y >= 0 && x < side && y < side && tiles[y * side + x] === 1;
    for (let y = top; y < Math.min(top + 16, side); y++)
      for (let x = left; x < Math.min(left + 16, side); x++)
        if (isSolid(x, y))
          edges += !isSolid(x - 1, y) + !isSolid(x + 1, y) + !isSolid(x, y - 1) + !isSolid(x, y + 1);
  };
  return {
    run,
    result: () => tiles.filter((tile) => tile === 1).length + (edges < 0 ? 1 : 0),
    expected: () => solidAfter(size, n),
  };
}

export const subjects = { plain: { cases: { sprites, keyframes, sounds, nearest, set_tile } } };
