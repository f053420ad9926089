/**
 * How long a record is, so that records can be passed over from the end.
 */
import type { WorldState } from "../state.ts";
import { ADDED, COPIED, DESTROYED, KINDS, REMOVED, ROOM, ROOM_WITH, TAKEN_BACK, WROTE } from "./kinds.ts";
import type { Records } from "./tape.ts";

/** How many numbers the last record takes. */
export function recordSize(s: WorldState, { numbers, count: end }: Records): number {
  const head = numbers[end - 1];
  const kind = head % KINDS;
  const detail = (head - kind) / KINDS;
  switch (kind) {
    case DESTROYED:
    case TAKEN_BACK:
      return 3 + (s.graph.all[detail]?.packed ?? 0);
    case REMOVED:
      return 3 + (s.stores[detail]?.packed ?? 0);
    case WROTE:
    case ADDED:
      return 3;
    case ROOM:
    case ROOM_WITH:
      return 4;
    case COPIED:
      return numbers[end - 2];
    default:
      return 2;
  }
}
