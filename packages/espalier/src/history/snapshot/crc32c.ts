/**
 * CRC-32C (Castagnoli): finds every change of up to five bits in a snapshot of usual size, and every burst of 32.
 */

const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256, so that eight bytes are taken at once. */
const tables = /* @__PURE__ */ makeTables();

function makeTables(): Int32Array {
  const made = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
    made[byte] = rest;
  }
  for (let k = 256; k < made.length; k++) {
    const before = made[k - 256] as number;
    made[k] = (before >>> 8) ^ (made[before & 255] as number);
  }
  return made;
}

/**
 * The checksum of words whose number is even.
 *
 * @param skipped - The word that is taken as 0, because it holds the checksum itself.
 */
export function crc32c(words: Int32Array, skipped: number): number {
  let sum = -1;
  for (let k = 0; k < words.length; k += 2) {
    const low = sum ^ (k === skipped ? 0 : (words[k] as number));
    const high = k + 1 === skipped ? 0 : (words[k + 1] as number);
    sum =
      (tables[1792 + (low & 255)] as number) ^
      (tables[1536 + ((low >>> 8) & 255)] as number) ^
      (tables[1280 + ((low >>> 16) & 255)] as number) ^
      (tables[1024 + (low >>> 24)] as number) ^
      (tables[768 + (high & 255)] as number) ^
      (tables[512 + ((high >>> 8) & 255)] as number) ^
      (tables[256 + ((high >>> 16) & 255)] as number) ^
      (tables[high >>> 24] as number);
  }
  return ~sum >>> 0;
}
