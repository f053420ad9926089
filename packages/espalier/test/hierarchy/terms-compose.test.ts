import {
  addAll,
  any,
  changesOf,
  component,
  createCommands,
  createWorld,
  DEVELOPMENT,
  f32,
  not,
  observe,
  optional,
  tag,
  toTable,
  u8,
  where,
} from "espalier";
import {
  ancestorHas,
  childHas,
  childrenChanged,
  createHierarchy,
  descendantHas,
  hasChildren,
  isRoot,
  parentHas,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, refusal, strictWorld } from "../testing.ts";

const Panel = component("Panel", { width: f32(7) });
const Team = component("Team", { number: u8() });
const Button = tag("Button");
const Hidden = tag("Hidden");

function setUp() {
  const world = strictWorld();
  const tree = createHierarchy(world);
  const panel = world.spawn(Panel({ width: 3 }));
  const button = tree.attachNew(panel, Button);
  const label = tree.attachNew(button);
  const loose = world.spawn(Button);
  return { world, tree, panel, button, label, loose };
}

describe("a term of a tree", () => {
  it("can be negated", () => {
    const { world, tree, panel, label, loose } = setUp();
    expect(
      world
        .query(not(parentHas(tree, Panel)))
        .ids()
        .sort(),
    ).toEqual([panel, label, loose]);
    expect(world.query(Button, not(isRoot(tree))).count()).toBe(1);
    expect(world.query(not(Button, isRoot(tree))).ids()).toEqual([label]);
    expect(String(world.query(not(Button, parentHas(tree, Panel))))).toBe(
      "query(not(Button, parentHas(Panel)))",
    );
  });

  it("can be an alternative, beside components and other terms", () => {
    const { world, tree, panel, button, label, loose } = setUp();
    expect(
      world
        .query(any(Panel, parentHas(tree, Panel)))
        .ids()
        .sort(),
    ).toEqual([panel, button]);
    expect(
      world
        .query(any(isRoot(tree), ancestorHas(tree, Panel)))
        .ids()
        .sort(),
    ).toEqual([panel, button, label, loose]);
    expect(
      world
        .query(any(not(isRoot(tree)), Panel))
        .ids()
        .sort(),
    ).toEqual([panel, button, label]);
    expect(
      world
        .query(not(any(Panel, parentHas(tree, Panel))))
        .ids()
        .sort(),
    ).toEqual([label, loose]);
    expect(
      world
        .query(not(not(isRoot(tree))))
        .ids()
        .sort(),
    ).toEqual([panel, loose]);
  });

  it.each([true, false])("can be optional, in each, update and tables (generated code: %s)", (generate) => {
    const world = createWorld({ generate });
    const tree = createHierarchy(world);
    const panel = world.spawn(Panel({ width: 3 }), Button);
    const button = tree.attachNew(panel, Button);
    const query = world.query(Button, optional(parentHas(tree, Panel)));
    for (let pass = 0; pass < 8; pass++) {
      const seen: unknown[] = [];
      query.each((entity, above) => seen.push([entity, above?.width]));
      expect(seen).toEqual([
        [panel, undefined],
        [button, 3],
      ]);
      const widths: unknown[] = [];
      query.update((above) => widths.push(above?.width));
      expect(widths).toEqual([undefined, 3]);
    }
    expect(toTable(query).map((row) => row["parentHas(Panel).width"])).toEqual([undefined, 3]);
    query.each((_entity, above) => {
      if (above !== undefined) above.width = 5;
    });
    expect(world.get(panel, Panel)).toEqual({ width: 5 });
  });

  it("agrees with the obvious answer, however terms are put together", () => {
    const shape = fc.letrec((tie) => ({
      term: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom("Panel", "Button", "root", "parent", "ancestor", "child"),
        fc.record({
          of: fc.constantFrom("not", "any"),
          terms: fc.array(tie("term"), { minLength: 1, maxLength: 3 }),
        }),
      ),
    })).term as fc.Arbitrary<unknown>;
    property(
      fc.tuple(shape, fc.array(fc.tuple(fc.nat(9), fc.nat(3)), { maxLength: 10 })),
      ([wanted, nodes]) => {
        const world = strictWorld();
        const tree = createHierarchy(world);
        const all = nodes.map(() => world.spawn());
        nodes.forEach(([above, kind], k) => {
          const parent = k > 0 && above % 2 === 1 ? (all[above % k] ?? null) : null;
          tree.attach(all[k]!, parent);
          if (kind & 1) world.add(all[k]!, Panel);
          if (kind & 2) world.add(all[k]!, Button);
        });
        type Shape = string | { of: string; terms: Shape[] };
        const build = (it: Shape): never => {
          if (typeof it === "object") return (it.of === "not" ? not : any)(...it.terms.map(build)) as never;
          if (it === "Panel") return Panel as never;
          if (it === "Button") return Button as never;
          if (it === "root") return isRoot(tree) as never;
          if (it === "parent") return parentHas(tree, Panel) as never;
          return (it === "ancestor" ? ancestorHas(tree, Panel) : childHas(tree, Panel)) as never;
        };
        const holds = (it: Shape, e: (typeof all)[number]): boolean => {
          if (typeof it === "object") return it.terms.some((inner) => holds(inner, e)) === (it.of === "any");
          const above = [...tree.ancestors(e)];
          if (it === "Panel") return world.has(e, Panel);
          if (it === "Button") return world.has(e, Button);
          if (it === "root") return above.length === 0;
          if (it === "parent") return above.length > 0 && world.has(above[0]!, Panel);
          return (it === "ancestor" ? above : tree.childrenOf(e)).some((other) => world.has(other, Panel));
        };
        const found = world
          .query(build(wanted as Shape))
          .ids()
          .sort();
        expect(found).toEqual(all.filter((e) => holds(wanted as Shape, e)).sort());
      },
      100,
    );
  });

  it("of another world is refused in every position", () => {
    const { world, tree } = setUp();
    const other = createHierarchy(createWorld());
    for (const term of [
      isRoot(other),
      parentHas(other, Panel),
      descendantHas(other, Panel),
      childrenChanged(other),
    ]) {
      for (const query of [term, not(term), any(Panel, term), not(any(term))]) {
        expect(refusal(world, () => world.query(query))).toContain("it answers for another world");
      }
    }
    expect(refusal(world, () => world.query(optional(parentHas(other, Panel))))).toContain("another world");
    expect(world.query(isRoot(tree)).count()).toBe(2);
  });

  it("is refused where a component is expected", () => {
    const { world, tree, button } = setUp();
    const commands = createCommands(world);
    for (const term of [
      parentHas(tree, Panel),
      isRoot(tree),
      not(Panel),
      optional(Panel),
      where("all", () => true),
    ]) {
      const wrong = term as never;
      for (const call of [
        () => world.add(button, wrong),
        () => world.spawn(wrong),
        () => world.spawnMany(2, wrong),
        () => world.remove(button, wrong),
        () => world.has(button, wrong),
        () => world.get(button, wrong),
        () => world.set(button, wrong),
        () => world.set(button, wrong, { width: 1 } as never),
        () => addAll(world.query(Button), wrong),
        () => observe(world, wrong, {}),
        () => changesOf(world, wrong),
        () => world.columns(wrong),
        () => commands.add(button, wrong),
        () => commands.spawn(wrong),
        () => commands.set(button, wrong),
        () => parentHas(tree, wrong),
        () => descendantHas(tree, wrong),
      ]) {
        expect(refusal(world, call)).toContain("[ecs/unknown-component]");
      }
    }
  });
});

