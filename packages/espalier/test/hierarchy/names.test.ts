import type { Entity } from "espalier";
import {
  attachAll,
  attachMany,
  childNamed,
  DuplicateNameError,
  detachChildren,
  detachMany,
  dissolve,
  findAll,
  InvalidPathError,
  insertChildren,
  isolate,
  relativePath,
  replaceChildren,
  setParent,
  swap,
} from "espalier/hierarchy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dice, drawn, looksAtLinks, names, plant, thrown } from "./planting.ts";

describe("names", () => {
  it("are optional, can be changed and taken away", () => {
    const { tree, e } = plant("a");
    const child = tree.attachNew(e.a!);
    expect(tree.nameOf(child)).toBeUndefined();
    tree.setName(child, "gun");
    tree.setName(child, "cannon");
    expect(tree.nameOf(child)).toBe("cannon");
    expect(childNamed(tree, e.a!, "gun")).toBeNull();
    expect(childNamed(tree, e.a!, "cannon")).toBe(child);
    tree.setName(child, undefined);
    expect(tree.nameOf(child)).toBeUndefined();
    expect(childNamed(tree, e.a!, "cannon")).toBeNull();
  });

  it("may be shared: the first in sibling order is found, whatever came first", () => {
    const { tree, e } = plant("p(a b c)");
    for (const child of [e.c!, e.b!, e.a!]) tree.setName(child, "x");
    expect(childNamed(tree, e.p!, "x")).toBe(e.a);
    tree.moveChild(e.c!, "first");
    expect(childNamed(tree, e.p!, "x")).toBe(e.c);
    tree.detach(e.c!);
    expect(childNamed(tree, e.p!, "x")).toBe(e.a);
    tree.world.destroy(e.a!);
    expect(tree.find("p/x")).toBe(e.b);
    expect(childNamed(tree, null, "x")).toBe(e.c);
  });

  it("follow their entity when it moves and are removed when it dies", () => {
    const { world, tree, e } = plant("p(a) q");
    tree.attach(e.a!, e.q!);
    expect(tree.find("/p/a")).toBeNull();
    expect(tree.find("/q/a")).toBe(e.a);
    world.destroy(e.a!);
    expect(tree.find("/q/a")).toBeNull();
    const recycled = tree.attachNew(e.q!);
    expect(tree.nameOf(recycled)).toBeUndefined();
  });

  it.each(["", ".", "..", 7, null, {}])("refuse %j", (name) => {
    const { tree, e } = plant("a");
    const error = thrown(() => tree.setName(e.a!, name as string));
    expect(error).toBeInstanceOf(InvalidPathError);
    expect(error.message).toMatch(
      /^Cannot name a#1 .+\. Use a string that is not empty and neither "\." nor "\.\."\. \[hierarchy\/invalid-path\]$/,
    );
    expect(tree.nameOf(e.a!)).toBe("a");
  });

  it("may be names of built-in properties", () => {
    const { tree } = plant("constructor(__proto__(toString))");
    expect(tree.find("constructor/__proto__/toString")).not.toBeNull();
    expect(tree.find("hasOwnProperty")).toBeNull();
  });
});

describe("find and findAll", () => {
  it("agree where siblings share a name: the first that leads on counts", () => {
    const { tree, e } = plant("w(x y z)");
    for (const each of [e.x, e.y, e.z]) tree.setName(each!, "twin");
    const [gun, other] = [tree.attachNew(e.y!), tree.attachNew(e.z!)];
    for (const each of [gun, other]) tree.setName(each, "gun");
    for (const path of ["/w/twin/gun", "w/twin/gun", "w/./twin/gun", "w/twin/../twin/gun"]) {
      expect(tree.find(path)).toBe(gun);
      expect(findAll(tree, path)).toEqual([gun, other]);
    }
    expect(tree.find("twin/gun", e.w!)).toBe(gun);
    expect(tree.find("w/twin")).toBe(e.x);
    expect(tree.find("w/twin/none")).toBeNull();
    for (const each of [e.x!, e.y!, gun, other]) expect(tree.find(tree.pathOf(each))).toBe(each);
  });

  it("refuse what is not a string", () => {
    const { tree } = plant("a");
    for (const path of [5, null, undefined, {}, ["a"]]) {
      for (const call of [() => tree.find(path as string), () => findAll(tree, path as string)]) {
        expect(thrown(call)).toBeInstanceOf(InvalidPathError);
        expect(thrown(call).message).toContain("it is not a string");
      }
    }
  });
});

