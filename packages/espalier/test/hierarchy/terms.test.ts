import {
  component,
  createWorld,
  type Entity,
  type FilterTerm,
  f32,
  not,
  observe,
  observeEntities,
  type RelatedTerm,
  tag,
  type World,
} from "espalier";
import {
  ancestorHas,
  attachMany,
  checkTree,
  childOf,
  createHierarchy,
  descendantHas,
  descendantOf,
  type Hierarchy,
  hasChildren,
  hasParent,
  isolate,
  isRoot,
  parentHas,
  siblingHas,
  siblingsOf,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, looksAtLinks, names, plant } from "./planting.ts";

const Mark = component("Mark", { value: f32() });
const Other = tag("Other");

/** What each term means, asked the slow way. */
const meanings: {
  readonly [name: string]: (tree: Hierarchy, it: Entity, mark: (entity: Entity) => boolean) => boolean;
} = {
  isRoot: (tree, it) => tree.parentOf(it) === null,
  hasParent: (tree, it) => tree.parentOf(it) !== null,
  hasChildren: (tree, it) => tree.childrenOf(it).length > 0,
  parentHas: (tree, it, mark) => tree.parentOf(it) !== null && mark(tree.parentOf(it)!),
  ancestorHas: (tree, it, mark) => [...tree.ancestors(it)].some(mark),
  descendantHas: (tree, it, mark) => [...tree.descendants(it)].some(mark),
  siblingHas: (tree, it, mark) => [...siblingsOf(tree, it)].some(mark),
};

const terms: { readonly [name: string]: (tree: Hierarchy) => FilterTerm | RelatedTerm } = {
  isRoot,
  hasParent,
  hasChildren,
  parentHas: (tree) => parentHas(tree, Mark),
  ancestorHas: (tree) => ancestorHas(tree, Mark),
  descendantHas: (tree) => descendantHas(tree, Mark),
  siblingHas: (tree) => siblingHas(tree, Mark),
};

function randomEdit(world: World, tree: Hierarchy, roll: (below: number) => number): void {
  const all = world.entities();
  const pick = () => all[roll(all.length)]!;
  const step = roll(10);
  if (all.length < 5 || step === 0) tree.attachNew(all.length === 0 || roll(4) === 0 ? null : pick(), Mark);
  else if (step === 1) tree.attachNew(pick());
  else if (step < 5) {
    const [child, parent] = [pick(), pick()];
    if (tree.canAttach(child, parent)) tree.attach(child, parent);
  } else if (step === 5) tree.detach(pick());
  else if (step === 6) world.add(pick(), Mark);
  else if (step === 7) world.remove(pick(), Mark);
  else if (step === 8 && all.length > 20) world.destroy(pick());
  else isolate(tree, pick());
}

describe("terms of queries", () => {
  it.each(["cascade", "orphan", "adopt"] as const)(
    "agree with the slow version, under random edits: %s",
    (onDestroy) => {
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const roll = dice(seed);
          const world = createWorld({ capacity: 8 });
          const tree = createHierarchy(world, { onDestroy });
          const queries = Object.entries(terms).map(
            ([name, make]) => [name, world.query(make(tree))] as const,
          );
          for (let k = 0; k < 120; k++) {
            randomEdit(world, tree, roll);
            if (k % 4 !== 0) continue;
            const mark = (entity: Entity) => world.has(entity, Mark);
            for (const [name, query] of queries) {
              const expected = world.entities().filter((entity) => meanings[name]!(tree, entity, mark));
              expect(query.ids().sort(), name).toEqual(expected.sort());
              expect(query.count()).toBe(expected.length);
            }
            expect(checkTree(tree)).toEqual([]);
          }
        }),
        { numRuns: 40 },
      );
    },
  );

  it("combine with components and each other", () => {
    const { world, tree, e } = plant("a(b(c) d) x(y)");
    for (const entity of [e.a!, e.b!, e.x!, e.y!]) world.add(entity, Mark);
    world.add(e.x!, Other);
    expect(names(tree, world.query(Mark, isRoot(tree), not(Other)))).toBe("a");
    expect(names(tree, world.query(Mark, hasParent(tree)))).toBe("b y");
    expect(names(tree, world.query(hasParent(tree), hasChildren(tree)))).toBe("b");
    expect(names(tree, world.query(Mark, parentHas(tree, Other)))).toBe("y");
    expect(String(world.query(Mark, isRoot(tree), childOf(tree, e.a!)))).toBe(
      "query(Mark, isRoot, childOf(a#1))",
    );
  });

  it("find children and descendants of one entity, and nothing once it is dead", () => {
    const { world, tree, e } = plant("a(b(c) d) x");
    const children = world.query(childOf(tree, e.a!));
    const below = world.query(descendantOf(tree, e.a!));
    expect(names(tree, children)).toBe("b d");
    expect(names(tree, below)).toBe("b c d");
    tree.attach(e.x!, e.c!);
    expect(names(tree, below)).toBe("b c d x");
    tree.destroy(e.a!, { children: "orphan" });
    const recycled = world.spawn();
    tree.attach(e.d!, recycled);
    expect(children.ids()).toEqual([]);
    expect(below.ids()).toEqual([]);
    expect(() => childOf(tree, e.a!)).toThrow("Cannot query its children: #1 was destroyed");
    expect(() => descendantOf(tree, e.a!)).toThrow("Cannot query its descendants");
  });

  it("stop matching hasChildren when the last child leaves", () => {
    const { world, tree, e } = plant("a(b)");
    const parents = world.query(hasChildren(tree));
    expect(parents.count()).toBe(1);
    tree.detach(e.b!);
    expect(parents.count()).toBe(0);
  });
});

