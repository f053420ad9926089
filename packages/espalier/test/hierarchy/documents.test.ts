/** The examples of the texts this library answers to, retold: what they show must hold here, what fails there must not. */
import { component, createWorld, type Entity, f32, i32, not, tag } from "espalier";
import {
  attachMany,
  checkTree,
  createHierarchy,
  depthLimit,
  descendantCount,
  detachMany,
  dissolve,
  hasParent,
  inlineLinks,
  insertChildren,
  isIntermediate,
  isolate,
  isRoot,
  onChildrenChanged,
  setParent,
  siblingsOf,
  sortChildren,
  spawnTree,
  swap,
  throughTree,
  upLinks,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { drawn, names, plant } from "./planting.ts";

describe("Shipyard's hierarchy chapter", () => {
  function usage() {
    const world = createWorld();
    const tree = createHierarchy(world);
    const root1 = world.spawn();
    const root2 = world.spawn();
    const e1 = tree.attachNew(root1);
    const e2 = tree.attachNew(e1);
    const e3 = tree.attachNew(e1);
    const e4 = tree.attachNew(e3);
    tree.attach(e3, root2);
    return { world, tree, root1, root2, e1, e2, e3, e4 };
  }

  it("moves a subtree to another root", () => {
    const { tree, root1, root2, e1, e2, e3, e4 } = usage();
    expect(tree.parentOf(e3)).toBe(root2);
    expect(tree.childrenOf(e3)).toEqual([e4]);
    expect([...tree.descendants(root1)]).toEqual([e1, e2]);
    expect(tree.rootOf(e4)).toBe(root2);
  });

  it("gives children, ancestors and descendants, and detaches them", () => {
    const { world, tree, root1, root2, e1, e2, e3, e4 } = usage();
    const e5 = tree.attachNew(e3);
    expect([...tree.children(e3)]).toEqual([e4, e5]);
    expect([...tree.ancestors(e4)]).toEqual([e3, root2]);
    expect([...tree.descendants(root1)]).toEqual([e1, e2]);
    expect([...tree.descendants(root2)]).toEqual([e3, e4, e5]);

    tree.detach(e1);
    expect([...tree.descendants(root1)]).toEqual([]);
    expect([...tree.ancestors(e1)]).toEqual([]);
    expect([...tree.children(e1)]).toEqual([e2]);

    isolate(tree, e1);
    expect([...tree.children(e1)]).toEqual([]);

    dissolve(tree, root2);
    expect([...tree.descendants(root2)]).toEqual([]);
    expect([...tree.descendants(e3)]).toEqual([]);
    expect([...tree.ancestors(e5)]).toEqual([]);
    expect(world.count).toBe(7);
    expect(checkTree(tree)).toEqual([]);
  });

  it("sorts children by a value", () => {
    const Rank = component("Rank", { value: i32() });
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    const [e0, e1, e2, e3, e4] = [7, 5, 6, 1, 3].map((value) => tree.attachNew(root, Rank({ value })));
    expect(tree.childrenOf(root)).toEqual([e0, e1, e2, e3, e4]);
    sortChildren(tree, root, (a, b) => world.get(a, Rank)!.value - world.get(b, Rank)!.value);
    expect(tree.childrenOf(root)).toEqual([e3, e4, e1, e2, e0]);
  });

  it("distinguishes roots, inner nodes and leaves; a single entity is both root and leaf", () => {
    const { tree, e } = plant("root(middle(leaf)) lone");
    const roles = (name: string) => [
      tree.isRoot(e[name]!),
      isIntermediate(tree, e[name]!),
      tree.isLeaf(e[name]!),
    ];
    expect(roles("root")).toEqual([true, false, false]);
    expect(roles("middle")).toEqual([false, true, false]);
    expect(roles("leaf")).toEqual([false, false, true]);
    expect(roles("lone")).toEqual([true, false, true]);
  });

  it("does nothing when an entity without a parent is detached", () => {
    const { tree, e } = plant("a(b)");
    expect(tree.detach(e.a!)).toBe(false);
    expect(drawn(tree)).toBe("a(b)");
  });

  it("ends the chain of siblings at both ends, and wraps only on request", () => {
    const { tree, e } = plant("p(a b c)");
    expect(tree.previousSibling(e.a!)).toBeNull();
    expect(tree.nextSibling(e.c!)).toBeNull();
    expect(names(tree, siblingsOf(tree, e.b!, { from: "self", wrap: true }))).toBe("c a");
  });
});

describe("labelle's position inheritance", () => {
  it("destroys the whole subtree with its parent", () => {
    const { world, tree, e } = plant("tank(turret(barrel) tracks) crate");
    world.destroy(e.tank!);
    expect(drawn(tree)).toBe("crate");
  });

  it("lets children be taken out in a loop over the children, and then destroys the parent alone", () => {
    const { tree, e } = plant("parent(a b c)");
    for (const child of tree.children(e.parent!)) tree.detach(child);
    tree.destroy(e.parent!);
    expect(drawn(tree)).toBe("a b c");
  });

  it("refuses to make an entity its own parent, or the child of what is below it", () => {
    const { tree, e } = plant("a(b(c))");
    for (const target of ["a", "b", "c"]) {
      expect(tree.canAttach(e.a!, e[target]!)).toBe(false);
      expect(() => setParent(tree, e.a!, e[target]!)).toThrow("would become its own ancestor");
    }
    expect(drawn(tree)).toBe("a(b(c))");
  });

  it("has no limit of 32 levels, neither for attaching nor as a stand-in for finding cycles", () => {
    const { tree, e } = plant("root other");
    let last = e.root!;
    for (let k = 0; k < 100; k++) last = tree.attachNew(last);
    tree.attach(e.other!, last);
    expect(tree.depthOf(e.other!)).toBe(101);
    expect(tree.canAttach(e.root!, e.other!)).toBe(false);
  });

  it("finds the roots with a query, and children without searching the world", () => {
    const Position = component("Position", { x: f32(), y: f32() });
    const Hidden = tag("Hidden");
    const { world, tree, e } = plant("a(b) c d");
    for (const entity of Object.values(e)) world.add(entity, Position);
    world.add(e.d!, Hidden);
    expect(names(tree, world.query(Position, not(Hidden), isRoot(tree)))).toBe("a c");
    expect(names(tree, world.query(Position, hasParent(tree)))).toBe("b");
  });

  it("warns above eight levels on request, and continues", () => {
    const warnings: string[] = [];
    const { tree, e } = plant("root", {
      limits: depthLimit({ warn: 8 }),
      onWarn: (text) => warnings.push(text),
    });
    let last = e.root!;
    for (let k = 0; k < 20; k++) last = tree.attachNew(last);
    expect(warnings).toEqual([
      "The tree of root#1 got more than 8 levels when #10 came under #9 (depthLimit of tree). Consider a flatter one.",
    ]);
  });
});

describe("EnTT's three models", () => {
  it("goes from leaves to the root with parent pointers alone", () => {
    const world = createWorld();
    const up = createHierarchy(world, { links: upLinks() });
    const [root, arm, hand] = [world.spawn(), world.spawn(), world.spawn()];
    up.attach(arm, root);
    up.attach(hand, arm);
    expect([...up.ancestors(hand)]).toEqual([arm, root]);
    expect(up.parentOf(root)).toBeNull();
  });

  it("holds a known number of weapons in an array, and refuses a fifth", () => {
    const world = createWorld();
    const weapons = createHierarchy(world, { links: inlineLinks(4) });
    const hero = world.spawn();
    const carried = Array.from({ length: 4 }, () => weapons.attachNew(hero));
    const seen: Entity[] = [];
    for (let i = 0; i < weapons.childCount(hero); i++) seen.push(weapons.childAt(hero, i)!);
    expect(seen).toEqual(carried);
    expect(() => weapons.attachNew(hero)).toThrow("it has 4 and tree allows 4");
    expect(weapons.childCount(hero)).toBe(4);
  });

  it("walks any number of children by count, and by following the next one until there is none", () => {
    const { tree, e } = plant("p(a b c d)");
    const counted: Entity[] = [];
    let current = tree.firstChild(e.p!);
    for (let i = 0; i < tree.childCount(e.p!); i++) {
      counted.push(current!);
      current = tree.nextSibling(current!);
    }
    const followed: Entity[] = [];
    for (let it = tree.firstChild(e.p!); it !== null; it = tree.nextSibling(it)) followed.push(it);
    expect(names(tree, counted)).toBe("a b c d");
    expect(followed).toEqual(counted);
  });

  it("removes from the middle and visits siblings from the middle", () => {
    const { tree, e } = plant("p(a b c d)");
    tree.detach(e.b!);
    expect(names(tree, siblingsOf(tree, e.c!, { from: "self", wrap: true }))).toBe("d a");
    expect(tree.childCount(e.p!)).toBe(3);
  });

  it("takes null for a parent that is still to come", () => {
    const { tree, e } = plant("a b(c)");
    expect(tree.attach(e.c!, null)).toBe(true);
    expect(tree.attach(e.c!, null)).toBe(false);
    tree.attach(e.c!, e.a!);
    expect(drawn(tree)).toBe("a(c) b");
  });
});

describe("Bevy's consistent hierarchy", () => {
  it("is never out of step: parent and children agree right after each change", () => {
    const { tree, e } = plant("a(x) b");
    tree.attach(e.x!, e.b!);
    expect(tree.parentOf(e.x!)).toBe(e.b);
    expect(tree.childrenOf(e.a!)).toEqual([]);
    expect(tree.childrenOf(e.b!)).toEqual([e.x]);
  });

  it("emits each change once, in one stream: a move is not a removal and an addition", () => {
    const { tree, e } = plant("a b x");
    const reader = tree.events.reader();
    tree.attach(e.x!, e.a!);
    tree.attach(e.x!, e.b!);
    tree.detach(e.x!);
    expect(reader.read().map((event) => event.type)).toEqual(["added", "moved", "removed"]);
  });

  it("has the five commands and set_parent under its own names", () => {
    const { tree, e } = plant("p q(x y) a b c");
    tree.attach(e.a!, e.p!); // add_child
    attachMany(tree, [e.b!, e.c!], e.p!); // push_children
    insertChildren(tree, e.p!, 1, [e.x!, e.y!]); // insert_children
    expect(drawn(tree)).toBe("p(a x y b c) q");
    tree.detach(e.x!); // remove_child
    detachMany(tree, [e.b!, e.c!]); // remove_children
    expect(drawn(tree)).toBe("p(a y) q x b c");
    setParent(tree, e.q!, e.p!); // set_parent(Some)
    setParent(tree, e.a!, null); // set_parent(None)
    expect(drawn(tree)).toBe("p(y q) x b c a");
  });

  it("queries through the hierarchy, with pairs of parent and child", () => {
    const Bone = tag("Bone");
    const { world, tree, e } = plant("hip(spine(head) cloth(pin))");
    world.add(e.hip!, Bone);
    world.add(e.spine!, Bone);
    world.add(e.head!, Bone);
    world.add(e.pin!, Bone);
    const bones = throughTree(tree, world.query(Bone));
    expect([...bones.roots()]).toEqual([e.hip]);
    expect(bones.parent(e.spine!)).toEqual([e.hip, e.spine]);
    expect(bones.parent(e.pin!)).toBeNull();
    expect([...bones.children(e.hip!)]).toEqual([[e.hip, e.spine]]);
    expect([...bones.descendants(e.hip!)]).toEqual([
      [e.hip, e.spine],
      [e.spine, e.head],
      [e.cloth, e.pin],
    ]);
    expect([...bones.ancestors(e.pin!)]).toEqual([[e.hip, e.cloth]]);
  });

  it("says that children changed when some came, went or changed positions, and when none is left", () => {
    const { tree, e } = plant("p(a b) q");
    const changed: string[] = [];
    onChildrenChanged(tree, (parent) => changed.push(parent === null ? "roots" : tree.nameOf(parent)!));
    swap(tree, e.a!, e.b!);
    tree.attach(e.a!, e.q!);
    tree.attach(e.b!, e.q!);
    expect(changed).toEqual(["p", "p", "q", "p", "q"]);
    expect(tree.childCount(e.p!)).toBe(0);
  });
});

describe("Starlight's tree", () => {
  it("walks level by level, in an order that is the same every time", () => {
    const { tree, e } = plant("root(a(a1 a2) b(b1) c)");
    const levels = names(tree, tree.descendants(e.root!, { order: "level", includeSelf: true }));
    expect(levels).toBe("root a b c a1 a2 b1");
  });

  it("writes the new parent and both lists of children when a parent is set", () => {
    const { tree, e } = plant("old(x) new");
    setParent(tree, e.x!, e.new!);
    expect(drawn(tree)).toBe("old new(x)");
  });

  it("links children that are given at creation back to their parent", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    const { root, all } = spawnTree(tree, { children: [{}, {}] });
    expect(all.slice(1).map((child) => tree.parentOf(child))).toEqual([root, root]);
  });

  it("has any number of roots, none of them its own parent", () => {
    const { tree, e } = plant("a b");
    expect(tree.parentOf(e.a!)).toBeNull();
    expect([...tree.ancestors(e.a!)]).toEqual([]);
    expect([...tree.roots()]).toEqual([e.a, e.b]);
  });

  it("steps through every ancestor: the one below the root is not left out", () => {
    const { tree, e } = plant("root(a(b))");
    expect(names(tree, tree.ancestors(e.b!, { includeSelf: true }))).toBe("b a root");
  });

  it("counts what exists after a parent was destroyed, and no walk meets a dead child", () => {
    const { world, tree, e } = plant("root(a(b c) d)");
    world.destroy(e.a!);
    expect(world.count).toBe(2);
    expect(names(tree, tree.descendants(e.root!, { order: "level" }))).toBe("d");
    expect(1 + descendantCount(tree, e.root!)).toBe(world.count);
  });

  it("destroys a root like any other, and several at once although one takes the next with it", () => {
    const { world, e } = plant("root(a(b)) c");
    expect(world.destroy(e.root!, e.a!, e.c!)).toBe(true);
    expect(world.count).toBe(0);
    expect(world.destroy(e.root!)).toBe(false);
  });
});