describe("unique names", () => {
  it("are kept by every call, which changes nothing when it is refused", () => {
    const { tree, e } = plant("p(gun x(y)) q(z) r", { uniqueNames: true });
    tree.setName(e.z!, "gun");
    const before = drawn(tree);
    const message =
      'Cannot have two siblings named "gun" under p#1: gun#2 at /p/gun has that name already. Rename one, or leave out uniqueNames. [hierarchy/duplicate-name]';
    const error = thrown(() => tree.setName(e.x!, "gun")) as DuplicateNameError;
    expect(error).toBeInstanceOf(DuplicateNameError);
    expect(error.message).toBe(message);
    expect(error.entities).toEqual([e.x, e.gun]);
    for (const call of [
      () => tree.attach(e.z!, e.p!),
      () => setParent(tree, e.z!, e.p!),
      () => attachMany(tree, [e.r!, e.z!], e.p!),
      () => insertChildren(tree, e.p!, 0, [e.z!]),
      () =>
        attachAll(tree, [
          [e.r!, e.q!],
          [e.z!, e.p!],
        ]),
      () => attachMany(tree, [e.z!, e.gun!], e.r!),
      () => replaceChildren(tree, e.r!, [e.z!, e.gun!]),
      () => detachMany(tree, [e.z!, e.gun!]),
      () => swap(tree, e.z!, e.x!),
    ]) {
      expect(call).toThrow(DuplicateNameError);
      expect(drawn(tree)).toBe(before);
    }
    expect(tree.canAttach(e.z!, e.p!)).toBe(false);
    tree.detach(e.gun!);
    for (const call of [
      () => tree.detach(e.z!),
      () => tree.attach(e.z!, null),
      () => detachChildren(tree, e.q!),
      () => isolate(tree, e.q!),
      () => dissolve(tree, e.q!),
      () => replaceChildren(tree, e.q!, []),
    ]) {
      expect(call).toThrow(DuplicateNameError);
    }
  });

  it("are judged by the outcome of a call, not by its steps", () => {
    const { tree, e } = plant("p(gun) q(z)", { uniqueNames: true });
    tree.setName(e.z!, "gun");
    swap(tree, e.gun!, e.z!);
    expect(tree.parentOf(e.z!)).toBe(e.p);
    replaceChildren(tree, e.p!, [e.gun!]);
    expect(tree.childrenOf(e.p!)).toEqual([e.gun]);
    attachAll(tree, [
      [e.z!, e.q!],
      [e.gun!, null],
      [e.z!, e.p!],
    ]);
    expect(tree.find("p/gun")).toBe(e.z);
  });

  it("allow the name an entity has already, and any number of unnamed siblings", () => {
    const { tree, e } = plant("p(a b)", { uniqueNames: true });
    tree.setName(e.a!, "a");
    tree.setName(e.a!, undefined);
    tree.setName(e.b!, undefined);
    tree.setName(e.b!, "a");
    expect(names(tree, tree.children(e.p!))).toBe("#2 a");
  });
});

