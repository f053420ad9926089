/**
 * Small families are listed before they are visited, large ones are walked along the links: both visit what an iterator gives, whatever
 * the visitor changes meanwhile.
 */
import type { Entity } from "espalier";
import { checkTree, createHierarchy, type Hierarchy, inlineLinks } from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, strictWorld } from "../testing.ts";

const act = fc.record({
  kind: fc.constantFrom("nothing", "destroy", "detach", "away", "back", "new", "nested", "swap"),
  target: fc.nat({ max: 60 }),
});
const visits = fc.record({
  size: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 28, max: 40 })),
  acts: fc.array(act, { maxLength: 40 }),
  stopAfter: fc.option(fc.nat({ max: 40 })),
  isOfRoots: fc.boolean(),
});
type Visits = typeof visits extends fc.Arbitrary<infer T> ? T : never;

type Drive = (
  tree: Hierarchy,
  parent: Entity | null,
  visit: (child: Entity, index: number) => boolean,
) => void;

const byCallback: Drive = (tree, parent, visit) =>
  tree.forEachChild(parent, (child, index) => (visit(child, index) ? "stop" : undefined));

const byIterator: Drive = (tree, parent, visit) => {
  let index = 0;
  for (const child of tree.children(parent)) if (visit(child, index++)) return;
};

/** Every visit that was made, in order, with the visits inside it. */
function play(drive: Drive, { size, acts, stopAfter, isOfRoots }: Visits, links: boolean): unknown[] {
  const world = strictWorld({ capacity: 4 });
  const tree = createHierarchy(world, links ? { links: inlineLinks(64) } : {});
  const away = world.spawn();
  const home = isOfRoots ? null : world.spawn();
  const family = Array.from({ length: size }, () => tree.attachNew(home));
  const seen: unknown[] = [];
  let step = 0;
  function visit(child: Entity, index: number): boolean {
    seen.push([child, index]);
    const { kind, target } = acts[step++] ?? { kind: "nothing", target: 0 };
    const other = family[target % Math.max(1, size)] as Entity;
    if (kind === "new") family.push(tree.attachNew(home));
    else if (kind === "nested") drive(tree, target % 2 === 0 ? home : away, visit);
    else if (world.isAlive(other)) {
      if (kind === "destroy") tree.destroy(other);
      else if (kind === "detach") tree.detach(other);
      else if (kind === "away" && other !== away) tree.attach(other, away);
      else if (kind === "back") tree.attach(other, home);
      else if (kind === "swap" && tree.parentOf(other) === home && home !== null)
        tree.attach(other, home, { at: 0 });
    }
    return stopAfter !== null && step > stopAfter;
  }
  drive(tree, home, visit);
  expect(checkTree(tree)).toEqual([]);
  // Nothing is left of the visit that the next one could meet.
  seen.push(["again", ...tree.childrenOf(away)]);
  drive(tree, away, (child, index) => {
    seen.push([child, index]);
    return false;
  });
  return seen;
}

describe.each([false, true])("children visited by callback (links inside the nodes: %s)", (links) => {
  it("are those of the iterator, whatever the visitor changes", () => {
    property(
      visits,
      (one) => {
        expect(play(byCallback, one, links)).toEqual(play(byIterator, one, links));
      },
      300,
    );
  });

  it("are forgotten when the visitor throws", () => {
    const world = strictWorld();
    const tree = createHierarchy(world, links ? { links: inlineLinks(64) } : {});
    const parent = world.spawn();
    const children = [tree.attachNew(parent), tree.attachNew(parent)];
    const visit = () => {
      tree.forEachChild(parent, () => {
        throw new Error("in the middle");
      });
    };
    expect(visit).toThrow("in the middle");
    const seen: Entity[] = [];
    tree.forEachChild(parent, (child) => void seen.push(child));
    expect(seen).toEqual(children);
  });
});
