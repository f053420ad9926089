import { createWorld, DEVELOPMENT, type Entity, observeEntities } from "espalier";
import {
  attachAll,
  attachMany,
  checkTree,
  createHierarchy,
  dissolve,
  type Hierarchy,
  onChildrenChanged,
  replaceChildren,
  sortChildren,
  spawnTree,
  swap,
  watchSubtree,
} from "espalier/hierarchy";
import { onLinked, treeOf } from "espalier/internal/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, looksAtLinks, plant, plantQuietly } from "./planting.ts";

function watched(tree: Hierarchy, entity: Parameters<typeof watchSubtree>[1]) {
  const seen: string[] = [];
  const end = watchSubtree(tree, entity, {
    joined: (top) => seen.push(`+${tree.nameOf(top) ?? `#${top & 0x3fffff}`}`),
    left: (top, cause) => seen.push(`-${cause === "destroy" ? "†" : ""}${top & 0x3fffff}`),
  });
  return { seen, end };
}

describe("watchSubtree", () => {
  it("reports subtrees that are added and removed at any depth, once each", () => {
    const { tree, e } = plant("w(a(b)) x(y(z)) q");
    const { seen, end } = watched(tree, e.w!);
    tree.attach(e.y!, e.b!);
    tree.attach(e.x!, e.w!);
    tree.detach(e.y!);
    tree.attach(e.a!, e.q!);
    expect(seen).toEqual(["+y", "+x", `-${e.y}`, `-${e.a}`]);
    end();
    tree.attach(e.a!, e.w!);
    expect(seen.length).toBe(4);
  });

  it("says nothing of moves inside, of new orders, and of the watched entity's own moves", () => {
    const { tree, e } = plant("w(a(b) c) q");
    const { seen } = watched(tree, e.w!);
    tree.attach(e.b!, e.c!);
    tree.moveChild(e.a!, "last");
    sortChildren(tree, e.w!, (a, b) => b - a);
    tree.attach(e.w!, e.q!);
    expect(seen).toEqual([]);
  });

  it("reports new entities when they are complete, and destroyed ones one by one, children first", () => {
    const { world, tree, e } = plant("w(a(b))");
    const { seen } = watched(tree, e.w!);
    tree.attachNew(e.b!);
    world.destroy(e.a!);
    expect(seen).toEqual(["+#4", "-†4", "-†3", "-†2"]);
  });

  it("calls each of several watchers, also one that watches two entities", () => {
    const { tree, e } = plant("w(v(a)) u");
    const seen: string[] = [];
    const watcher = { joined: () => void seen.push("joined"), left: () => void seen.push("left") };
    watchSubtree(tree, e.v!, watcher);
    watchSubtree(tree, e.u!, watcher);
    watchSubtree(tree, e.w!, {});
    tree.attach(e.a!, e.u!);
    expect(seen).toEqual(["left", "joined"]);
  });

  it("ends with the watched entity", () => {
    const { world, tree, e } = plant("w(a) x");
    const { seen } = watched(tree, e.w!);
    world.destroy(e.w!);
    expect(seen).toEqual(["-†2"]);
    const recycled = world.spawn();
    tree.attach(e.x!, recycled);
    expect(seen.length).toBe(1);
  });

  it("reports children that a destroy policy detaches", () => {
    const { world, tree, e } = plant("w(v(a(b)))", { onDestroy: "adopt" });
    const outer = watched(tree, e.w!);
    const inner = watched(tree, e.v!);
    world.destroy(e.v!);
    expect(inner.seen).toEqual([`-${e.a}`]);
    expect(outer.seen).toEqual(["-†2"]);
  });

  it("refuses a dead entity", () => {
    const { world, tree, e } = plant("a");
    world.destroy(e.a!);
    expect(() => watchSubtree(tree, e.a!, {})).toThrow("was destroyed");
  });

  it.runIf(DEVELOPMENT)("refuses a listener of another name, which would never be called", () => {
    const { tree, e } = plant("a");
    expect(() => watchSubtree(tree, e.a!, { entered: () => {} } as object)).toThrow(
      "Cannot watch a subtree with entered: there is no such option. There is joined, left. [ecs/invalid-option]",
    );
  });
});

describe("onChildrenChanged", () => {
  function listening(tree: Hierarchy) {
    const seen: string[] = [];
    const end = onChildrenChanged(tree, (parent) =>
      seen.push(parent === null ? "roots" : `${tree.nameOf(parent)}:${tree.childCount(parent)}`),
    );
    return { seen, end };
  }

  it("reports both parents of a move, the parent of a new order, and the roots", () => {
    const { tree, e } = plant("p(a b) q");
    const { seen, end } = listening(tree);
    tree.attach(e.a!, e.q!);
    tree.attach(e.b!, e.q!, { at: 0 });
    sortChildren(tree, e.q!, (a, b) => a - b);
    tree.detach(e.a!);
    tree.world.destroy(e.b!);
    tree.world.spawn();
    tree.attachNew(e.p!);
    expect(seen).toEqual(["p:1", "q:1", "p:0", "q:2", "q:2", "q:1", "roots", "q:0", "roots", "p:1"]);
    end();
    tree.detach(e.a!);
    tree.attach(e.a!, e.p!);
    expect(seen.length).toBe(10);
  });

  it("reports each list once per call, however many children were added and removed", () => {
    const { tree, e } = plant("p(a b c) q");
    const { seen } = listening(tree);
    attachMany(tree, [e.a!, e.b!, e.c!], e.q!);
    expect(seen).toEqual(["p:0", "q:3"]);
    replaceChildren(tree, e.q!, [e.c!, e.p!]);
    expect(seen.slice(2)).toEqual(["q:2", "roots"]);
    spawnTree(tree, { children: [{}, {}] }, e.q!);
    expect(seen.slice(4)).toEqual(["q:3", "undefined:2"]);
  });

  it("is not called when nothing changes", () => {
    const { tree, e } = plant("p(a b)");
    const { seen } = listening(tree);
    tree.attach(e.b!, e.p!);
    sortChildren(tree, e.p!, () => 0);
    tree.setName(e.a!, "x");
    expect(seen).toEqual([]);
  });

  it("may be registered twice, and ended once", () => {
    const { tree, e } = plant("p(a b)");
    let calls = 0;
    const listener = () => void calls++;
    const end = onChildrenChanged(tree, listener);
    onChildrenChanged(tree, listener);
    swap(tree, e.a!, e.b!);
    end();
    end();
    swap(tree, e.a!, e.b!);
    expect(calls).toBe(3);
  });
});

describe("listeners", () => {
  it("see the tree as the call leaves it: for bulk calls they run at the end", () => {
    const { tree, e } = plant("p a b c");
    const seen: number[] = [];
    watchSubtree(tree, e.p!, { joined: () => seen.push(tree.childCount(e.p!)) });
    attachMany(tree, [e.a!, e.b!], e.p!);
    replaceChildren(tree, e.p!, [e.c!, e.a!]);
    expect(seen).toEqual([2, 2, 2]);
    spawnTree(tree, { children: [{}, {}] }, e.p!);
    expect(seen).toEqual([2, 2, 2, 3, 3, 3]);
  });

  it("may change the tree without affecting the call that notified them", () => {
    const { tree, e, errors } = plantQuietly("p a b");
    watchSubtree(tree, e.p!, {
      joined: (top) => {
        // If b had yet to follow, this would close a ring.
        if (top === e.a && tree.canAttach(e.p!, e.b!)) tree.attach(e.p!, e.b!);
      },
    });
    attachMany(tree, [e.a!, e.b!], e.p!);
    expect(drawn(tree)).toBe("p(a b)");
    expect(errors).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("are called for changes of other listeners after the rest, in order", () => {
    const { tree, e } = plant("p(a) q");
    const seen: string[] = [];
    onChildrenChanged(tree, (parent) => {
      seen.push(`1:${parent && tree.nameOf(parent)}`);
      if (seen.length === 1) tree.attach(e.q!, e.a!);
    });
    onChildrenChanged(tree, (parent) => seen.push(`2:${parent && tree.nameOf(parent)}`));
    tree.detach(e.a!);
    expect(seen).toEqual(["1:p", "2:p", "1:null", "2:null", "1:null", "2:null", "1:a", "2:a"]);
  });

  it("that destroy the entity they are called for are harmless", () => {
    const { world, tree, e, errors } = plantQuietly("w(a(b) c) x(y)");
    watchSubtree(tree, e.w!, {
      left: (top) => {
        world.destroy(top);
        world.destroy(e.w!);
      },
    });
    world.destroy(e.a!);
    expect(drawn(tree)).toBe("x(y)");
    expect(errors).toEqual([]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("cannot attach to an entity that is already out of the tree", () => {
    const { world, tree, e, errors } = plantQuietly("w(a) x");
    watchSubtree(tree, e.w!, { left: (top) => tree.attach(e.x!, top) });
    world.destroy(e.a!);
    expect(errors.map((error) => error.message)).toEqual([
      "Cannot attach: #2 was destroyed. Ask isAlive() before using a handle you kept. [ecs/dead-entity]",
    ]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("that throw are reported, and the others are still called", () => {
    const { tree, e, errors } = plantQuietly("p(a)");
    let heard = 0;
    onChildrenChanged(tree, () => {
      throw new Error("mine");
    });
    onChildrenChanged(tree, () => {
      throw "a text";
    });
    onChildrenChanged(tree, () => void heard++);
    tree.detach(e.a!);
    expect(errors.map((error) => error.message)).toEqual(["mine", "a text", "mine", "a text"]);
    expect(heard).toBe(2);
    expect(drawn(tree)).toBe("p a");
  });

  it("that trigger each other endlessly are stopped", () => {
    const { tree, e, errors } = plantQuietly("p(a b)");
    onChildrenChanged(tree, () => void swap(tree, e.a!, e.b!));
    tree.moveChild(e.a!, "last");
    expect(errors.map((error) => error.message)).toEqual([
      "Stopped notifying the listeners of a tree: they caused each other's notices 100 times over. Look for one that changes what it listens to. [hierarchy/invalid-edit]",
    ]);
    expect(checkTree(tree)).toEqual([]);
  });

  it("that end during a call are not called any more", () => {
    const { tree, e } = plant("p(a)");
    const seen: string[] = [];
    onChildrenChanged(tree, () => {
      seen.push("first");
      end();
    });
    const end = onChildrenChanged(tree, () => seen.push("second"));
    tree.detach(e.a!);
    expect(seen).toEqual(["first", "first"]);
  });

  it("are called for a spawn when all hierarchies know the entity", () => {
    const world = createWorld();
    const one = createHierarchy(world, { name: "one" });
    const two = createHierarchy(world, { name: "two" });
    const [p, q] = [world.spawn(), world.spawn()];
    watchSubtree(one, p, { joined: (top) => two.attach(top, q) });
    const child = one.attachNew(p);
    expect(two.parentOf(child)).toBe(q);
    expect([...checkTree(one), ...checkTree(two)]).toEqual([]);
  });
});

describe("after a call, listeners", () => {
  it("are called for a destroy when it is done, once per list", () => {
    const { world, tree, e } = plant("w(p(a b c)) x");
    for (let k = 0; k < 1000; k++) tree.attachNew(e.p!);
    const seen: string[] = [];
    onChildrenChanged(tree, (parent) => seen.push(`${parent && tree.nameOf(parent)}:${world.count}`));
    // What observers change is reported after the rest.
    observeEntities(world, { destroy: (entity) => void (entity === e.b && tree.attachNew(e.x!)) });
    world.destroy(e.p!);
    expect(seen).toEqual(["w:3", "x:3"]);
  });

  it("are called once where the policy of a call detaches children", () => {
    const { tree, e } = plant("p(a b) q");
    const seen: (string | null | undefined)[] = [];
    onChildrenChanged(tree, (parent) => seen.push(parent && tree.nameOf(parent)));
    tree.destroy(e.p!, { children: "orphan" });
    expect(seen).toEqual([null]);
  });

  it("can name what was destroyed", () => {
    const { world, tree, e } = plant("w(a(b))");
    const unnamed = tree.attachNew(e.b!);
    const seen: (string | undefined)[] = [];
    watchSubtree(tree, e.w!, { left: (top) => seen.push(tree.nameOf(top), tree.label(top)) });
    world.destroy(e.a!);
    expect(seen).toEqual([undefined, `#${unnamed}`, "b", "b#3", "a", "a#2"]);
    expect(() => tree.nameOf(e.a!)).toThrow("was destroyed");
    world.spawn();
    expect(tree.label(e.a!)).toBe("#2");
  });

  it("are called for every member of a branch that dissolves", () => {
    const { tree, e } = plant("w(a(b(c) d))");
    const { seen } = watched(tree, e.w!);
    dissolve(tree, e.a!);
    expect(seen).toEqual([e.a, e.b, e.c, e.d].map((each) => `-${each}`));
    expect(drawn(tree)).toBe("w a b c d");
  });

  it.each([
    ["replaceChildren", (tree: Hierarchy, p: Entity, nodes: Entity[]) => replaceChildren(tree, p, nodes)],
    ["attachMany", (tree: Hierarchy, p: Entity, nodes: Entity[]) => attachMany(tree, nodes, p)],
    [
      "attachAll",
      (tree: Hierarchy, p: Entity, nodes: Entity[]) =>
        attachAll(
          tree,
          nodes.map((n) => [n, p]),
        ),
    ],
  ])("are notified of every member that %s takes from one branch", (_name, edit) => {
    const { tree, e } = plant("q(a(b)) p(z)");
    const from = watched(tree, e.q!);
    const to = watched(tree, e.p!);
    edit(tree, e.p!, [e.a!, e.b!, e.z!]);
    expect(from.seen).toEqual([`-${e.a}`, `-${e.b}`]);
    expect(to.seen).toEqual(["+a", "+b"]);
  });

  it("are not called for what is back where it was", () => {
    const { tree, e } = plant("p(o(x)) q");
    const { seen } = watched(tree, e.p!);
    replaceChildren(tree, e.p!, [e.x!]);
    expect(seen).toEqual([`-${e.o}`]);
  });

  it("cost linear time in the number of destroyed entities", () => {
    const { world, tree, e } = plant("w(a)");
    let deepest = e.a!;
    for (let k = 0; k < 5000; k++) deepest = tree.attachNew(deepest);
    const { seen } = watched(tree, e.w!);
    expect(looksAtLinks(tree, () => world.destroy(e.a!))).toBeLessThan(20 * 5000);
    expect(seen.length).toBe(5001);
  });
});

describe("onLinked", () => {
  it("reports every parent to derived structures immediately, with node numbers", () => {
    const { world, tree, e } = plant("p q");
    const seen: number[][] = [];
    const end = onLinked(treeOf(tree), (child, from, to) => seen.push([child, from, to]));
    const a = tree.attachNew(e.p!);
    tree.attach(a, e.q!);
    tree.attach(a, e.q!);
    tree.detach(a);
    world.destroy(a);
    expect(seen).toEqual([
      [3, -1, 1],
      [3, 1, 2],
      [3, 2, 0],
      [3, 0, -1],
    ]);
    end();
    world.spawn();
    expect(seen.length).toBe(4);
  });
});
