/**
 * The container of snapshots: one buffer with a header, a directory (JSON) and arrays of numbers.
 *
 * Header, little-endian: magic, version (u16) and flags (u16), length in bytes, checksum, length of the directory, three
 * spare words. The directory tells what the arrays mean; it begins behind the header, the arrays behind it, each at a
 * multiple of 8. The checksum covers everything, itself taken as 0.
 */
import type { Column } from "../../ecs/index.ts";
import { DamagedSnapshotError, SnapshotVersionError } from "../errors.ts";
import { Misfit } from "../values/misfit.ts";
import { crc32c } from "./crc32c.ts";

/** The version of the format that this library writes. It reads all up to this one: the first had a weaker checksum. */
export const FORMAT_VERSION = 2;

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

export type Kind = keyof typeof kinds;
/** The kind of a typed array. */
export function kindOf(array: unknown): Kind {
  return (Object.keys(kinds) as Kind[]).find((key) => kinds[key] === array) as Kind;
}

export type Numbers = Exclude<Column, unknown[]>;

/** Where an array stands: its kind, its first byte behind the directory, its number of elements. */
type Place = readonly [kind: Kind, offset: number, length: number];

/** Gathers arrays; `add` gives the number under which the directory refers to one. */
export class ArrayWriter {
  private readonly arrays: Numbers[] = [];
  private readonly places: Place[] = [];
  private size = 0;

  add(array: Numbers): number {
    const kind = (Object.keys(kinds) as Kind[]).find((key) => array instanceof kinds[key]) as Kind;
    this.places.push([kind, this.size, array.length]);
    this.size += align(array.byteLength);
    return this.arrays.push(array) - 1;
  }

  /** The finished buffer. */
  finish(directory: object): ArrayBuffer {
    const text = new TextEncoder().encode(JSON.stringify({ directory, arrays: this.places }));
    const start = align(HEADER + text.length);
    const buffer = new ArrayBuffer(start + this.size);
    const bytes = new Uint8Array(buffer);
    bytes.set(text, HEADER);
    this.arrays.forEach((array, k) => {
      const [, offset] = this.places[k] as Place;
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), start + offset);
    });
    const header = new DataView(buffer);
    header.setUint32(0, MAGIC, true);
    header.setUint16(4, FORMAT_VERSION, true);
    header.setUint32(8, buffer.byteLength, true);
    header.setUint32(16, text.length, true);
    header.setUint32(CHECKSUM_WORD * 4, crc32c(new Int32Array(buffer), CHECKSUM_WORD), true);
    return buffer;
  }
}

/** A buffer that was found to be whole. */
export interface OpenedArrays {
  readonly directory: unknown;
  /**
   * A copy of array number `k`, each of which is given out once: whatever the directory says, no more is copied than there
   * is. Throws `Misfit` where there is none of that kind.
   */
  array(k: number, kind: Kind): Numbers;
}

/**
 * Opens what `ArrayWriter` made.
 * @throws DamagedSnapshotError, SnapshotVersionError
 */
export function openArrays(source: ArrayBuffer | ArrayBufferView): OpenedArrays {
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
      version,
      `Cannot read a snapshot of format ${version}: this version of Espalier reads up to ${FORMAT_VERSION}. Update Espalier, or take the snapshot with this version.`,
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
  const size = header.getUint32(16, true);
  const start = align(HEADER + size);
  try {
    if (start > buffer.byteLength) throw new Misfit("its directory is longer than the snapshot");
    const text = new TextDecoder().decode(new Uint8Array(buffer, HEADER, size));
    const { directory, arrays } = Object(JSON.parse(text)) as { directory: unknown; arrays: unknown };
    const places = requirePlaces(arrays, buffer.byteLength - start);
    const isGiven = new Uint8Array(places.length);
    return {
      directory,
      array(k, kind) {
        const place = places[k];
        if (place === undefined || place[0] !== kind || isGiven[k] === 1) {
          throw new Misfit(`there is no array ${k} of ${kind}, or it is used twice`);
        }
        isGiven[k] = 1;
        return new kinds[kind](buffer, start + place[1], place[2]).slice();
      },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new DamagedSnapshotError(`Cannot read a snapshot: its directory cannot be right (${why}).`);
  }
}

/** The places of the arrays, which stand one behind the other and fill the buffer. */
function requirePlaces(arrays: unknown, room: number): readonly Place[] {
  if (!Array.isArray(arrays)) throw new Misfit("there is no list of arrays");
  let end = 0;
  for (const place of arrays as readonly unknown[]) {
    const [kind, offset, length] = Array.isArray(place) ? (place as readonly unknown[]) : [];
    if (typeof kind !== "string" || !Object.hasOwn(kinds, kind)) throw new Misfit("an array is of no kind");
    if (offset !== end || !Number.isInteger(length) || (length as number) < 0 || (length as number) > room) {
      throw new Misfit("an array is not where it should be");
    }
    end += align((length as number) * kinds[kind as Kind].BYTES_PER_ELEMENT);
  }
  if (end !== room) throw new Misfit("its arrays are longer or shorter than the snapshot");
  return arrays as readonly Place[];
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

/** FNV-1a over words, as the first version had it. */
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
