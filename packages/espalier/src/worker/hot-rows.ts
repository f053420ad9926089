/**
 * Changed transforms, extracted from a patch and written as rows of numbers.
 */
import type { Entity } from "../ecs/index.ts";
import type { PatchEntry, StreamPatch } from "../history/index.ts";
import { rawTransforms } from "../transform/index.ts";
import { openSection, sectionBytes } from "./block.ts";
import type { AnySpace } from "./contract.ts";
import type { BlockMemory } from "./messages.ts";

/** Entities of one space whose transforms changed. */
export interface HotRows {
  /** The number of the space. */
  readonly number: number;
  readonly space: AnySpace;
  readonly ids: Entity[];
  /** The number of fields, from the first, that are written. */
  width: number;
}

/** How many numbers a row may have, by the number of fields of the transform, as `batch.write` takes them. */
const rowWidths: { readonly [fields: number]: readonly number[] } = { 6: [2, 3, 5, 6], 10: [3, 7, 10] };

/** A patch without the transforms that are written as rows. New entities keep theirs, and so do entities that lost their transform. */
export function takeHotRows(
  patch: StreamPatch,
  spaces: readonly AnySpace[],
): { readonly rest: StreamPatch; readonly hot: readonly HotRows[] } {
  const byComponent = new Map(
    spaces.map((space, number) => [
      space.component.name,
      { number, space, ids: [], width: 0, names: Object.keys(space.component.schema) } as HotRows & {
        names: string[];
      },
    ]),
  );
  const rest: (PatchEntry | StreamPatch[number])[] = [];
  for (const entry of patch) {
    const rows =
      "component" in entry && entry.component !== undefined ? byComponent.get(entry.component) : undefined;
    if (rows === undefined || !("values" in entry) || entry.values === null || entry.values === undefined) {
      rest.push(entry);
      continue;
    }
    if (entry.op === "columns") for (const id of entry.ids) rows.ids.push(id as Entity);
    else rows.ids.push(entry.id as Entity);
    for (const name of Object.keys(entry.values))
      rows.width = Math.max(rows.width, rows.names.indexOf(name) + 1);
  }
  const hot = [...byComponent.values()].filter(({ ids }) => ids.length > 0);
  for (const rows of hot) {
    const widths = rowWidths[rows.names.length] as readonly number[];
    rows.width = widths.find((width) => width >= rows.width) as number;
  }
  return { rest, hot };
}

/** Bytes of all sections. */
export function bytesOf(hot: readonly HotRows[]): number {
  return hot.reduce(
    (sum, { ids, width, space }) => sum + sectionBytes(ids.length, width, isDouble(space)),
    0,
  );
}

/** Writes a section for each space, with the current values of the world. */
export function writeSections(memory: BlockMemory, start: number, hot: readonly HotRows[]): void {
  let offset = start;
  for (const { number, space, ids, width } of hot) {
    const double = isDouble(space);
    const section = openSection(memory, offset, number, width, ids.length, double);
    fill(section.ids, section.rows, ids, width, space);
    offset += sectionBytes(ids.length, width, double);
  }
}

function fill(
  handles: Float64Array,
  rows: Float32Array | Float64Array,
  ids: readonly Entity[],
  width: number,
  space: AnySpace,
): void {
  const raw = rawTransforms(space);
  const { locals } = raw;
  for (let k = 0, r = 0; k < ids.length; k++) {
    const entity = ids[k] as Entity;
    handles[k] = entity;
    const from = raw.rowOf(entity);
    for (let f = 0; f < width; f++, r++) rows[r] = locals[from + f] as number;
  }
}

function isDouble(space: AnySpace): boolean {
  return rawTransforms(space).locals instanceof Float64Array;
}
