/**
 * The kinds of records. A record ends with its head, which holds the kind and up to two small numbers, so that records are read
 * from the end: the order in which changes are undone. What stands before the head is written beside each kind, first number
 * first.
 */

/** entity */
export const CREATED = 0;
/** entity; it had lived before and is back, so the opposite is to destroy it */
export const REVIVED = 1;
/** values …, row, entity; head with the archetype */
export const DESTROYED = 2;
/** the same; as if it had never been: its handle is the next one given out */
export const TAKEN_BACK = 3;
/** row before, entity; head with the component */
export const ADDED = 4;
/** values …, row, entity; head with the component */
export const REMOVED = 5;
/** value before, entity; head with component and field */
export const WROTE = 6;
/** entity; head with component and field; the value is a reference */
export const WROTE_REFERENCE = 7;
/** a, b, entity (0: none); head with the owner */
export const ROOM = 8;
/** the same, and an extra that is a reference */
export const ROOM_WITH = 9;
/** see `column-copy.ts`; head with the component */
export const COPIED = 10;
/** entity; head with the component: a value changed in a way the world could not see, and cannot be undone */
export const TOUCHED = 11;

export const KINDS = 16;
/** Components per world and fields per component that a head can distinguish. */
export const FIELDS = 2 ** 16;

/** The head of a write to field number `field` of a component. */
export function writeHead(component: number, field: number): number {
  return WROTE + KINDS * (FIELDS * component + field);
}
