import { component, createCommands, createWorld, type Entity, f32, string, tag } from "espalier";
import {
  ancestorHas,
  componentsInChildren,
  componentsInParent,
  createHierarchy,
  descendantHas,
  flatOrder,
  type Hierarchy,
  type HierarchyEvent,
  type HierarchyOptions,
  hierarchyCommands,
  inlineLinks,
  isRoot,
  type KeepOptions,
  parentHas,
  pathBetween,
  siblingHas,
  spawnTree,
  swap,
  throughTree,
  type UpHierarchy,
  upLinks,
} from "espalier/hierarchy";
import { describe, expectTypeOf, it } from "vitest";

const world = createWorld();
const tree = createHierarchy(world);
const entity = world.spawn();
const Health = component("Health", { hp: f32(100), label: string("") });
const Hot = tag("Hot");

describe("createHierarchy", () => {
  it("shows what the links offer", () => {
    expectTypeOf(createHierarchy(world)).toEqualTypeOf<Hierarchy<"world" | "rect">>();
    const inline = createHierarchy(world, { links: inlineLinks(4) });
    expectTypeOf(inline).toEqualTypeOf<Hierarchy<"world" | "rect">>();
    expectTypeOf(createHierarchy(world, { links: upLinks() })).toEqualTypeOf<UpHierarchy>();
  });

  it("has no calls for children where only parents are kept", () => {
    const up = createHierarchy(world, { links: upLinks(), name: "follows" });
    expectTypeOf(up.parentOf(entity)).toEqualTypeOf<Entity | null>();
    // @ts-expect-error there are no child lists
    up.childrenOf;
    // @ts-expect-error
    up.children;
    // @ts-expect-error
    up.descendants;
    // @ts-expect-error
    up.childCount;
    // @ts-expect-error
    up.nextSibling;
    // @ts-expect-error
    up.sortChildren;
    // @ts-expect-error there is no order to put it into
    up.attach(entity, entity, { at: 0 });
    // @ts-expect-error
    createHierarchy(world, { links: upLinks(), maxChildren: 3 });
    // @ts-expect-error
    createHierarchy(world, { links: "hash" });
  });
});

describe("reading", () => {
  it("gives null where there may be no entity", () => {
    expectTypeOf(tree.parentOf(entity)).toEqualTypeOf<Entity | null>();
    expectTypeOf(tree.childAt(entity, 0)).toEqualTypeOf<Entity | null>();
    expectTypeOf(tree.find("a")).toEqualTypeOf<Entity | null>();
    expectTypeOf(tree.rootOf(entity)).toEqualTypeOf<Entity>();
    expectTypeOf(pathBetween(tree, entity, entity)).toEqualTypeOf<Entity[] | null>();
  });

  it("takes no plain number for an entity", () => {
    // @ts-expect-error
    tree.parentOf(7);
    // @ts-expect-error
    tree.attach(entity, undefined);
  });

  it("lets visitors answer nothing, skip or stop", () => {
    tree.forEachDescendant(entity, () => {});
    tree.forEachDescendant(entity, () => "skip");
    tree.forEachChild(entity, (_child, index) => (index > 3 ? "stop" : undefined));
    // @ts-expect-error
    tree.forEachDescendant(entity, () => "halt");
  });
});

describe("spawnTree", () => {
  it("knows the names of the literal, at all levels", () => {
    const { named, root } = spawnTree(tree, {
      name: "tank",
      with: [Health({ hp: 5 }), Hot],
      children: [{ name: "turret", children: [{ name: "barrel" }] }, {}, { children: [{ name: "wheel" }] }],
    });
    expectTypeOf(root).toEqualTypeOf<Entity>();
    expectTypeOf<keyof typeof named>().toEqualTypeOf<"tank" | "turret" | "barrel" | "wheel">();
    expectTypeOf(named.barrel).toEqualTypeOf<Entity>();
    // @ts-expect-error
    named.engine;
  });

  it("knows them on commands too", () => {
    const { named } = hierarchyCommands(tree, createCommands(world)).spawnTree({ children: [{ name: "a" }] });
    expectTypeOf<keyof typeof named>().toEqualTypeOf<"a">();
  });

  it("takes any text where the names are not known", () => {
    const name: string = "x";
    const { named } = spawnTree(tree, { name });
    expectTypeOf(named).toEqualTypeOf<{ readonly [x: string]: Entity }>();
  });
});