describe("terms that give values", () => {
  it("give those of the parent, the nearest ancestor and the first sibling", () => {
    const { world, tree, e } = plant("a(b(c(d)) s t)");
    world.add(e.a!, Mark({ value: 1 }));
    world.add(e.b!, Mark({ value: 2 }));
    world.add(e.t!, Mark({ value: 3 }));
    const seen: { [term: string]: string[] } = { parent: [], ancestor: [], sibling: [] };
    world
      .query(parentHas(tree, Mark))
      .each((entity, mark) => seen.parent!.push(`${tree.nameOf(entity)}=${mark.value}`));
    world
      .query(ancestorHas(tree, Mark))
      .each((entity, mark) => seen.ancestor!.push(`${tree.nameOf(entity)}=${mark.value}`));
    world
      .query(siblingHas(tree, Mark))
      .each((entity, mark) => seen.sibling!.push(`${tree.nameOf(entity)}=${mark.value}`));
    for (const list of Object.values(seen)) list.sort();
    expect(seen).toEqual({
      parent: ["b=1", "c=2", "s=1", "t=1"],
      ancestor: ["b=1", "c=2", "d=2", "s=1", "t=1"],
      sibling: ["b=3", "s=2", "t=2"],
    });
  });

  it("give them beside the entity's own, to read and to write", () => {
    const Speed = component("Speed", { value: f32() });
    const { world, tree, e } = plant("a(b c)");
    world.add(e.a!, Mark({ value: 10 }));
    world.add(e.b!, Speed({ value: 1 }));
    world.add(e.c!, Speed({ value: 2 }));
    world.query(Speed, parentHas(tree, Mark)).each((_entity, speed, mark) => {
      mark.value += speed.value;
    });
    expect(world.get(e.a!, Mark)).toEqual({ value: 13 });
    let sum = 0;
    world.query(Speed, ancestorHas(tree, Mark)).update((speed, mark) => {
      sum += speed.value * mark.value;
    });
    expect(sum).toBe(39);
  });

  it("see changes of the tree at once, even in the middle of a pass", () => {
    const { world, tree, e } = plant("a(x y) b");
    world.add(e.a!, Mark);
    const seen: Entity[] = [];
    world.query(parentHas(tree, Mark)).each((entity) => {
      seen.push(entity);
      attachMany(tree, [e.x!, e.y!], e.b!);
    });
    expect(seen).toEqual([e.x]);
  });
});

describe("descendantHas", () => {
  it("counts right when observers move entities", () => {
    for (const order of [Number.NEGATIVE_INFINITY, 0]) {
      const { world, tree, e } = plant("a b");
      observeEntities(world, {
        order,
        spawn: (entity) => {
          if (tree.parentOf(entity) === e.a) tree.attach(entity, e.b!);
        },
      });
      observe(world, Other, {
        order,
        add: (entity) => void tree.attach(entity, e.a!),
        remove: (entity) => void (world.isAlive(entity) && tree.attach(entity, e.b!)),
      });
      const query = world.query(descendantHas(tree, Mark));
      const child = tree.attachNew(e.a!, Other, Mark);
      expect(checkTree(tree)).toEqual([]);
      world.remove(child, Other);
      expect(names(tree, query)).toBe("b");
      world.add(child, Other);
      world.destroy(child);
      expect(query.ids()).toEqual([]);
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("counts right when an observer takes the component away or destroys the entity", () => {
    const { world, tree, e } = plant("a(b)");
    const query = world.query(descendantHas(tree, Mark));
    const end = observe(world, Mark, { add: (entity) => void world.remove(entity, Mark) });
    world.add(e.b!, Mark);
    expect(query.ids()).toEqual([]);
    end();
    const endAll = observeEntities(world, { spawn: (entity) => void world.destroy(entity) });
    tree.attachNew(e.b!, Mark);
    endAll();
    expect(query.ids()).toEqual([]);
    world.add(e.b!, Mark);
    expect(names(tree, query)).toBe("a");
    expect(checkTree(tree)).toEqual([]);
  });

  it("does not count the entity itself, and shares its counts between queries", () => {
    const { world, tree, e } = plant("a(b)");
    world.add(e.a!, Mark);
    expect(world.query(descendantHas(tree, Mark)).ids()).toEqual([]);
    world.add(e.b!, Mark);
    expect(names(tree, world.query(Mark, descendantHas(tree, Mark)))).toBe("a");
  });
});

describe("siblingHas", () => {
  it("looks through a family once, not once per sibling", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    for (let k = 0; k < 30_000; k++) tree.attachNew(root);
    const looks = looksAtLinks(tree, () => {
      expect(world.query(siblingHas(tree, Mark)).count()).toBe(0);
      world.add(tree.lastChild(root)!, Mark);
      expect(world.query(siblingHas(tree, Mark)).count()).toBe(29_999);
    });
    expect(looks).toBeGreaterThan(30_000);
    expect(looks).toBeLessThan(30_000 * 10);
  });
});
