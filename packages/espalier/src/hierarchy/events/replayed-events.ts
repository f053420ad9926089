/**
 * The events of a hierarchy for readers that begin late: first the links that are there.
 */
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import type { ChildAdded, HierarchyEvent } from "./events.ts";

/** A reader whose first answer begins with the links that were there when it was made. */
export interface ReplayedEvents {
  /** How many events wait to be read, the present links included. */
  readonly pending: number;
  /** What happened since the last call; the first time an `added` for each link that was there, parents first, and then what happened. */
  read(): HierarchyEvent[];
  /** Ends it. */
  close(): void;
}

/**
 * A reader of the events of a tree that begins with its present links, as if each had just been added: parents before their children, siblings in
 * order. What a late listener builds from it is what one from the start would have.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const events = replayedEvents(tree);
 * tree.attachNew(turret);
 * events.read().map((event) => event.type); // → ["added", "added"]
 * events.close();
 * ```
 */
export function replayedEvents(tree: Hierarchy): ReplayedEvents {
  treeOf(tree);
  const reader = tree.events.reader();
  let present: ChildAdded[] | undefined = [];
  for (const root of tree.roots()) {
    for (const parent of tree.descendants(root, { includeSelf: true })) {
      tree.childrenOf(parent).forEach((child, index) => {
        present?.push({ type: "added", child, parent, index } as ChildAdded);
      });
    }
  }
  return {
    get pending() {
      return (present?.length ?? 0) + reader.pending;
    },
    read() {
      const first = present ?? [];
      present = undefined;
      return [...first, ...reader.read()];
    },
    close() {
      present = undefined;
      reader.close();
    },
  };
}
