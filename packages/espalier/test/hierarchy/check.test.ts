import { checkWorld, createWorld, DEVELOPMENT, indexOf, tag } from "espalier";
import {
  checkTree,
  compactOrder,
  createHierarchy,
  type DepthLimit,
  depthLimit,
  descendantHas,
  flatOrder,
  type Hierarchy,
} from "espalier/hierarchy";
import { treeOf } from "espalier/internal/hierarchy";
import { describe, expect, it } from "vitest";
import { chain, plant } from "./planting.ts";

/** The insides that these tests break. A record has parent, first, last, previous, next, count and two handles. */
interface Insides {
  links: { records: Int32Array };
  names: { names: string[]; indexes: Map<number, Map<string, number>> };
  order: {
    entityAt: Int32Array;
    nodeAt: Int32Array;
    slotOf: Int32Array;
    parentSlot: Int32Array;
    end: Int32Array;
    holes: number;
  };
  positions: { families: Map<number, { nodes: Int32Array }[]> };
  options: { maxChildren?: number; limits?: DepthLimit };
}
const insides = (tree: Hierarchy) => treeOf(tree) as unknown as Insides;

const field = { parent: 0, first: 1, last: 2, prev: 3, next: 4, count: 5, handle: 6, parentHandle: 7 };
/** Gives a parent the index that it would get with more children. */
function indexNames(tree: Hierarchy, parent: number, ...entries: [name: string, node: number][]): void {
  insides(tree).names.indexes.set(parent, new Map(entries));
}
function write(tree: Hierarchy, node: number, what: keyof typeof field, value: number): void {
  insides(tree).links.records[node * 8 + field[what]] = value;
}

// a#1, b#2, c#3, d#4, e#5 and x#6; a has b, c, d; c has e.
const text = "a(b c(e) d) x";

