/**
 * Events as the channel keeps them: six numbers each, because a frame has many and most readers look at few of their parts.
 */
import type { Entity } from "../../ecs/index.ts";
import type { HierarchyEvent } from "./events.ts";

// The first number says what happened; entities are numbers anyway, and 0 stands for none.
/** child, parent, index */
export const ADDED = 0;
/** child, parent, index, index among the roots */
export const DETACHED = 1;
/** child, parent, index */
export const DESTROYED = 2;
/** child, previous parent, new parent, previous index, index */
export const MOVED = 3;
/** child, parent, previous index, index; all children in their order go with it where there is no single child */
export const REORDERED = 4;

export const EVENT_WIDTH = 6;

/** Those of the numbers of an event that are entities. */
export function entitiesInEvent(numbers: readonly number[]): readonly number[] {
  return numbers.slice(1, numbers[0] === MOVED ? 4 : 3);
}

/** What readers get for the numbers from `at` on. */
export function decodeEvent(numbers: Float64Array, at: number, extra?: unknown): HierarchyEvent {
  const child = whole(numbers[at + 1]) as Entity;
  const parent = whole(numbers[at + 2]) as Entity;
  const third = whole(numbers[at + 3]);
  const fourth = whole(numbers[at + 4]);
  switch (numbers[at]) {
    case ADDED:
      return { type: "added", child, parent, index: third };
    case DETACHED:
      return { type: "removed", child, parent, index: third, rootIndex: fourth, cause: "detach" };
    case DESTROYED:
      return { type: "removed", child, parent, index: third, rootIndex: -1, cause: "destroy" };
    case MOVED: {
      const index = whole(numbers[at + 5]);
      const newParent = third as Entity;
      return { type: "moved", child, previousParent: parent, newParent, previousIndex: fourth, index };
    }
    default:
      return {
        type: "reordered",
        parent: parent === 0 ? null : parent,
        child: child === 0 ? null : child,
        previousIndex: third,
        index: fourth,
        order: (extra as readonly Entity[] | undefined) ?? null,
      };
  }
}

/** The same number; below 2^31 as an integer, which V8 keeps in the object itself. A double gets an object of its own: nearly half of an event's bytes. */
function whole(number: number): number {
  const integer = number | 0;
  return integer === number ? integer : number;
}