describe("terms", () => {
  it("that look at another entity's component give its values", () => {
    world.query(Health, parentHas(tree, Health), isRoot(tree)).each((it, own, parents) => {
      expectTypeOf(it).toEqualTypeOf<Entity>();
      expectTypeOf(own.hp).toEqualTypeOf<number>();
      expectTypeOf(parents.label).toEqualTypeOf<string>();
    });
    world.query(ancestorHas(tree, Health), siblingHas(tree, Health)).each((_it, above, beside) => {
      expectTypeOf(above.hp).toEqualTypeOf<number>();
      expectTypeOf(beside.hp).toEqualTypeOf<number>();
    });
    // Tags and counts have no values.
    world.query(Health, parentHas(tree, Hot), descendantHas(tree, Health)).each((_it, ...views) => {
      expectTypeOf(views.length).toEqualTypeOf<1>();
    });
  });

  it("give pairs through a tree, and typed values along it", () => {
    for (const [parent, child] of throughTree(tree, world.query(Health)).descendants(entity)) {
      expectTypeOf(parent).toEqualTypeOf<Entity>();
      expectTypeOf(child).toEqualTypeOf<Entity>();
    }
    for (const [, value] of componentsInChildren(tree, entity, Health))
      expectTypeOf(value.hp).toEqualTypeOf<number>();
    for (const [, value] of componentsInParent(tree, entity, Health))
      expectTypeOf(value.label).toEqualTypeOf<string>();
  });
});

describe("events", () => {
  it("are distinguished by their type", () => {
    const read = (event: HierarchyEvent) => {
      if (event.type === "moved") expectTypeOf(event.previousParent).toEqualTypeOf<Entity>();
      if (event.type === "removed") expectTypeOf(event.cause).toEqualTypeOf<"detach" | "destroy">();
      if (event.type === "reordered") expectTypeOf(event.parent).toEqualTypeOf<Entity | null>();
      // @ts-expect-error an added child has no previous index
      if (event.type === "added") event.previousIndex;
    };
    expectTypeOf(read).returns.toEqualTypeOf<void>();
  });
});

describe("the flat order", () => {
  it("is not for writing", () => {
    // @ts-expect-error
    flatOrder(tree).slotOf[1] = 2;
    // @ts-expect-error
    flatOrder(tree).tail = 1;
    expectTypeOf(flatOrder(tree).nodeAt[1]).toEqualTypeOf<number>();
  });
});

describe("keep", () => {
  it("offers the spaces of the library and those that were announced", () => {
    expectTypeOf<Parameters<typeof tree.detach>[1]>().toEqualTypeOf<
      KeepOptions<"world" | "rect"> | undefined
    >();
    tree.attach(entity, null, { keep: "world" });
    // @ts-expect-error a slip
    tree.attach(entity, null, { keep: "wrold" });
    // @ts-expect-error it was not declared
    tree.destroy(entity, { keep: "grid" });

    const withGrid = createHierarchy<"grid">(world);
    withGrid.attach(entity, null, { keep: "grid" });
    withGrid.destroy(entity, { keep: "world" });
    // @ts-expect-error
    swap(withGrid, entity, entity, { keep: "gird" });
  });

  it("is announced by the hierarchy's own keep, too", () => {
    const orphans = createHierarchy(world, { onDestroy: "orphan", keep: "grid" });
    expectTypeOf(orphans).toEqualTypeOf<Hierarchy<"world" | "rect" | "grid">>();
  });

  it("is checked in commands", () => {
    const later = hierarchyCommands(tree, createCommands(world));
    later.attach(entity, null, { keep: "world" });
    // @ts-expect-error
    later.detach(entity, { keep: "grid" });
  });

  it("takes any name where the spaces are not known, and still offers those of the library", () => {
    const use = (any: Hierarchy) => any.detach(entity, { keep: "grid" });
    use(tree);
    use(createHierarchy<"grid">(world));
    const options: HierarchyOptions = { keep: "grid" as string };
    expectTypeOf(createHierarchy(world, options)).toExtend<Hierarchy>();
  });
});
