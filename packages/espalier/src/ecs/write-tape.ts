/**
 * The short way from a write to whoever records it: the old number goes straight on its tape, without a call. Passing it
 * to a function that V8 does not inline would put every number into a box of its own.
 */
/** Where a recorder writes, as far as generated code has to know. */
export interface WriteTape {
  numbers: Float64Array;
  /** How many of `numbers` are in use. */
  count: number;
  /** Makes sure that `size` numbers fit behind `count`; may move `numbers` and `count`. */
  reserve(size: number): void;
}

/** A head holds the kind of the record and up to two small numbers. */
export const KINDS = 16;
/** Components per world and fields per component that a head can tell apart. */
export const FIELDS = 2 ** 16;
/** The kind of: value before, entity, head with component and field. */
export const WROTE = 6;

/** From the head of one field to that of the next. */
export const WRITE_STEP = KINDS;

/** The head of a write to the first field of a component. */
export function writeHead(component: number): number {
  return WROTE + KINDS * FIELDS * component;
}

/** Records that a number is about to be overwritten; a part of generated code. */
export const PUT_WRITE = `const put = (t, b, e, h) => {
  let at = t.count;
  if (at + 3 > t.numbers.length) { t.reserve(3); at = t.count; }
  const m = t.numbers;
  m[at] = b; m[at + 1] = e; m[at + 2] = h;
  t.count = at + 3;
};`;
