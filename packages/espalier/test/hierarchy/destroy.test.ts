import { checkWorld, component, createWorld, f32, indexOf, observe, observeEntities, tag } from "espalier";
import {
  attachMany,
  checkTree,
  constrain,
  createHierarchy,
  type DestroyPolicy,
  forbidOnChildren,
  HasChildrenError,
  inlineLinks,
  onDestroying,
  requireOnParent,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { chain, drawn, plant, plantQuietly, thrown } from "./planting.ts";

describe("destroy", () => {
  it("destroys the subtree, children before parents, each once, with parents still readable", () => {
    const Health = component("Health", { hp: f32(10) });
    const { world, tree, e } = plant("a(b(c) d) x");
    for (const entity of Object.values(e)) world.add(entity, Health);
    const seen: unknown[] = [];
    const gone: unknown[] = [];
    observe(world, Health, {
      removing: (entity) =>
        seen.push([tree.nameOf(entity), tree.pathOf(entity), world.get(entity, Health)!.hp]),
      remove: (entity) => {
        const parent = tree.parentOf(entity);
        const above = parent === null ? null : [tree.nameOf(parent), world.get(parent, Health)!.hp];
        gone.push([tree.nameOf(entity), world.get(entity, Health)!.hp, world.isAlive(entity), above]);
      },
    });
    expect(tree.destroy(e.a!)).toBe(true);
    expect(seen).toEqual([
      ["c", "/a/b/c", 10],
      ["b", "/a/b", 10],
      ["d", "/a/d", 10],
      ["a", "/a", 10],
    ]);
    expect(gone).toEqual([
      ["c", 10, false, ["b", 10]],
      ["b", 10, false, ["a", 10]],
      ["d", 10, false, ["a", 10]],
      ["a", 10, false, null],
    ]);
    expect(() => tree.parentOf(e.c!)).toThrow("was destroyed");
    expect(() => world.get(e.c!, Health)).toThrow("was destroyed");
    expect(drawn(tree)).toBe("x");
    expect(tree.destroy(e.a!)).toBe(false);
    expect(tree.destroy(e.c!)).toBe(false);
  });

  it("is the same through the world", () => {
    const { world, tree, e } = plant("a(b(c) d) x");
    world.destroy(e.b!);
    expect(drawn(tree)).toBe("a(d) x");
  });

  it.each([
    ["cascade", "a x"],
    ["orphan", "a x c(c1) d"],
    ["adopt", "a(p c(c1) d q) x"],
  ] as const)("follows the policy of the hierarchy: %s", (onDestroy, expected) => {
    const { world, tree, e } = plant(`a(${onDestroy === "adopt" ? "p b(c(c1) d) q" : "b(c(c1) d)"}) x`, {
      onDestroy,
    });
    world.destroy(e.b!);
    expect(drawn(tree)).toBe(expected);
    expect(checkTree(tree)).toEqual([]);
  });

  it.each(["cascade", "orphan", "adopt"] as const)(
    "follows the policy of the call, whatever that of the hierarchy is: %s",
    (onDestroy) => {
      const wants: { [policy in Exclude<DestroyPolicy, "refuse">]: string } = {
        cascade: "a(p q)",
        orphan: "a(p q) c(c1) d",
        adopt: "a(p c(c1) d q)",
      };
      for (const children of ["cascade", "orphan", "adopt"] as const) {
        const { tree, e } = plant("a(p b(c(c1) d) q)", { onDestroy });
        expect(tree.destroy(e.b!, { children })).toBe(true);
        expect(drawn(tree)).toBe(wants[children]);
        expect(checkTree(tree)).toEqual([]);
      }
    },
  );

  it("lets the children of a root be adopted at its position among the roots", () => {
    const { tree, e } = plant("x r(a b) y", { onDestroy: "adopt" });
    tree.world.destroy(e.r!);
    expect(drawn(tree)).toBe("x a b y");
    const other = plant("x r(a b) y");
    other.tree.destroy(other.e.r!, { children: "adopt" });
    expect(drawn(other.tree)).toBe("x a b y");
  });

  it.each([{}, { links: inlineLinks(4) }, { onDestroy: "orphan" } as const, { onDestroy: "adopt" } as const])(
    "destroys an entity named together with its ancestors once, in any order: %j",
    (form) => {
      const text = "a(b(c d(e)) f(g)) x";
      for (const order of ["d f a", "a d f", "c a d g", "e d b a", "b g x a"]) {
        const { world, tree, e } = plant(text, form);
        const gone: unknown[] = [];
        observeEntities(world, { destroy: (entity) => gone.push(entity) });
        const named = order.split(" ").map((name) => e[name]!);
        const above = new Map(world.entities().map((entity) => [entity, tree.parentOf(entity)]));
        world.destroy(...named);
        const all = order.includes("x") ? 8 : 7;
        expect([gone.length, new Set(gone).size]).toEqual(
          "onDestroy" in form ? [named.length, named.length] : [all, all],
        );
        for (const [entity, parent] of above) {
          if (gone.includes(entity) && gone.includes(parent))
            expect(gone.indexOf(entity)).toBeLessThan(gone.indexOf(parent));
        }
        expect([...checkWorld(world), ...checkTree(tree)]).toEqual([]);
        // An index that was freed twice would be given to two entities.
        expect(new Set(world.spawnMany(16)).size).toBe(16);
        expect(checkWorld(world)).toEqual([]);
        // Nothing of the first call stays with the indices.
        world.destroy(...world.entities());
        expect(world.count).toBe(0);
      }
    },
  );

  it("forgets the policy of a call when the call ends", () => {
    const { world, tree, e } = plant("a(b) x");
    tree.destroy(e.a!, { children: "orphan" });
    const next = world.spawn();
    expect(indexOf(next)).toBe(indexOf(e.a!));
    const child = tree.attachNew(next);
    world.destroy(next);
    expect([world.isAlive(child), world.isAlive(e.b!)]).toEqual([false, true]);
    expect(() => tree.destroy(e.x!, { children: "all" as never })).toThrow("children");
    world.destroy(e.b!, e.x!);
    expect(world.count).toBe(0);
  });

  it.each([
    ["orphan", "a(p q) b"],
    ["adopt", "a(p b q)"],
    ["cascade", "a(p q)"],
  ] as const)("follows the policy %s of a call where the hierarchy refuses", (children, expected) => {
    const { tree, e } = plant("a(p m(b) q)", { onDestroy: "refuse" });
    expect(() => tree.destroy(e.m!)).toThrow(HasChildrenError);
    tree.destroy(e.m!, { children });
    expect(drawn(tree)).toBe(expected);
    expect(checkTree(tree)).toEqual([]);
  });

  it("destroys more children than a call has arguments, by any policy", () => {
    for (const onDestroy of ["cascade", "orphan"] as const) {
      const world = createWorld();
      const tree = createHierarchy(world, { onDestroy });
      const root = world.spawn();
      for (let k = 0; k < 200_000; k++) tree.attachNew(root);
      tree.destroy(root, { children: "cascade" });
      expect(world.count).toBe(0);
    }
  });
});

describe("policies and rules", () => {
  it("make a root of a child for which the new parent has no room", () => {
    for (const form of [{ maxChildren: 3 }, { links: inlineLinks(3) }]) {
      const { world, tree, e } = plant("p(a b(x y z))", { onDestroy: "adopt", ...form });
      world.destroy(e.b!);
      expect(drawn(tree)).toBe("p(a x y) z");
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("detach children that a constraint rejects, and destroy those that it rejects everywhere", () => {
    const Wheel = tag("Wheel");
    const Axle = tag("Axle");
    const world = createWorld();
    const tree = createHierarchy(world, { onDestroy: "adopt" });
    const car = world.spawn();
    const axle = tree.attachNew(car, Axle);
    const [left, right] = [tree.attachNew(axle, Wheel), tree.attachNew(axle)];
    const end = constrain(tree, requireOnParent(world, Wheel, Axle));
    world.destroy(axle);
    expect(world.isAlive(left)).toBe(false);
    expect(tree.childrenOf(car)).toEqual([right]);
    end();
    const Anchor = tag("Anchor");
    const second = tree.attachNew(car);
    const anchor = tree.attachNew(second, Anchor);
    constrain(tree, forbidOnChildren(world, Anchor));
    world.destroy(second);
    expect(tree.isRoot(anchor)).toBe(true);
  });

  it("number a name that is taken where names are unique", () => {
    const { world, tree, e } = plant("p(gun b(gun2))", { onDestroy: "adopt", uniqueNames: true });
    tree.setName(e.gun2!, "gun");
    tree.setName(tree.attachNew(e.b!), "gun~2");
    world.destroy(e.b!);
    expect(drawn(tree)).toBe("p(gun gun~3 gun~2)");
    const other = plant("gun~2 gun b(x)", { onDestroy: "orphan", uniqueNames: true });
    other.tree.setName(other.e.x!, "gun");
    other.world.destroy(other.e.b!);
    expect(drawn(other.tree)).toBe("gun~2 gun gun~3");
  });

  it("let a child take the name of the parent that it replaces", () => {
    const { world, tree, e } = plant("p(gun(x))", { onDestroy: "adopt", uniqueNames: true });
    tree.setName(e.x!, "gun");
    world.destroy(e.gun!);
    expect(drawn(tree)).toBe("p(gun)");
    expect(checkTree(tree)).toEqual([]);
  });

  it("are checked first when the call names the policy, and a refusal changes nothing", () => {
    const { world, tree, e } = plant("p(a b(x y z))", { maxChildren: 3, uniqueNames: true });
    expect(() => tree.destroy(e.b!, { children: "adopt" })).toThrow(
      "3 further children: it has 1 and tree allows 3",
    );
    tree.detach(e.z!);
    tree.setName(e.y!, "a");
    expect(() => tree.destroy(e.b!, { children: "adopt" })).toThrow('two siblings named "a"');
    tree.setName(e.y!, "b");
    tree.destroy(e.b!, { children: "adopt" });
    expect(drawn(tree)).toBe("p(a x b) z");
    const Wheel = tag("Wheel");
    const wheel = tree.attachNew(e.x!, Wheel);
    constrain(tree, requireOnParent(world, Wheel, tag("Axle")));
    expect(thrown(() => tree.destroy(e.x!, { children: "orphan" })).message).toBe(
      `Cannot detach ${tree.label(wheel)}: Wheel needs a parent with Axle, and a root has no parent. Attach it to another entity that has Axle, or remove Wheel first (constraint requireOnParent(Wheel, Axle) of tree). [hierarchy/constraint]`,
    );
    expect(tree.parentOf(wheel)).toBe(e.x);
  });
});

describe("inside observers of a destroy", () => {
  it("a child may destroy its parent", () => {
    const { world, tree, e, errors } = plantQuietly("a(b(c) d) x");
    const seen: string[] = [];
    observeEntities(world, {
      destroying: (entity) => {
        seen.push(tree.nameOf(entity)!);
        if (entity === e.c) world.destroy(e.a!);
      },
    });
    world.destroy(e.b!);
    // The inner destroy takes everything, and finds that the observers of c have run.
    expect(seen).toEqual(["c", "b", "d", "a"]);
    expect(drawn(tree)).toBe("x");
    expect(errors).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("a dying parent accepts no children, by any policy", () => {
    for (const onDestroy of ["cascade", "orphan", "adopt"] as const) {
      const { world, tree, e } = plant("p(a) x(y)", { onDestroy });
      const refused: string[] = [];
      const attempt = (edit: () => unknown) => {
        try {
          edit();
        } catch (error) {
          refused.push((error as Error).message);
        }
      };
      const end = observeEntities(world, {
        destroying: (entity) => {
          if (entity !== e.a) return;
          attempt(() => tree.attach(e.x!, e.a!));
          attempt(() => tree.attachNew(e.a!));
          attempt(() => attachMany(tree, [e.x!], e.a!));
        },
      });
      world.destroy(e.a!);
      end();
      expect(refused).toEqual([
        "Cannot attach x#3 to a#2: it is being destroyed and accepts no children. Attach it to another parent, or leave it a root. [hierarchy/invalid-edit]",
        "Cannot attach a new entity to a#2: it is being destroyed and accepts no children. Attach it to another parent, or leave it a root. [hierarchy/invalid-edit]",
        "Cannot attach x#3 to a#2: it is being destroyed and accepts no children. Attach it to another parent, or leave it a root. [hierarchy/invalid-edit]",
      ]);
      expect(drawn(tree)).toBe("p x(y)");
      expect(checkTree(tree)).toEqual([]);
    }
  });

  it("what is moved out before its turn survives, and destroying it again is harmless", () => {
    const { world, tree, e } = plant("p(a b c(d)) x");
    const seen: string[] = [];
    observeEntities(world, {
      destroying: (entity) => {
        seen.push(tree.nameOf(entity)!);
        if (entity !== e.a) return;
        tree.detach(e.b!);
        tree.attach(e.c!, e.x!);
        world.destroy(e.a!, e.p!);
      },
    });
    world.destroy(e.p!);
    expect(seen).toEqual(["a", "p"]);
    expect(drawn(tree)).toBe("x(c(d)) b");
    expect(checkTree(tree)).toEqual([]);
  });

  it("onDestroying lists everything that will be destroyed, parents first, before anything is destroyed", () => {
    const { world, tree, e } = plant("p(a(b) c) x");
    const seen: string[] = [];
    const end = onDestroying(tree, (entity) => {
      seen.push(`${tree.nameOf(entity)} of ${world.count}`);
      if (entity === e.a) tree.attach(e.a, e.x!);
    });
    world.destroy(e.p!);
    // What is below one that was saved is saved too.
    expect(seen).toEqual(["p of 5", "c of 5", "a of 5"]);
    expect(drawn(tree)).toBe("x(a(b))");
    end();
    world.destroy(e.x!);
    expect(seen.length).toBe(3);
    expect(checkTree(tree)).toEqual([]);
  });

  it("a listener of onDestroying is not called for what the one before it destroyed", () => {
    const { world, tree, e } = plant("a(b) x");
    const seen: boolean[] = [];
    onDestroying(tree, (entity) => void (entity === e.b && world.isAlive(e.a!) && tree.destroy(e.a!)));
    onDestroying(tree, (entity) => seen.push(world.isAlive(entity)));
    tree.destroy(e.b!);
    expect(seen).not.toContain(false);
    expect(drawn(tree)).toBe("x");
    expect(checkTree(tree)).toEqual([]);
  });

  it("the tree can be read, also the dying entity's own position", () => {
    const { world, tree, e } = plant("p(a b c)");
    const seen: unknown[] = [];
    observeEntities(world, {
      destroying: (entity) =>
        seen.push([tree.indexOf(entity), tree.childCount(e.p!), tree.nextSibling(entity)]),
    });
    world.destroy(e.b!);
    expect(seen).toEqual([[1, 3, e.c]]);
  });
});

describe("before a destroy", () => {
  it("an entity whose observers have run can no longer be moved out", () => {
    const { world, tree, e, errors } = plantQuietly("p(a b) x");
    observeEntities(world, {
      destroying: (entity) => {
        if (entity === e.b) tree.attach(e.a!, e.x!);
      },
    });
    world.destroy(e.p!);
    expect(errors.map(({ message }) => message)).toEqual([
      "Observer destroying threw on destroying of #3: Cannot move a#2: it is being destroyed, and its observers have run. Move it before its turn, in onDestroying(). [hierarchy/invalid-edit] [ecs/observer]",
    ]);
    expect(drawn(tree)).toBe("x");
  });

  it("an entity whose branch is moved out after its turn is destroyed alone", () => {
    const { world, tree, e } = plant("p(a(b c) d) x");
    observeEntities(world, {
      destroying: (entity) => {
        if (entity === e.b) tree.attach(e.a!, e.x!);
      },
    });
    world.destroy(e.p!);
    expect(drawn(tree)).toBe("x(a(c))");
    expect(checkTree(tree)).toEqual([]);
  });

  it("a policy of the call is checked again after its observers", () => {
    const { world, tree, e } = plant("p(a(x y) b)", { maxChildren: 3 });
    const seen: string[] = [];
    observeEntities(world, {
      destroying: () => void tree.setName(tree.attachNew(e.p!), "c"),
      destroy: () => seen.push("destroy"),
    });
    expect(() => tree.destroy(e.a!, { children: "adopt" })).toThrow("2 further children");
    expect([drawn(tree), seen]).toEqual(["p(a(x y) b c)", []]);
    expect(checkTree(tree)).toEqual([]);
  });
});

describe("children of several dying parents", () => {
  it("go to the nearest ancestor that lives, in tree order", () => {
    const { world, tree, e } = plant("p(a(x b(y z) w) v)", { onDestroy: "adopt" });
    world.destroy(e.a!, e.b!);
    expect(drawn(tree)).toBe("p(x y z w v)");
    expect(checkTree(tree)).toEqual([]);
  });

  it("are not left below a parent that a rule destroys too", () => {
    const { world, tree, e } = plant("a(b(c))", { onDestroy: "adopt" });
    constrain(tree, {
      name: "no roots",
      attach: (_child, parent) => (parent === null ? "roots are full" : undefined),
    });
    world.destroy(e.a!);
    expect(world.count).toBe(0);
    const next = world.spawn();
    expect([...tree.children(next)]).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
  });
});

describe("several cascading hierarchies", () => {
  it("each report children before their parents, even where they cascade in opposite directions", () => {
    const world = createWorld();
    const first = createHierarchy(world, { name: "first" });
    const second = createHierarchy(world, { name: "second" });
    const [a, b, c] = [world.spawn(), world.spawn(), world.spawn()];
    first.attach(b, a);
    first.attach(c, b);
    second.attach(b, c);
    const read = [first, second].map((tree) => tree.events.reader());
    world.destroy(a);
    const removed = read.map((reader) =>
      reader.read().map((event) => (event.type === "removed" ? [event.child, event.parent] : event)),
    );
    expect(removed).toEqual([
      [
        [c, b],
        [b, a],
      ],
      [[b, c]],
    ]);
  });

  it("destroy each entity once, even where two are each other's parents", () => {
    const world = createWorld();
    const first = createHierarchy(world, { name: "first" });
    const second = createHierarchy(world, { name: "second" });
    const [a, b, c, d] = [world.spawn(), world.spawn(), world.spawn(), world.spawn()];
    first.attach(b, a);
    second.attach(a, b);
    second.attach(c, b);
    first.attach(d, c);
    const seen: unknown[] = [];
    observeEntities(world, { destroy: (entity) => seen.push(entity) });
    world.destroy(a);
    expect(seen.length).toBe(4);
    expect(new Set(seen)).toEqual(new Set([a, b, c, d]));
    expect(checkTree(first)).toEqual([]);
    expect(checkTree(second)).toEqual([]);
  });
});

describe("deep trees", () => {
  it.each(["cascade", "orphan", "adopt"] as const)(
    "of 100,000 levels are destroyed without recursion: %s",
    (onDestroy) => {
      const world = createWorld();
      const tree = createHierarchy(world, { onDestroy });
      const all = chain(tree, 100_000);
      for (const entity of onDestroy === "cascade" ? [all[0]!] : all) world.destroy(entity);
      expect(world.count).toBe(0);
    },
  );
});