describe("childHas", () => {
  it("matches parents of an entity with the component, and gives the first one's values", () => {
    const { world, tree, panel, button, label } = setUp();
    world.add(label, Team({ number: 4 }));
    tree.attachNew(button, Team({ number: 5 }));
    const seen: unknown[] = [];
    world.query(childHas(tree, Team)).each((entity, team) => seen.push([entity, team.number]));
    expect(seen).toEqual([[button, 4]]);
    expect(world.query(childHas(tree, Button)).ids()).toEqual([panel]);
  });
});

describe("ancestorHas with includeSelf", () => {
  it("tests the entity first, then its ancestors, and returns the one that matched", () => {
    const { world, tree, panel, button, label } = setUp();
    world.add(button, Team({ number: 1 }));
    world.add(panel, Team({ number: 2 }));
    const term = ancestorHas(tree, Team, { includeSelf: true });
    const query = world.query(term);
    expect(query.ids().sort()).toEqual([panel, button, label]);
    expect([panel, button, label].map((e) => query.sourceOf(e, term))).toEqual([panel, button, button]);
    const above = ancestorHas(tree, Team);
    expect([panel, button, label].map((e) => query.sourceOf(e, above))).toEqual([null, panel, button]);
    expect(refusal(world, () => query.sourceOf(panel, Panel as never))).toContain("[ecs/query]");
  });

  it.runIf(DEVELOPMENT)("refuses an option that does not exist", () => {
    const { world, tree } = setUp();
    expect(refusal(world, () => ancestorHas(tree, Team, { self: true } as never))).toContain(
      "[ecs/invalid-option]",
    );
  });
});

