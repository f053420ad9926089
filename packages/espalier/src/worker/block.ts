/**
 * The layout of transforms of many entities in a block: for each space a section with a head, the handles, and a row of numbers per entity.
 */
import type { BlockMemory } from "./messages.ts";

/** Before the first section: the state of the slot. */
export const HEAD_BYTES = 8;
/** Number of the space, numbers per row, rows, bytes per number. */
const SECTION_HEAD = 4;

/** Transforms of one space. */
export interface Section {
  /** The number of the space in the list of both sides. */
  readonly space: number;
  /** How many numbers a row has: the first fields of the transform. */
  readonly width: number;
  /** The handles that the entities have in the worker. */
  readonly ids: Float64Array;
  /** A row for each of them. */
  readonly rows: Float32Array | Float64Array;
}

/** Bytes of a section. All parts begin at multiples of 8. */
export function sectionBytes(count: number, width: number, isDouble: boolean): number {
  return SECTION_HEAD * 4 + count * 8 + roundedUp(count * width * (isDouble ? 8 : 4));
}

/** Writes the head of a section at `offset`; its arrays are filled by the caller. */
export function openSection(
  memory: BlockMemory,
  offset: number,
  space: number,
  width: number,
  count: number,
  isDouble: boolean,
): Section {
  new Int32Array(memory, offset, SECTION_HEAD).set([space, width, count, isDouble ? 8 : 4]);
  return sectionAt(memory, offset);
}

/** The section that begins at `offset`. */
export function sectionAt(memory: BlockMemory, offset: number): Section {
  const [space, width, count, bytes] = new Int32Array(memory, offset, SECTION_HEAD) as unknown as number[];
  const start = offset + SECTION_HEAD * 4;
  const first = start + (count as number) * 8;
  const length = (count as number) * (width as number);
  return {
    space: space as number,
    width: width as number,
    ids: new Float64Array(memory, start, count),
    rows: bytes === 8 ? new Float64Array(memory, first, length) : new Float32Array(memory, first, length),
  };
}

/** All sections of a block. */
export function* sectionsOf(memory: BlockMemory, count: number): IterableIterator<Section> {
  let offset = HEAD_BYTES;
  for (let k = 0; k < count; k++) {
    const section = sectionAt(memory, offset);
    yield section;
    offset += sectionBytes(section.ids.length, section.width, section.rows instanceof Float64Array);
  }
}

function roundedUp(bytes: number): number {
  return (bytes + 7) & ~7;
}
