import { component, createWorld, type Entity, string } from "espalier";
import { checkTree, childNamed, createHierarchy } from "espalier/hierarchy";
import { createHistory, DuplicateKeyError, diff, reconcile, takeSnapshot } from "espalier/history";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

function family() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const top = world.spawn();
  const show = (keys: readonly (string | number)[]) =>
    reconcile(tree, top, keys, { key: (key) => key, create: () => world.spawn() });
  const names = () => tree.childrenOf(top).map((child) => tree.nameOf(child));
  return { world, tree, top, show, names };
}

/** The fewest moves, found by trying every subset that may stay. */
function fewestMoves(from: readonly string[], to: readonly string[]): number {
  const common = to.filter((key) => from.includes(key));
  let longest = 0;
  for (let subset = 0; subset < 1 << common.length; subset++) {
    const kept = common.filter((_, k) => (subset >> k) & 1).map((key) => from.indexOf(key));
    if (kept.every((at, k) => k === 0 || at > (kept[k - 1] as number)))
      longest = Math.max(longest, kept.length);
  }
  return common.length - longest;
}

describe("reconcile", () => {
  it("creates, keeps, moves and removes", () => {
    const { world, tree, top, show, names } = family();
    const [a, b, c] = show(["a", "b", "c"]).children as [Entity, Entity, Entity];
    expect(names()).toEqual(["a", "b", "c"]);
    const result = show(["c", "b", "d"]);
    const d = result.children[2] as Entity;
    expect(tree.childrenOf(top)).toEqual([c, b, d]);
    expect([result.created, result.removed]).toEqual([[d], [a]]);
    expect(result.moved).toHaveLength(1);
    expect(world.isAlive(a)).toBe(false);
    expect(show([7, 8]).created).toHaveLength(2);
    expect(show([8]).children).toEqual([childNamed(tree, top, "8")]);
    expect(show([]).children).toEqual([]);
  });

  it("emits nothing when nothing is different", () => {
    const { tree, show } = family();
    show(["a", "b"]);
    const events = tree.events.reader();
    expect(show(["a", "b"])).toMatchObject({ created: [], removed: [], moved: [] });
    expect(events.read()).toEqual([]);
  });

  it("moves as few as possible: never more than trying everything would", () => {
    const keys = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"));
    fc.assert(
      fc.property(keys, keys, (from, to) => {
        const { tree, show, names } = family();
        show(from);
        const { moved, created, removed } = show(to);
        expect(names()).toEqual(to);
        expect(moved.length).toBe(fewestMoves(from, to));
        expect(created.length).toBe(to.filter((key) => !from.includes(key)).length);
        expect(removed.length).toBe(from.filter((key) => !to.includes(key)).length);
        expect(checkTree(tree)).toEqual([]);
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  it("gives differences with as few entries", () => {
    const keys = fc.shuffledSubarray(["a", "b", "c", "d", "e", "f", "g"], { minLength: 7 });
    fc.assert(
      fc.property(keys, keys, (from, to) => {
        const { world, tree, show } = family();
        show(from);
        const before = takeSnapshot(world, { trees: [tree] });
        show(to);
        const patch = diff(before, { world, trees: [tree] });
        expect(patch.every(({ op }) => op === "reorder")).toBe(true);
        expect(patch.length).toBe(fewestMoves(from, to));
      }),
      { numRuns: 300, seed: 8 },
    );
  });

  it("works on roots, with keys kept in a component, and leaves other entities alone", () => {
    const Row = component("Row", { id: string() });
    const world = createWorld();
    const tree = createHierarchy(world);
    const other = world.spawn();
    const seen: string[] = [];
    const show = (rows: { id: string; text: string }[]) =>
      reconcile(tree, null, rows, {
        key: (row) => row.id,
        keyOf: (child) => world.get(child, Row)?.id,
        create: (row, index) => world.spawn(Row({ id: `${row.id}${index < 0 ? "" : ""}` })),
        update: (_child, row, index) => seen.push(`${index} ${row.text}`),
        remove: (child) => {
          seen.push("removed");
          world.remove(child, Row);
        },
      });
    show([
      { id: "x", text: "new x" },
      { id: "y", text: "new y" },
    ]);
    expect(seen).toEqual([]);
    const { children } = show([{ id: "y", text: "old y" }]);
    expect(seen).toEqual(["removed", "0 old y"]);
    expect([world.isAlive(other), world.count, tree.nameOf(children[0] as Entity)]).toEqual([
      true,
      3,
      undefined,
    ]);
  });

  it("refuses keys that exist twice, and takes everything back when a callback throws", () => {
    const { world, tree, top, show, names } = family();
    show(["a", "b"]);
    expect(() => show(["x", "x"])).toThrow(DuplicateKeyError);
    expect(() => show(["x", "y", "x"])).toThrow(
      'Cannot reconcile: items 0 and 2 both have the key "x". Give each a key of its own. [history/duplicate-key]',
    );
    expect(() =>
      reconcile(tree, top, ["b", "c", "d"], {
        key: (key) => key,
        create: (key) => {
          if (key === "d") throw new Error("no more");
          return world.spawn();
        },
      }),
    ).toThrow("no more");
    expect([names(), world.count]).toEqual([["a", "b"], 3]);
    tree.setName(tree.attachNew(top), "a");
    expect(() => show(["a"])).toThrow('both have the key "a"');
    const history = createHistory(world);
    world.destroy(tree.childrenOf(top)[2] as Entity);
    history.commit();
    history.step("Show", () => show(["b", "z"]));
    history.undo();
    expect(names()).toEqual(["a", "b"]);
    expect(() => reconcile(tree, 99 as Entity, [], { key: () => 1, create: () => world.spawn() })).toThrow(
      "Cannot reconcile children",
    );
  });
});
