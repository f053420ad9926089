/** What both subjects play. */
export const STEP = 1 / 60;
export const FRAMES = ["a", "b", "c", "d"];
export const TIMES = [0, 0.5, 1];
export const VALUES = { x: [0, 10, 0], rotation: [0, 1.5, 0] };
export const quadOut = (t) => 1 - (1 - t) * (1 - t);

/** The value of a track at a time, written the obvious way. */
export function valueAt(values, time) {
  const k = time < TIMES[1] ? 0 : 1;
  const share = quadOut((time - TIMES[k]) / (TIMES[k + 1] - TIMES[k]));
  return values[k] + (values[k + 1] - values[k]) * share;
}

/** The position in the n-th run, from 0 to 1000. */
export const placeOf = (k, n) => (k * 7919 + n * 31) % 1000;
export const rowOf = (k) => (k * 104729) % 1000;

/** The tiles of a map, of which a fifth is solid, and where the n-th is written. */
export const tileAt = (k) => ((k * 7919) % 5 === 0 ? 1 : 0);
export const columnOf = (n, side) => (n * 37) % side;

/** How many tiles are solid after n of them were written, one after the other. */
export function solidAfter(size, count) {
  const side = Math.sqrt(size);
  const tiles = Array.from({ length: size }, (_, k) => tileAt(k));
  for (let n = 1; n <= count; n++) tiles[columnOf(n * 7, side) * side + columnOf(n, side)] = n & 1;
  return tiles.filter((tile) => tile === 1).length;
}