describe("check", () => {
  it.runIf(DEVELOPMENT)(
    "is part of the check of the world, with the name of the tree, the entities and a code",
    () => {
      const { world, tree, e } = plant(text);
      expect(checkWorld(world)).toEqual([]);
      write(tree, 2, "parent", 6);
      const found = checkWorld(world);
      expect(found).toContainEqual({
        code: "hierarchy/inconsistent",
        entity: e.a,
        message: "tree: a#1 lists b#2, whose parent is another",
      });
      expect(
        found.every(({ code, message }) => message.startsWith("tree: ") && code === "hierarchy/inconsistent"),
      ).toBe(true);
    },
  );

  it("finds nothing wrong with a sound tree", () => {
    const { tree, e } = plant(text);
    expect(checkTree(tree)).toEqual([]);
    flatOrder(tree).sync();
    tree.attach(e.b!, e.e!);
    expect(checkTree(tree)).toEqual([]);
  });

  // b#2, c#3, e#4, d#5 by the order in which they are planted.
  it.each<[string, (tree: Hierarchy) => void, string[]]>([
    [
      "a parent that does not agree",
      (tree) => write(tree, 2, "parent", 6),
      ["a#1 lists b#2, whose parent is another"],
    ],
    [
      "a wrong way back",
      (tree) => write(tree, 5, "prev", 2),
      ["d#5 does not point back to its previous sibling"],
    ],
    ["a ring of siblings", (tree) => write(tree, 5, "next", 2), ["b#2 is listed by a#1 and by a#1"]],
    [
      "a ring backwards",
      (tree) => write(tree, 2, "prev", 3),
      ["b#2 does not point back to its previous sibling"],
    ],
    ["a wrong count", (tree) => write(tree, 1, "count", 7), ["a#1 counts 7 children and lists 3"]],
    [
      "a wrong end",
      (tree) => write(tree, 1, "last", 2),
      ["the last child of a#1 is not the one its list ends with"],
    ],
    ["a child of two", (tree) => write(tree, 6, "first", 4), ["e#4 is listed by c#3 and by x#6"]],
    [
      "a forgotten child",
      (tree) => {
        write(tree, 3, "first", 0);
        write(tree, 3, "last", 0);
        write(tree, 3, "count", 0);
      },
      [
        "e#4 is not in the list of its parent c#3",
        "the roots lead to 5 of 6 entities: the others form a cycle or have no root",
      ],
    ],
    [
      "an entity that is its own ancestor",
      (tree) => {
        write(tree, 4, "first", 3);
        write(tree, 4, "last", 3);
        write(tree, 4, "count", 1);
      },
      [
        "c#3 is listed by a#1 and by e#4",
        "the roots lead to more entities than there are: some entity is its own ancestor",
      ],
    ],
    [
      "an entity outside",
      (tree) => write(tree, 6, "parent", -1),
      ["the top lists x#6, whose parent is another", "x#6 is alive and not in the hierarchy"],
    ],
    [
      "a handle of another entity",
      (tree) => write(tree, 2, "handle", 5),
      ["the links keep 5 as the handle of #2"],
    ],
    [
      "a parent's handle of another entity",
      (tree) => write(tree, 2, "parentHandle", 6),
      ["the links keep 6 as the parent of #2"],
    ],
    [
      "a name without entry",
      (tree) => indexNames(tree, 1, ["c", 3], ["d", 5]),
      ["b#2 has a name that the index lacks"],
    ],
    [
      "an entry under another name",
      (tree) => indexNames(tree, 1, ["b", 2], ["c", 3], ["d", 5], ["q", 2]),
      ["b#2 is indexed under another name, q"],
    ],
    [
      "an entry under a former parent",
      (tree) => indexNames(tree, 6, ["b", 2]),
      ["b#2 is indexed under a former parent"],
    ],
    [
      "a name without an entity",
      (tree) => indexNames(tree, 1, ["b", 2], ["c", 3], ["d", 5], ["z", 77]),
      ["the name z leads to index 77, which is not alive"],
    ],
    [
      "too many children",
      (tree) => {
        insides(tree).options = { maxChildren: 2 };
      },
      ["a#1 has 3 children, more than maxChildren (2)"],
    ],
    [
      "too many levels",
      (tree) => {
        insides(tree).options = { limits: depthLimit({ max: 1 }) };
      },
      ["the tree of a#1 has 2 levels, more than its limit (1)"],
    ],
  ])("finds %s", (_what, breakIt, expected) => {
    const { tree } = plant(text);
    breakIt(tree);
    const found = checkTree(tree);
    for (const violation of expected) expect(found).toContain(violation);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each<[string, string, string, string]>([
    ["below another parent at the same depth", "d", "a", "x"],
    ["below a sibling, still inside its parent", "d", "a", "b"],
  ])("finds a node that the tour of depths has %s", (_what, name, from, to) => {
    const { tree, e } = plant("root(a(b d) x)", { limits: depthLimit({ max: 200 }) });
    // The first look at something deep makes the tour.
    treeOf(tree).depths?.depthOf(indexOf(chain(tree, 100).at(-1)!));
    expect(checkTree(tree)).toEqual([]);
    treeOf(tree).depths?.moved(indexOf(e[name]!), indexOf(e[from]!), indexOf(e[to]!));
    expect(checkTree(tree)).toEqual([
      `${tree.label(e[name]!)} is kept at another position in the tour of depths`,
    ]);
  });

  it("finds a dead child and a dead parent", () => {
    const { world, tree, e } = plant("a(b) x");
    world.destroy(e.b!);
    write(tree, 1, "first", 2);
    expect(checkTree(tree)).toContain("a#1 lists a child at index 2 that is not alive");
    const other = plant("a(b) x");
    other.tree.detach(other.e.b!);
    other.world.destroy(other.e.a!);
    write(other.tree, 2, "parent", 1);
    expect(checkTree(other.tree)).toContain("b#2 has a parent that is not alive");
  });

  it.each<[string, (tree: Hierarchy) => void, string]>([
    [
      "a wrong slot",
      (tree) => {
        insides(tree).order.slotOf[2] = 5;
      },
      "b#2 is in slot 2, but slotOf says 5",
    ],
    [
      "a child before its parent",
      (tree) => {
        const { nodeAt, slotOf } = insides(tree).order;
        [nodeAt[1], nodeAt[2], slotOf[1], slotOf[2]] = [2, 1, 2, 1];
      },
      "b#2 stands before its parent a#1 in the flat order",
    ],
    [
      "the entity of another slot",
      (tree) => {
        insides(tree).order.entityAt[2] = 5;
      },
      "slot 2 of b#2 names entity 5",
    ],
    [
      "a wrong parent slot",
      (tree) => {
        insides(tree).order.parentSlot[3] = 2;
      },
      "slot 3 points to a wrong parent slot",
    ],
    [
      "a hole that is none",
      (tree) => {
        insides(tree).order.holes = 3;
      },
      "the flat order counts 3 entities and holds 6",
    ],
    [
      "a lost entity",
      (tree) => {
        insides(tree).order.nodeAt[6] = 0;
      },
      "the flat order holds 5 of 6 entities",
    ],
    [
      "a dead one",
      (tree) => {
        insides(tree).order.nodeAt[6] = 44;
      },
      "slot 6 holds index 44, which is not alive",
    ],
    [
      "a wrong run",
      (tree) => {
        insides(tree).order.end[3] = 4;
      },
      "the run of c#3 does not hold its subtree of 2",
    ],
    [
      "siblings out of order",
      (tree) => {
        // b and d swap positions without a change of the links.
        const { nodeAt, entityAt, slotOf } = insides(tree).order;
        [nodeAt[2], nodeAt[5], slotOf[2], slotOf[5]] = [5, 2, 5, 2];
        [entityAt[2], entityAt[5]] = [5, 2];
      },
      "the flat order claims to be exact, but slot 2 is not in pre-order",
    ],
  ])("finds %s in the flat order", (_what, breakIt, expected) => {
    const { tree } = plant(text);
    compactOrder(tree);
    breakIt(tree);
    expect(checkTree(tree)).toContain(expected);
  });

  it("finds wrong positions in a large family, and wrong counts", () => {
    const Mark = tag("Mark");
    const world = createWorld();
    const tree = createHierarchy(world);
    const root = world.spawn();
    for (let k = 0; k < 600; k++) tree.attachNew(root);
    expect(tree.indexOf(tree.lastChild(root)!)).toBe(599);
    const { nodes } = insides(tree).positions.families.get(1)![0]!;
    [nodes[0], nodes[1]] = [nodes[1]!, nodes[0]!];
    expect(checkTree(tree)).toContain("#2 says it is child 1 of #1 and is child 0");
    expect(checkTree(tree)).toContain("child 0 of #1 is not #2");
    [nodes[0], nodes[1]] = [nodes[1]!, nodes[0]!];
    world.query(descendantHas(tree, Mark));
    world.add(tree.firstChild(root)!, Mark);
    expect(checkTree(tree)).toEqual([]);
    write(tree, 2, "parent", 0);
    world.remove(tree.childAt(root, 0)!, Mark);
    write(tree, 2, "parent", 1);
    expect(checkTree(tree)).toEqual(["#1 counts 1 below it with Mark, there are 0"]);
  });

  it("finds two siblings of a name where names are unique", () => {
    const { tree, e } = plant("p(a) b", { uniqueNames: true });
    tree.attach(e.b!, e.p!);
    insides(tree).names.names[e.b! & 0x3fffff] = "a";
    expect(checkTree(tree)).toContain('p#1 has two children named "a"');
  });
});
