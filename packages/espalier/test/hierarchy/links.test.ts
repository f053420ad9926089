/** The forms of links are options, not other structures: the same calls give the same results. */
import { createWorld, type Entity, indexOf } from "espalier";
import {
  attachAll,
  attachMany,
  attachNewAt,
  checkTree,
  createHierarchy,
  type HierarchyEvent,
  type HierarchyOptions,
  inlineLinks,
  rawLinks,
  swap,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice } from "./planting.ts";
import { shape } from "./replay.ts";

describe("inline links", () => {
  it.each(["cascade", "orphan", "adopt"] as const)(
    "do what lists do, in the same random sequence: %s",
    (onDestroy) => {
      fc.assert(
        fc.property(fc.integer(), fc.integer({ min: 1, max: 6 }), (seed, maxChildren) => {
          const run = (bound: HierarchyOptions) => {
            const roll = dice(seed);
            const world = createWorld({ capacity: 4 });
            const tree = createHierarchy(world, { onDestroy, ...bound });
            const reader = tree.events.reader();
            const log: unknown[] = [];
            for (let k = 0; k < 200; k++) {
              const all = world.entities();
              const some = (): Entity => all[roll(all.length)]!;
              const step = all.length < 5 ? 0 : roll(12);
              const options = roll(3) === 0 ? { at: roll(7) - 3 } : undefined;
              try {
                if (step < 3) attachNewAt(tree, all.length === 0 ? null : some(), options);
                else if (step < 6) log.push(tree.attach(some(), some(), options));
                else if (step === 6) log.push(swap(tree, some(), some()));
                else if (step === 7) attachMany(tree, [...new Set([some(), some()])], some(), options);
                else if (step === 8) log.push(tree.moveChild(some(), roll(5)));
                else if (step === 9)
                  attachAll(tree, [
                    [some(), some()],
                    [some(), some()],
                    [some(), null],
                  ]);
                else if (step === 10) log.push(world.destroy(some()));
                else log.push(tree.destroy(some(), { children: "adopt" }));
              } catch (error) {
                log.push((error as Error).message);
              }
              const around = all.filter((it) => world.isAlive(it));
              log.push(
                shape(tree),
                around.map((it) => [tree.indexOf(it), tree.nextSibling(it), tree.previousSibling(it)]),
                around.map((it) => tree.parentOf(it)),
                around.map((it) => tree.childAt(it, roll(4) - 2)),
                around.map((it) => [...tree.children(it)]),
              );
              expect(checkTree(tree)).toEqual([]);
            }
            return { log, events: reader.read() as HierarchyEvent[] };
          };
          expect(run({ links: inlineLinks(maxChildren) })).toEqual(run({ maxChildren }));
        }),
        { numRuns: 15 },
      );
    },
  );

  it("have any number of roots", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { links: inlineLinks(1) });
    const all = world.spawnMany(1000);
    tree.moveChild(all[999]!, "first");
    tree.moveChild(all[0]!, { after: all[500]! });
    expect(tree.childAt(null, 0)).toBe(all[999]);
    expect(tree.indexOf(all[0]!)).toBe(501);
    expect(checkTree(tree)).toEqual([]);
  });
});

describe.each([{}, { links: inlineLinks(4) }])("links %j", (form) => {
  it("report -1 as the parent of an index without a living entity", () => {
    const world = createWorld({ capacity: 4 });
    const tree = createHierarchy(world, form);
    const links = rawLinks(tree);
    const [root, child, gone] = [world.spawn(), world.spawn(), world.spawn()];
    tree.attach(child, root);
    tree.attach(gone, root);
    world.destroy(gone);
    world.spawnMany(20);
    expect([root, child, gone].map((entity) => links.parent(indexOf(entity)))).toEqual([0, indexOf(root), 0]);
    world.destroy(child);
    expect(links.parent(indexOf(child))).toBe(-1);
    world.reserve(10);
    const unused = world.entities().length + 2;
    expect([unused, unused + 1].map((index) => links.parent(index))).toEqual([-1, -1]);
    expect(tree.parentOf(root)).toBe(null);
  });

  it("contain no entity once their world is disposed", () => {
    const world = createWorld();
    const tree = createHierarchy(world, form);
    const root = world.spawn();
    const child = tree.attachNew(root);
    world.dispose();
    expect(() => tree.parentOf(child)).toThrow("this world was disposed");
    expect(() => tree.childrenOf(root)).toThrow("this world was disposed");
  });
});
