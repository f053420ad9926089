/**
 * The container of snapshots: one buffer with a header, a directory (JSON) and arrays of numbers.
 *
 * Header, little-endian: magic, version (u16) and flags (u16), length in bytes, checksum, length of the directory, three
 * spare words. The directory describes the arrays; it follows the header, and the arrays follow it, each at a
 * multiple of 8. The checksum covers everything, with itself taken as 0.
 */
import type { Column } from "../../ecs/index.ts";
import { DamagedSnapshotError, SnapshotVersionError } from "../errors.ts";
import { crc32c } from "./crc32c.ts";
import { isCount, listOf, requireFit } from "./form.ts";

/** The version of the format that this library writes. It reads all up to this one: the first had a weaker checksum. */
const FORMAT_VERSION = 2;

const MAGIC = 0x4c505345; // "ESPL"
const HEADER = 32;
const CHECKSUM_WORD = 3;

const kinds = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type Kind = keyof typeof kinds;
export type Numbers = Exclude<Column, unknown[]>;

/** The kind of a typed array, by its constructor. */
export function kindOf(array: unknown): Kind {
  return (Object.keys(kinds) as Kind[]).find((key) => kinds[key] === array) as Kind;
}

/** One buffer with all arrays. The directory refers to arrays by their numbers. */
export function packArrays(directory: object, arrays: readonly Numbers[]): ArrayBuffer {
  let size = 0;
  const parts = arrays.map((array) => {
    const part = [kindOf(array.constructor), size, array.length] as const;
    size += align(array.byteLength);
    return part;
  });
  const text = new TextEncoder().encode(JSON.stringify({ directory, arrays: parts }));
  const start = align(HEADER + text.length);
  const buffer = new ArrayBuffer(start + size);
  const bytes = new Uint8Array(buffer);
  bytes.set(text, HEADER);
  arrays.forEach((array, k) => {
    const at = start + (parts[k]?.[1] as number);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
  });
  const header = new DataView(buffer);
  header.setUint32(0, MAGIC, true);
  header.setUint16(4, FORMAT_VERSION, true);
  header.setUint32(8, buffer.byteLength, true);
  header.setUint32(16, text.length, true);
  header.setUint32(CHECKSUM_WORD * 4, crc32c(new Int32Array(buffer), CHECKSUM_WORD), true);
  return buffer;
}

/**
 * Requires a buffer that begins like a snapshot, is complete, and has the right checksum.
 * @throws DamagedSnapshotError, SnapshotVersionError
 */
export function requireWhole(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const buffer = bufferOf(source);
  const header = new DataView(buffer);
  if (buffer.byteLength < HEADER || header.getUint32(0, true) !== MAGIC) {
    throw new DamagedSnapshotError(
      `Cannot read a snapshot: the ${buffer.byteLength} bytes do not begin like one. Pass what takeSnapshot() returned.`,
    );
  }
  const version = header.getUint16(4, true);
  if (version > FORMAT_VERSION) {
    throw new SnapshotVersionError(
      `Cannot read a snapshot of format ${version}: this version of Espalier reads up to ${FORMAT_VERSION}. Update Espalier, or take the snapshot with this version.`,
      { version },
    );
  }
  const length = header.getUint32(8, true);
  if (length !== buffer.byteLength) {
    throw new DamagedSnapshotError(
      `Cannot read a snapshot: it says that it has ${length} bytes, but there are ${buffer.byteLength}. Keep all of it.`,
    );
  }
  if (
    version === 0 ||
    buffer.byteLength % 8 !== 0 ||
    header.getUint32(CHECKSUM_WORD * 4, true) !== checksum(buffer, version)
  ) {
    throw new DamagedSnapshotError(
      "Cannot read a snapshot: its checksum does not match, so some of its bytes are not those that were written. Use another copy.",
    );
  }
  return buffer;
}

export interface OpenedArrays {
  readonly directory: unknown;
  /**
   * A copy of array number `k`. Each is returned only once, so that a wrong directory cannot cause more copying than there
   * is data. Throws if there is no such array of that kind.
   */
  array<K extends Kind>(k: unknown, kind: K): InstanceType<(typeof kinds)[K]>;
}

/** Opens a buffer of `packArrays`. Throws unless the arrays follow each other and fill the buffer. */
export function openArrays(buffer: ArrayBuffer): OpenedArrays {
  const size = new DataView(buffer).getUint32(16, true);
  const start = align(HEADER + size);
  requireFit(start <= buffer.byteLength, "its directory is longer than the snapshot");
  const text = new TextDecoder().decode(new Uint8Array(buffer, HEADER, size));
  const { directory, arrays } = Object(JSON.parse(text)) as { directory: unknown; arrays: unknown };
  let end = start;
  const left = listOf(arrays, "arrays").map((part) => {
    const [kind, offset, length] = listOf(part, "offsets of arrays");
    requireFit(typeof kind === "string" && Object.hasOwn(kinds, kind), "an array is of no kind");
    const at = end;
    requireFit(
      offset === at - start && isCount(length) && length <= buffer.byteLength,
      "an array is not where it should be",
    );
    end += align(length * kinds[kind as Kind].BYTES_PER_ELEMENT);
    return { kind, at, length };
  });
  requireFit(end === buffer.byteLength, "its arrays are longer or shorter than the snapshot");
  return {
    directory,
    array<K extends Kind>(k: unknown, wanted: K) {
      const part = isCount(k) ? left[k] : undefined;
      requireFit(part?.kind === wanted, `there is no array of ${wanted}, or it is used twice`, k);
      delete left[k as number];
      return new kinds[wanted](buffer, part.at, part.length).slice() as InstanceType<(typeof kinds)[K]>;
    },
  };
}

function bufferOf(source: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  if (source instanceof ArrayBuffer) return source;
  if (!ArrayBuffer.isView(source)) {
    throw new DamagedSnapshotError(
      "Cannot read a snapshot: expected an ArrayBuffer. Pass what takeSnapshot() returned.",
    );
  }
  // Copied, because the arrays inside must begin at multiples of 8.
  const { buffer, byteOffset, byteLength } = source;
  return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

function checksum(buffer: ArrayBuffer, version: number): number {
  return version === 1 ? formerChecksum(buffer) : crc32c(new Int32Array(buffer), CHECKSUM_WORD);
}

/** FNV-1a over words, as in the first version. */
function formerChecksum(buffer: ArrayBuffer): number {
  const words = new Uint32Array(buffer);
  let sum = 0x811c9dc5;
  for (let k = 0; k < words.length; k++) {
    sum = Math.imul(sum ^ (k === CHECKSUM_WORD ? 0 : (words[k] as number)), 0x01000193);
  }
  return sum >>> 0;
}

function align(size: number): number {
  return (size + 7) & ~7;
}
