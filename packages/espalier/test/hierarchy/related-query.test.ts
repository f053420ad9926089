import { component, createWorld, type Entity, f32, tag } from "espalier";
import {
  bubble,
  componentsInChildren,
  componentsInParent,
  createHierarchy,
  parentsFirst,
  throughTree,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, names, plant } from "./planting.ts";

const Mark = tag("Mark");
const Health = component("Health", { hp: f32(100) });

describe("throughTree", () => {
  it("lists what matches, with parents, as the plain walks do", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const world = createWorld();
        const tree = createHierarchy(world);
        const all: Entity[] = [];
        for (let k = 0; k < 40; k++) {
          all.push(
            tree.attachNew(
              roll(5) === 0 ? null : (all[roll(all.length)] ?? null),
              ...(roll(2) ? [Mark] : []),
            ),
          );
        }
        const marked = (entity: Entity) => world.has(entity, Mark);
        const pairs = (entities: Iterable<Entity>) =>
          [...entities].filter(marked).map((it) => [tree.parentOf(it), it]);
        const query = throughTree(tree, world.query(Mark));
        expect([...query.roots()]).toEqual([...tree.roots()].filter(marked));
        for (const entity of all) {
          expect([...query.children(entity)]).toEqual(pairs(tree.children(entity)));
          expect([...query.descendants(entity)]).toEqual(pairs(tree.descendants(entity)));
          const up = [...tree.ancestors(entity, { includeSelf: true })];
          expect([...query.ancestors(entity)]).toEqual(
            up
              .slice(1)
              .map((parent, k) => [parent, up[k]])
              .filter(([parent]) => marked(parent!)),
          );
          const parent = tree.parentOf(entity);
          expect(query.parent(entity)).toEqual(parent !== null && marked(parent) ? [parent, entity] : null);
        }
      }),
      { numRuns: 30 },
    );
  });

  it("may be used while the tree changes", () => {
    const { world, tree, e } = plant("r(a(b) c d)");
    for (const entity of Object.values(e)) world.add(entity, Mark);
    const seen: unknown[] = [];
    for (const [parent, child] of throughTree(tree, world.query(Mark)).descendants(e.r!)) {
      seen.push([tree.nameOf(parent), tree.nameOf(child)]);
      if (child !== e.a) continue;
      world.remove(e.c!, Mark);
      tree.attach(e.d!, e.b!);
    }
    expect(seen).toEqual([
      ["r", "a"],
      ["a", "b"],
      ["b", "d"],
    ]);
  });
});

describe("parentsFirst", () => {
  it("gives the matches with every parent before its children, few or many of them, after any edits", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 30 }), (seed, rarity) => {
        const roll = dice(seed);
        const world = createWorld({ capacity: 8 });
        const tree = createHierarchy(world);
        const query = world.query(Mark);
        for (let k = 0; k < 150; k++) {
          const all = world.entities();
          const some = () => all[roll(all.length)]!;
          if (all.length < 40 || roll(3) === 0)
            tree.attachNew(all.length === 0 ? null : some(), ...(roll(rarity) ? [] : [Mark]));
          else if (roll(8) === 0) world.destroy(some());
          else {
            const [child, parent] = [some(), some()];
            if (tree.canAttach(child, parent)) tree.attach(child, parent, { at: roll(3) });
          }
          if (k % 5 !== 0) continue;
          const ordered = parentsFirst(tree, query);
          expect([...ordered].sort()).toEqual(query.ids().sort());
          const rank = new Map(ordered.map((entity, at) => [entity, at]));
          for (const entity of ordered)
            for (const up of tree.ancestors(entity))
              if (rank.has(up)) expect(rank.get(up)!).toBeLessThan(rank.get(entity)!);
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("componentsInChildren and componentsInParent", () => {
  it("give entities with copies of their values, below and above", () => {
    const { world, tree, e } = plant("a(b(c) d)");
    world.add(e.a!, Health({ hp: 1 }));
    world.add(e.b!, Health({ hp: 2 }));
    world.add(e.d!, Health({ hp: 3 }));
    expect(componentsInChildren(tree, e.a!, Health)).toEqual([
      [e.b, { hp: 2 }],
      [e.d, { hp: 3 }],
    ]);
    expect(componentsInChildren(tree, e.a!, Health, { includeSelf: true })[0]).toEqual([e.a, { hp: 1 }]);
    expect(componentsInParent(tree, e.c!, Health)).toEqual([
      [e.b, { hp: 2 }],
      [e.a, { hp: 1 }],
    ]);
    expect(componentsInParent(tree, e.b!, Health, { includeSelf: true })).toEqual([
      [e.b, { hp: 2 }],
      [e.a, { hp: 1 }],
    ]);
    const [[, copy]] = componentsInParent(tree, e.b!, Health) as [[Entity, { hp: number }]];
    copy.hp = 99;
    expect(world.get(e.a!, Health)).toEqual({ hp: 1 });
  });
});

describe("bubble", () => {
  it("goes up from where it starts until it is stopped", () => {
    const { tree, e } = plant("window(panel(button(label)))");
    const seen: Entity[] = [];
    const stoppedBy = bubble(tree, e.label!, (entity) => {
      seen.push(entity);
      return entity === e.panel ? "stop" : undefined;
    });
    expect(names(tree, seen)).toBe("label button panel");
    expect(stoppedBy).toBe(e.panel);
    expect(bubble(tree, e.label!, () => {})).toBeNull();
  });

  it("takes the way of the start, without those that die under way", () => {
    const { world, tree, e } = plant("window(panel(button(label))) other");
    const seen: Entity[] = [];
    bubble(tree, e.label!, (entity) => {
      seen.push(entity);
      if (entity !== e.label) return;
      tree.attach(e.button!, e.other!);
      world.destroy(e.panel!);
    });
    expect(names(tree, seen)).toBe("label button window");
  });
});
