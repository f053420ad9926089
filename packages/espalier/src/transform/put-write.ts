/**
 * What undo needs of local transforms that are written without the world: the old numbers go straight on the tape of who
 * records, as they do when the world writes them.
 */
import { type Entity, type Store, type WriteTape, writeHead } from "../ecs/index.ts";

/** How many numbers `put` puts down. */
export const PUT = 3;

/** What the record of a write to each of these fields ends with. */
export function headsOf(store: Store, fields: readonly string[]): Float64Array {
  return Float64Array.from(fields, (name) => writeHead(store.id, store.names.indexOf(name)));
}

/** Records that a number is about to be overwritten, where there is room on the tape. Short, so that V8 takes it in. */
export function put(tape: WriteTape, before: number, entity: Entity, head: number): void {
  const { numbers, count } = tape;
  numbers[count] = before;
  numbers[count + 1] = entity;
  numbers[count + 2] = head;
  tape.count = count + PUT;
}
