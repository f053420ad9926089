/** The limit: loops over objects, as a program without a library has them. */
import { FRAMES, placeOf, rowOf, STEP, VALUES, valueAt } from "./shared.mjs";

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

export const subjects = { plain: { cases: { sprites, keyframes, sounds, nearest } } };
