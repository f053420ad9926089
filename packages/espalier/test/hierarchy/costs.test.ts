/** What calls cost, counted in looks at links, so that it is the same on every machine. */
import { createCommands, createWorld, type Entity, observeEntities } from "espalier";
import {
  attachAll,
  attachMany,
  checkTree,
  createHierarchy,
  depthLimit,
  heightOf,
  hierarchyCommands,
  insertChildren,
  type TreeLiteral,
  upLinks,
} from "espalier/hierarchy";
import { describe, expect, it } from "vitest";
import { dice, looksAtLinks, plant } from "./planting.ts";

const N = 4000;
/** Far below the square of N, which is 16 million. */
const LINEAR = 60 * N;

describe("a chain costs its length", () => {
  it.each([
    ["attachAll from the top down", (chain: Entity[]) => chain],
    ["attachAll from the bottom up", (chain: Entity[]) => [...chain].reverse()],
  ])("%s", (_name, order) => {
    const world = createWorld();
    const tree = createHierarchy(world, { limits: depthLimit({ max: N }) });
    const chain = world.spawnMany(N);
    const parent = new Map(chain.map((entity, k) => [entity, chain[k - 1] ?? null]));
    const pairs = order(chain).map((entity) => [entity, parent.get(entity)!] as const);
    expect(looksAtLinks(tree, () => attachAll(tree, pairs))).toBeLessThan(LINEAR);
    expect(tree.depthOf(chain.at(-1)!)).toBe(N - 1);
    expect(checkTree(tree)).toEqual([]);
  });

  it("spawnTree by command", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    let literal: TreeLiteral = {};
    for (let k = 1; k < N; k++) literal = { children: [literal] };
    const buffer = createCommands(world);
    hierarchyCommands(tree, buffer).spawnTree(literal);
    expect(looksAtLinks(tree, () => buffer.flush())).toBeLessThan(LINEAR);
    expect(world.count).toBe(N);
  });

  it.each([
    ["attachNew", true],
    ["attach", false],
  ])("%s below the last, with a limit and a warning of depth, among many others", (_name, isNew) => {
    const warnings: string[] = [];
    const world = createWorld();
    world.spawnMany(2 * N);
    const onWarn = (message: string) => void warnings.push(message);
    const tree = createHierarchy(world, { limits: depthLimit({ max: N, warn: N - 10 }), onWarn });
    let last = world.spawn();
    const looks = looksAtLinks(tree, () => {
      for (let k = 0; k < N; k++) {
        const next = isNew ? tree.attachNew(last) : world.spawn();
        if (!isNew) tree.attach(next, last);
        last = next;
      }
    });
    expect(looks).toBeLessThan(LINEAR);
    expect(warnings.length).toBe(1);
    expect(() => tree.attachNew(last)).toThrow(`the tree would get ${N + 1} levels`);
    expect(tree.depthOf(last)).toBe(N);
  });

  it("attachNew where only parents are kept", () => {
    const world = createWorld();
    const tree = createHierarchy(world, { links: upLinks() });
    const start = process.cpuUsage().user;
    let last = world.spawn();
    for (let k = 0; k < 40_000; k++) last = tree.attachNew(last);
    // The square of 40,000 took seconds.
    expect((process.cpuUsage().user - start) / 1000).toBeLessThan(1000);
    expect(tree.depthOf(last)).toBe(40_000);
  });

  it("attachNew where only parents are kept refuses a cycle that an observer tries to make", () => {
    const errors: Error[] = [];
    const world = createWorld({ onError: (error) => errors.push(error) });
    const tree = createHierarchy(world, { links: upLinks() });
    const parent = world.spawn();
    observeEntities(world, { spawn: (entity) => void tree.attach(parent, entity) });
    const child = tree.attachNew(parent);
    expect(tree.parentOf(child)).toBe(parent);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("its own ancestor")]);
  });
});

describe("depths that are remembered", () => {
  it("are right after any edits", () => {
    const roll = dice(7);
    const world = createWorld();
    const tree = createHierarchy(world, { limits: depthLimit({ max: 12 }) });
    const nodes = world.spawnMany(40);
    for (let k = 0; k < 3000; k++) {
      const [child, parent] = [nodes[roll(40)]!, nodes[roll(40)]!];
      const what = roll(10);
      if (what === 0) tree.detach(child);
      else if (what === 1 && tree.childCount(child) === 0) {
        world.destroy(child);
        nodes[nodes.indexOf(child)] = world.spawn();
      } else if (!tree.isAncestor(child, parent) && child !== parent) {
        const depth = tree.depthOf(parent) + 1 + heightOf(tree, child);
        expect(tree.canAttach(child, parent)).toBe(depth <= 12 || tree.parentOf(child) === parent);
        if (tree.canAttach(child, parent)) tree.attach(child, parent);
      }
    }
    expect(checkTree(tree)).toEqual([]);
  });
});

describe("among many siblings", () => {
  it("attaching several at an end costs their number", () => {
    const { tree, e, world } = plant("p");
    for (let k = 0; k < N; k++) tree.attachNew(e.p!);
    const many = Array.from({ length: 50 }, () => world.spawn());
    const looks = looksAtLinks(tree, () => {
      for (const one of many) insertChildren(tree, e.p!, 0, [one]);
      for (const one of many) attachMany(tree, [one], e.p!, { at: 0 });
      for (const one of many) attachMany(tree, [one], e.p!, { at: -2 });
      for (const one of many) tree.attach(one, e.p!, { at: 0 });
    });
    expect(looks).toBeLessThan(50 * 200);
    expect(tree.firstChild(e.p!)).toBe(many.at(-1));
    expect(checkTree(tree)).toEqual([]);
  });

  it("attaching several at any index gives what an array gives", () => {
    const roll = dice(3);
    const { tree, e, world } = plant("p");
    let list = Array.from({ length: 700 }, () => tree.attachNew(e.p!));
    for (let round = 0; round < 100; round++) {
      const inside = [...new Set([list[roll(list.length)]!, list[roll(list.length)]!, list[roll(5)]!])];
      const moving = [...inside, world.spawn()];
      const staying = list.filter((each) => !moving.includes(each));
      const at = roll(4) === 0 ? 0 : roll(staying.length + 1);
      attachMany(tree, moving, e.p!, { at });
      list = [...staying.slice(0, at), ...moving, ...staying.slice(at)];
      expect(tree.childrenOf(e.p!)).toEqual(list);
    }
    expect(checkTree(tree)).toEqual([]);
  });
});
