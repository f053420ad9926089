/**
 * An animated PNG of 256 colours: every frame holds only the rectangle that differs from the one before.
 */
import { crc32, deflateSync } from "node:zlib";

/**
 * @param {{ width: number, height: number, data: Uint8Array, delay: number }[]} frames RGBA; delays in milliseconds.
 * @returns {Buffer}
 */
export function animatedPng(frames) {
  const [{ width, height }] = frames;
  const { palette, indexOf } = paletteOf(frames);
  const pictures = frames.map(({ data }) => {
    const picture = new Uint8Array(width * height);
    for (let k = 0; k < picture.length; k++) picture[k] = indexOf(data, k * 4);
    return picture;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames.length, 0);
  const chunks = [chunk("IHDR", header), chunk("acTL", control), chunk("PLTE", palette)];
  let sequence = 0;
  pictures.forEach((picture, k) => {
    const rect = k === 0 ? { x: 0, y: 0, w: width, h: height } : changed(pictures[k - 1], picture, width);
    const place = Buffer.alloc(26);
    [sequence++, rect.w, rect.h, rect.x, rect.y].forEach((value, n) => {
      place.writeUInt32BE(value, n * 4);
    });
    place.writeUInt16BE(frames[k].delay, 20);
    place.writeUInt16BE(1000, 22);
    chunks.push(chunk("fcTL", place));
    const rows = Buffer.alloc(rect.h * (rect.w + 1));
    for (let y = 0; y < rect.h; y++) {
      const from = (rect.y + y) * width + rect.x;
      rows.set(picture.subarray(from, from + rect.w), y * (rect.w + 1) + 1);
    }
    const packed = deflateSync(rows, { level: 9, memLevel: 9 });
    if (k === 0) chunks.push(chunk("IDAT", packed));
    else {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++, 0);
      chunks.push(chunk("fdAT", Buffer.concat([number, packed])));
    }
  });
  chunks.push(chunk("IEND", Buffer.alloc(0)));
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...chunks]);
}

/** The smallest rectangle that holds all differences; one pixel when there are none. */
function changed(before, after, width) {
  let [left, top, right, bottom] = [width, after.length / width, -1, -1];
  for (let k = 0; k < after.length; k++) {
    if (before[k] === after[k]) continue;
    const [x, y] = [k % width, Math.floor(k / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return { x: 0, y: 0, w: 1, h: 1 };
  return { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

/** The 256 colours that are seen most, among colours that look alike; every other gets the nearest of them. */
function paletteOf(frames) {
  const counts = new Map();
  for (const { data } of frames) {
    for (let k = 0; k < data.length; k += 4) {
      const key = ((data[k] >> 2) << 12) | ((data[k + 1] >> 2) << 6) | (data[k + 2] >> 2);
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { count: 1, color: [data[k], data[k + 1], data[k + 2]] });
      else entry.count++;
    }
  }
  const colors = [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, 256)
    .map(({ color }) => color);
  const palette = Buffer.from(colors.flat());
  const cache = new Map();
  const indexOf = (data, at) => {
    const key = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    const known = cache.get(key);
    if (known !== undefined) return known;
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    colors.forEach(([r, g, b], k) => {
      const distance = (r - data[at]) ** 2 + (g - data[at + 1]) ** 2 + (b - data[at + 2]) ** 2;
      if (distance < least) [best, least] = [k, distance];
    });
    cache.set(key, best);
    return best;
  };
  return { palette, indexOf };
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length, 0);
  sum.writeUInt32BE(crc32(body), 0);
  return Buffer.concat([length, body, sum]);
}