describe("find", () => {
  const text = "level(tank(turret(gun) hull) hangar(crate))";

  it("follows absolute and relative paths, up and down", () => {
    const { tree, e } = plant(text);
    expect(tree.find("/level/tank/turret/gun")).toBe(e.gun);
    expect(tree.find("level/tank")).toBe(e.tank);
    expect(tree.find("turret/gun", e.tank!)).toBe(e.gun);
    expect(tree.find("../hull", e.turret!)).toBe(e.hull);
    expect(tree.find("../../hangar/./crate", e.turret!)).toBe(e.crate);
    expect(tree.find(".", e.gun!)).toBe(e.gun);
    expect(tree.find("..", e.gun!)).toBe(e.turret);
    expect(tree.find("/level/hangar", e.gun!)).toBe(e.hangar);
    expect(tree.find("../level/tank", e.level!)).toBe(e.tank);
  });

  it("gives null where the way ends", () => {
    const { tree, e } = plant(text);
    for (const path of [
      "nobody",
      "/level/nobody/gun",
      "/tank",
      "/",
      "..",
      "../..",
      "level/../..",
      "#99",
      "#2",
    ])
      expect(tree.find(path), path).toBeNull();
    expect(tree.find("..", e.level!)).toBeNull();
    expect(tree.find("../../x", e.level!)).toBeNull();
  });

  it("finds unnamed entities by number, and recognises an index that has another generation", () => {
    const { world, tree, e } = plant("p(a)");
    const child = tree.attachNew(e.p!);
    expect(tree.pathOf(child)).toBe("/p/#3");
    expect(tree.find("/p/#3")).toBe(child);
    expect(tree.find("#3", e.a!)).toBeNull();
    world.destroy(child);
    const again = tree.attachNew(e.p!);
    expect(tree.pathOf(again)).toBe("/p/#3v1");
    expect(tree.find("/p/#3v1")).toBe(again);
    expect(tree.find("/p/#3")).toBeNull();
  });

  it("costs the path, not the tree", () => {
    const { tree, e } = plant("top(x(y))");
    for (let k = 0; k < 20_000; k++) tree.setName(tree.attachNew(e.top!), `n${k}`);
    // The first time makes the index.
    tree.find("top/n0");
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < 100; k++) expect(tree.find("top/n19999")).not.toBeNull();
    });
    expect(looks).toBeLessThan(1000);
  });

  it.each([
    ["", 'Cannot read path "": it is empty. Use "." for the start itself. [hierarchy/invalid-path]'],
    [
      "a//b",
      'Cannot read path "a//b": it has an empty segment. Remove the extra /. [hierarchy/invalid-path]',
    ],
    ["a/", 'Cannot read path "a/": it has an empty segment. Remove the extra /. [hierarchy/invalid-path]'],
    ["//a", 'Cannot read path "//a": it has an empty segment. Remove the extra /. [hierarchy/invalid-path]'],
    [
      "a\\",
      'Cannot read path "a\\\\": it ends in \\, which escapes nothing. Write \\\\ for the character itself. [hierarchy/invalid-path]',
    ],
    [
      "a*",
      'Cannot find "a*": it has wildcards. Use findAll(), or escape them with \\. [hierarchy/invalid-path]',
    ],
    [
      "**/b",
      'Cannot find "**/b": it has wildcards. Use findAll(), or escape them with \\. [hierarchy/invalid-path]',
    ],
  ])("refuses %j", (path, message) => {
    const { tree } = plant("a(b)");
    expect(thrown(() => tree.find(path)).message).toBe(message);
  });

  it("refuses what is not text", () => {
    const { tree } = plant("a");
    expect(() => tree.find(undefined as unknown as string)).toThrow(InvalidPathError);
    expect(() => findAll(tree, 5 as unknown as string)).toThrow(InvalidPathError);
  });
});

describe("paths", () => {
  it("lead back to their entity, whatever it is called", () => {
    const character = fc.constantFrom(..."ab/\\*?#.~ \n\u{1f332}é");
    const name = fc
      .string({ unit: character, minLength: 1, maxLength: 6 })
      .filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(fc.array(fc.option(name), { minLength: 1, maxLength: 12 }), fc.integer(), (all, seed) => {
        const roll = dice(seed);
        const { tree } = plant("");
        const entities: Entity[] = [];
        for (const it of all) {
          const parent = roll(4) === 0 ? null : (entities[roll(entities.length)] ?? null);
          const entity = tree.attachNew(parent);
          if (it !== null) tree.setName(entity, it);
          entities.push(entity);
        }
        for (const entity of entities) {
          expect(tree.find(tree.pathOf(entity))).toBe(entity);
          expect(findAll(tree, tree.pathOf(entity))).toContain(entity);
          for (const from of entities) expect(tree.find(relativePath(tree, from, entity), from)).toBe(entity);
        }
      }),
      { numRuns: 200 },
    );
  });
  it("are read from the nearest common ancestor, or from the roots", () => {
    const { tree, e } = plant("a(b(c) d) x(y)");
    expect(relativePath(tree, e.c!, e.d!)).toBe("../../d");
    expect(relativePath(tree, e.a!, e.c!)).toBe("b/c");
    expect(relativePath(tree, e.c!, e.a!)).toBe("../..");
    expect(relativePath(tree, e.c!, e.c!)).toBe(".");
    expect(relativePath(tree, e.c!, e.y!)).toBe("/x/y");
  });

  it("escape what would mean something else", () => {
    const { tree, e } = plant("p");
    const child = tree.attachNew(e.p!);
    tree.setName(child, "a/b*c?\\#");
    expect(tree.pathOf(child)).toBe("/p/a\\/b\\*c\\?\\\\#");
    tree.setName(child, "#7");
    expect(tree.pathOf(child)).toBe("/p/\\#7");
    expect(tree.find("/p/\\#7")).toBe(child);
  });
});

