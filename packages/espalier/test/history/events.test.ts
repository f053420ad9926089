import type { Entity } from "espalier";
import type { Hierarchy, HierarchyEvent } from "espalier/hierarchy";
import { createHistory, restoreSnapshot, takeSnapshot, transaction } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operation, perform, plant } from "./random-world.ts";

/** The children of every parent, as the events report them. */
function follow(mirror: Map<Entity, Entity[]>, event: HierarchyEvent): void {
  const list = (parent: Entity) => mirror.get(parent) ?? mirror.set(parent, []).get(parent)!;
  const take = (parent: Entity, child: Entity) => list(parent).splice(list(parent).indexOf(child), 1);
  if (event.type === "added") list(event.parent).splice(event.index, 0, event.child);
  else if (event.type === "removed") take(event.parent, event.child);
  else if (event.type === "moved") {
    take(event.previousParent, event.child);
    list(event.newParent).splice(event.index, 0, event.child);
  } else if (event.parent !== null) {
    if (event.order !== null) mirror.set(event.parent, [...event.order]);
    else {
      take(event.parent, event.child as Entity);
      list(event.parent).splice(event.index, 0, event.child as Entity);
    }
  }
}

describe("the events of a hierarchy", () => {
  it("lead to its present state, through undo, redo, failed transactions and snapshots", () => {
    const move = fc.tuple(fc.nat(9), fc.array(operation, { maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(move, { maxLength: 12 }), fc.nat(2), (moves, which) => {
        const forest = plant();
        const { world } = forest;
        const tree = forest.trees[which] as Hierarchy;
        const history = createHistory(world);
        const options = { trees: [...forest.trees, forest.up] };
        const reader = tree.events.reader({ onMissed: () => expect.unreachable("missed events") });
        const mirror = new Map<Entity, Entity[]>();
        let saved = takeSnapshot(world, options);
        for (const [what, operations] of moves) {
          if (what === 0) history.undo();
          else if (what === 1) history.redo();
          else if (what === 2) restoreSnapshot(world, saved, options);
          else if (what === 3) saved = takeSnapshot(world, options);
          else if (what === 4) {
            expect(() =>
              transaction(world, () => {
                for (const each of operations) perform(forest, each);
                throw new Error("back");
              }),
            ).toThrow("back");
            expect(reader.pending).toBe(0);
          } else history.step("random", () => operations.forEach((each) => void perform(forest, each)));
          for (const event of reader) follow(mirror, event);
          for (const entity of world.entities())
            expect(mirror.get(entity) ?? []).toEqual(tree.childrenOf(entity));
        }
      }),
      { numRuns: 150, seed: 21 },
    );
  });
});
