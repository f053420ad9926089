/**
 * The record that the table of indices keeps for each: `info[(index << 2) | ARCHETYPE]` and so on.
 */

import { INDEX_BITS } from "./entity.ts";

export const GENERATION = 0;
export const ARCHETYPE = 1;
export const ROW = 2;
/** Handles of a lower generation are never given out: an older entity came back, after its index had been given to other entities. */
export const FLOOR = 3;

/** ARCHETYPE of an unused index. */
export const NO_ENTITY = -1;
/** ARCHETYPE of an index that a command buffer holds for an entity it will create. */
export const RESERVED = -2;
/** ARCHETYPE of an index that has no generation left. It is never used again. */
export const WORN = -3;

/** The handle of the entity at index `i`, in generated code that knows the `table` of indices. */
export const HANDLE_TEXT = `(table.wide ? table.handleAt(i) : table.info[i << 2] << ${INDEX_BITS} | i)`;