describe("childrenChanged", () => {
  it("matches parents whose children were added, removed, destroyed or reordered, even when none is left", () => {
    const { world, tree, panel, button, label, loose } = setUp();
    const changed = childrenChanged(tree);
    const query = world.query(changed);
    const since = (change: () => void) => {
      changed.reset();
      change();
      return query.ids();
    };
    expect(query.ids()).toEqual([]);
    expect(since(() => tree.attach(loose, panel))).toEqual([panel]);
    expect(since(() => tree.moveChild(loose, 0))).toEqual([panel]);
    expect(since(() => tree.attach(loose, button)).sort()).toEqual([panel, button]);
    expect(since(() => tree.detach(loose))).toEqual([button]);
    expect(since(() => world.destroy(label))).toEqual([button]);
    expect(tree.isLeaf(button)).toBe(true);
    expect(since(() => world.set(panel, Panel, { width: 1 }))).toEqual([]);
    expect(since(() => world.destroy(panel))).toEqual([]);
    changed.close();
    expect(since(() => tree.attachNew(loose))).toEqual([]);
  });

  it("does not take a new entity with the index of a dead one for that one", () => {
    const { world, tree, panel, loose } = setUp();
    const changed = childrenChanged(tree);
    tree.attach(loose, panel);
    world.destroy(panel);
    const next = world.spawnMany(6);
    expect(next.some((e) => world.query(changed).includes(e))).toBe(false);
  });

  it("composes with not and any", () => {
    const { world, tree, panel, button } = setUp();
    const changed = childrenChanged(tree);
    tree.attachNew(button);
    expect(world.query(any(changed, Panel)).ids().sort()).toEqual([panel, button]);
    expect(world.query(Button, not(changed)).includes(button)).toBe(false);
  });
});

describe("hasChildren with keepEmpty", () => {
  it("still matches an entity whose last child left, and no other entity", () => {
    const { world, tree, panel, button, label, loose } = setUp();
    const kept = world.query(hasChildren(tree, { keepEmpty: true }));
    const now = world.query(hasChildren(tree));
    tree.attach(label, loose);
    tree.attach(label, null);
    expect(now.ids()).toEqual([panel]);
    expect(kept.ids().sort()).toEqual([panel, button, loose].sort());
    world.destroy(panel);
    const next = world.spawnMany(4);
    expect(kept.ids()).toEqual([loose]);
    expect(next.some((e) => kept.includes(e))).toBe(false);
    world.add(loose, Hidden);
    expect(world.query(Hidden, hasChildren(tree, { keepEmpty: true })).ids()).toEqual([loose]);
  });
});
