/** Snapshots with changed contents and a right checksum, by what the format says. */

function crc(bytes: Uint8Array): number {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ 0x82f63b78 : sum >>> 1;
  }
  return ~sum >>> 0;
}

function seal(buffer: ArrayBuffer): ArrayBuffer {
  const view = new DataView(buffer);
  view.setUint32(12, 0, true);
  view.setUint32(12, crc(new Uint8Array(buffer)), true);
  return buffer;
}

/** The directory and the arrays of a snapshot. */
export function openSnapshot(buffer: ArrayBuffer): { text: string; arrays: Uint8Array } {
  const size = new DataView(buffer).getUint32(16, true);
  const start = (32 + size + 7) & ~7;
  return {
    text: new TextDecoder().decode(new Uint8Array(buffer, 32, size)),
    arrays: new Uint8Array(buffer, start).slice(),
  };
}

/** A snapshot of them. */
export function forge(text: string, arrays: Uint8Array): ArrayBuffer {
  const bytes = new TextEncoder().encode(text);
  const start = (32 + bytes.length + 7) & ~7;
  const buffer = new ArrayBuffer(start + arrays.length);
  const view = new DataView(buffer);
  view.setUint32(0, 0x4c505345, true);
  view.setUint16(4, 2, true);
  view.setUint32(8, buffer.byteLength, true);
  view.setUint32(16, bytes.length, true);
  new Uint8Array(buffer).set(bytes, 32);
  new Uint8Array(buffer).set(arrays, start);
  return seal(buffer);
}
