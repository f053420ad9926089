/**
 * World transforms of many entities into a buffer, in the form a renderer takes.
 */
import { type Entity, indexOf, type Query, type Term } from "../../ecs/index.ts";
import { checkOptions, describeValue, type OptionKinds } from "../../ecs/internal.ts";
import { isBuffer, requireFillMembers } from "../checks/arguments.ts";
import { InvalidFillError } from "../errors.ts";
import type { MatrixSpace } from "../spaces/matrix-space.ts";
import { rawTransforms } from "../spaces/raw-transforms.ts";
import { type FillPlane, type FillWidth, type WriteRow, writerFor } from "./fill-layout.ts";
import { requireMatrixSpace, worldRowsOf } from "./world-rows.ts";

/** Whose transforms: a list, or the matches of a query in the query's order. */
export type FillSource = readonly Entity[] | Query<readonly Term[]>;

/** Where and how world transforms are written into an array. */
export interface FillOptions {
  /**
   * Floats per entity, 16 if left out. All matrices are in column order.
   *
   * - 6: a, b, c, d, x, y, as Canvas and PixiJS take it. Of a 3D space: as seen along z.
   * - 9: a 3x3 matrix. Of a 2D space with its position, of a 3D space the linear part.
   * - 12: three columns of the linear part, then the position.
   * - 16: a 4x4 matrix, as WebGL and three.js take it.
   */
  readonly width?: FillWidth;
  /** Where in `out` the first one goes, in floats; 0 if left out. */
  readonly offset?: number;
  /** Floats from one to the next; `width` if left out. */
  readonly stride?: number;
  /** Where a 2D space lies, for 12 and 16: `"xy"` (the default) or, on the ground, `"xz"`. */
  readonly plane?: FillPlane;
}

/** A buffer to fill. */
export type FillBuffer = Float32Array | Float64Array | number[];

/**
 * Writes the world transforms of the given entities into `out`, one after the other, after bringing the space up to
 * date. Gives how many. An entity without a transform has that of its ancestors.
 *
 * @throws InvalidFillError when `out` is too small or an option does not exist; DeadEntityError. Nothing was written.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const tank = world.spawn(space.at(100, 50));
 * const turret = tree.attachNew(tank, space.at(10, 0));
 * const out = new Float32Array(12);
 * fillWorlds(space, [tank, turret], out, { width: 6 }); // → 2
 * out; // → [1, 0, 0, 1, 100, 50, 1, 0, 0, 1, 110, 50]
 * ```
 */
export function fillWorlds(
  space: MatrixSpace,
  entities: FillSource,
  out: FillBuffer,
  options: FillOptions = {},
): number {
  const doing = "fill world transforms";
  requireFillOptions(space, doing, options, layoutOptions);
  const layout = checkLayout(options);
  return fillRows(space, entities, out, doing, layout, writerFor(space, layout.width, layout.plane));
}

/** What a row of a buffer is: so many numbers, from an offset on, one every `stride`. */
interface RowSteps {
  readonly width: number;
  readonly offset: number;
  readonly stride: number;
}

/** Writes one row per entity into `out`, after bringing the space up to date. Gives how many. */
export function fillRows(
  space: MatrixSpace,
  entities: FillSource,
  out: FillBuffer,
  doing: string,
  steps: RowSteps,
  write: WriteRow,
): number {
  const indices = indicesOf(space, entities);
  const count = indices.length;
  requireRoom(doing, out, count, steps);
  const { values, slotOf, stride } = worldRowsOf(space);
  for (let k = 0, o = steps.offset; k < count; k++, o += steps.stride)
    write(values, slotOf[indices[k]] * stride, out, o);
  return count;
}

/** The names of the options of where and how; `checkLayout` looks at their values. */
export const layoutOptions = {
  width: "anything",
  offset: "anything",
  stride: "anything",
  plane: "anything",
} as const;

/** Refuses what is not a space of matrices, and options that do not exist. */
export function requireFillOptions(
  space: MatrixSpace,
  doing: string,
  options: object,
  kinds: OptionKinds,
): void {
  requireMatrixSpace(space, doing);
  checkOptions(space.tree.world.checks, doing, options, kinds);
}

/** The entity indices of a list or of the matches of a query. */
function indicesOf(space: MatrixSpace, entities: FillSource): Int32Array {
  if (!Array.isArray(entities)) {
    requireFillMembers(entities, "fill world transforms", "an array of entities or a query");
    const query = entities as Query<readonly Term[]>;
    const count = query.sync();
    return query.indices.subarray(0, count);
  }
  const indices = new Int32Array(entities.length);
  const raw = rawTransforms(space);
  for (let k = 0; k < entities.length; k++) {
    // Throws for a dead one.
    raw.worldRowOf(entities[k]);
    indices[k] = indexOf(entities[k]);
  }
  return indices;
}

/** The options with what was left out. */
export function checkLayout(options: FillOptions): Required<FillOptions> {
  const { width = 16, offset = 0, plane = "xy" } = options;
  const { stride = width } = options;
  if (![6, 9, 12, 16].includes(width)) {
    throw new InvalidFillError(
      `Cannot fill ${describeValue(width)} floats per entity: choose a width of 6, 9, 12 or 16.`,
      { option: "width", value: width },
    );
  }
  if (plane !== "xy" && plane !== "xz") {
    throw new InvalidFillError(
      `Cannot lay a 2D space into the plane ${describeValue(plane)}: choose "xy" or "xz".`,
      { option: "plane", value: plane },
    );
  }
  checkSteps(offset, stride, width);
  return { width, offset, stride, plane };
}

export function checkSteps(offset: number, stride: number, width: number): void {
  if (!Number.isInteger(offset) || offset < 0) {
    throw new InvalidFillError(
      `Cannot fill from offset ${describeValue(offset)}: it counts floats, and is 0 or larger.`,
      { option: "offset", value: offset },
    );
  }
  if (!Number.isInteger(stride) || stride < width) {
    throw new InvalidFillError(
      `Cannot fill with a stride of ${describeValue(stride)} floats: an entity takes ${width}, so choose at least that.`,
      { option: "stride", value: stride },
    );
  }
}

export function requireRoom(
  doing: string,
  out: FillBuffer,
  count: number,
  { width, offset, stride }: RowSteps,
): void {
  if (!isBuffer(out)) {
    throw new InvalidFillError(
      `Cannot ${doing} into ${describeValue(out)}: give a Float32Array, a Float64Array or an array that can be written.`,
      { value: out },
    );
  }
  const needed = count === 0 ? 0 : offset + (count - 1) * stride + width;
  if (out.length >= needed) return;
  throw new InvalidFillError(
    `Cannot ${doing}: ${count} entities need ${needed} floats, and the buffer has ${out.length}. Give a larger one.`,
    { limit: out.length, value: needed },
  );
}

/** @throws InvalidFillError when there are fewer lists than rows, or with `each` when one of them is not a list. */
export function requireLists(doing: string, lists: readonly number[][], count: number, each: boolean): void {
  if (!Array.isArray(lists) || lists.length < count) {
    const given = Array.isArray(lists) ? `${lists.length} lists` : describeValue(lists);
    throw new InvalidFillError(`Cannot ${doing} into ${given}: ${count} entities need an array each.`);
  }
  if (!each) return;
  for (let k = 0; k < count; k++) {
    if (isBuffer(lists[k])) continue;
    throw new InvalidFillError(
      `Cannot ${doing} into ${describeValue(lists[k])}: row ${k} needs an array that can be written.`,
      { value: lists[k] },
    );
  }
}