describe("findAll", () => {
  const text = "level(tank1(turret(gun1 gun2) hull) tank2(turret2(gun3)) crate(gun4))";

  it.each([
    ["level/tank*", "tank1 tank2"],
    ["level/tank?", "tank1 tank2"],
    ["level/*", "tank1 tank2 crate"],
    ["level/*/*", "turret hull turret2 gun4"],
    ["**/gun*", "gun1 gun2 gun3 gun4"],
    ["level/*/**/gun?", "gun1 gun2 gun3 gun4"],
    ["**", "level tank1 turret gun1 gun2 hull tank2 turret2 gun3 crate gun4"],
    ["**/**/hull", "hull"],
    ["level/tank1/turret/gun1", "gun1"],
    ["**/turret*/..", "tank1 tank2"],
    ["**/gun*/../..", "level tank1 tank2"],
    ["*gun*", ""],
    ["nobody", ""],
    ["/", ""],
  ])("%s", (pattern, expected) => {
    const { tree } = plant(text);
    expect(names(tree, findAll(tree, pattern))).toBe(expected);
  });

  it("starts at the given entity", () => {
    const { tree, e } = plant(text);
    expect(names(tree, findAll(tree, "**/gun*", e.tank1!))).toBe("gun1 gun2");
    expect(names(tree, findAll(tree, "../*/gun*", e.crate!))).toBe("gun4");
    expect(names(tree, findAll(tree, "/level/*", e.gun1!))).toBe("tank1 tank2 crate");
    expect(names(tree, findAll(tree, "**", e.turret!))).toBe("turret gun1 gun2");
  });

  it("finds unnamed entities only through **", () => {
    const { tree, e } = plant("p");
    const unnamed = tree.attachNew(e.p!);
    expect(findAll(tree, "p/*")).toEqual([]);
    expect(findAll(tree, "p/?")).toEqual([]);
    expect(findAll(tree, "p/**")).toEqual([e.p, unnamed]);
  });

  it("takes escaped wildcards and characters of patterns as they are", () => {
    const { tree, e } = plant("p");
    for (const name of ["a*", "ab", "a.c", "a(c", "a\u{1f332}c"]) tree.setName(tree.attachNew(e.p!), name);
    expect(names(tree, findAll(tree, "p/a\\*"))).toBe("a*");
    expect(names(tree, findAll(tree, "p/a.*"))).toBe("a.c");
    expect(names(tree, findAll(tree, "p/a?c"))).toBe("a.c a(c a\u{1f332}c");
    expect(names(tree, findAll(tree, "p/?\\*"))).toBe("a*");
  });

  it("agrees with testing every path", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const roll = dice(seed);
        const { tree } = plant("");
        const all: ReturnType<typeof tree.attachNew>[] = [];
        for (let k = 0; k < 40; k++) {
          const entity = tree.attachNew(roll(6) === 0 ? null : (all[roll(all.length)] ?? null));
          tree.setName(entity, ["a", "b", "ab", "ba", "aab"][roll(5)]!);
          all.push(entity);
        }
        const step = () => ["a", "*", "a*", "?", "**", "*b", "??"][roll(7)]!;
        const pattern = Array.from({ length: 1 + roll(4) }, step).join("/");
        // The pattern over paths of names, each with a slash before it.
        const source = pattern
          .split("/")
          .map((it) =>
            it === "**" ? "(/[^/]+)*" : `/${it.replaceAll("*", "[^/]*").replaceAll("?", "[^/]")}`,
          )
          .join("");
        const test = new RegExp(`^${source}$`);
        const path = (it: (typeof all)[number]) =>
          [it, ...tree.ancestors(it)]
            .reverse()
            .map((up) => `/${tree.nameOf(up)}`)
            .join("");
        const inOrder = [...tree.roots()].flatMap((root) => [root, ...tree.descendants(root)]);
        const expected = inOrder.filter((it) => test.test(path(it)));
        expect(findAll(tree, pattern), pattern).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
