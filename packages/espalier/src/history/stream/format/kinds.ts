/**
 * The numbers in encoded batches. They are stored on disk and sent to other versions: never change one, only add.
 */
export const MAGIC = 0xec;
export const VERSION = 1;

/** Flags of a batch. */
export const SNAPSHOT = 1;

/** Kinds of entries. */
export const ADD = 1;
export const REMOVE = 2;
export const MOVE = 3;
export const REORDER = 4;
export const SET = 5;
export const UNSET = 6;
export const RENAME = 7;
export const COLUMNS = 8;
