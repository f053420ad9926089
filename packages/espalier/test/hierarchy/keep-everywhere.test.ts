/** `keep` in every call that changes a parent: transforms are what keeps, because there it can be seen. */
import { createCommands, createWorld, type Entity, guard, type World } from "espalier";
import {
  attachMany,
  constrain,
  createHierarchy,
  detachMany,
  type Hierarchy,
  type HierarchyCommands,
  type HierarchyOptions,
  hierarchyCommands,
} from "espalier/hierarchy";
import { createTransforms2D, Transform2D, type Transforms2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { atOnce } from "./at-once.ts";

interface Stage {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  /** Turned and scaled, so that every parent makes a difference. */
  readonly p: Entity;
  readonly q: Entity;
  /** Child of p, child of q, child of a, a root. */
  readonly a: Entity;
  readonly b: Entity;
  readonly below: Entity;
  readonly r: Entity;
  readonly errors: Error[];
}

function stage(options: HierarchyOptions = {}): Stage {
  const errors: Error[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const tree = createHierarchy(world, options);
  const space = createTransforms2D(tree);
  const p = world.spawn(Transform2D({ x: 10, y: 5, rotation: 1, scaleX: 2, scaleY: 2 }));
  const q = world.spawn(Transform2D({ x: -7, y: 3, rotation: 2, scaleX: 3, scaleY: 3 }));
  const a = tree.attachNew(p, Transform2D({ x: 1, y: 2, rotation: 0.5 }));
  const b = tree.attachNew(q, Transform2D({ x: 4, y: 1 }));
  const below = tree.attachNew(a, Transform2D({ x: 3 }));
  const r = world.spawn(Transform2D({ x: 100, y: 50, rotation: 3 }));
  return { world, tree, space, p, q, a, b, below, r, errors };
}

const keep = { keep: "world" };
const calls: { readonly [name: string]: (on: HierarchyCommands, s: Stage) => unknown } = {
  setParent: (on, { a, q }) => on.setParent(a, q, keep),
  swap: (on, { a, b }) => on.swap(a, b, keep),
  insertChildren: (on, { q, a, r }) => on.insertChildren(q, 0, [r, a], keep),
  attachAll: (on, { a, b, p, q, r }) =>
    on.attachAll(
      [
        [b, p],
        [a, q],
        [p, r],
      ],
      keep,
    ),
  replaceChildren: (on, { q, a, r }) => on.replaceChildren(q, [a, r], keep),
  detachMany: (on, { a, b }) => on.detachMany([a, b], keep),
  detachChildren: (on, { p }) => on.detachChildren(p, keep),
  isolate: (on, { a }) => on.isolate(a, keep),
  dissolve: (on, { p }) => on.dissolve(p, keep),
};

function worlds({ world, space }: Stage): number[][] {
  return world
    .entities()
    .map((entity) => Object.values(space.worldOf(entity)).map((n) => Math.round(n * 1e3)));
}

describe("keep: world", () => {
  it.each(Object.keys(calls))("keeps the world transforms of all in %s, at once and by command", (name) => {
    for (const isLater of [false, true]) {
      const s = stage();
      const before = worlds(s);
      const parents = () => s.world.entities().map((entity) => s.tree.parentOf(entity));
      const parentsBefore = parents();
      if (isLater) {
        const buffer = createCommands(s.world);
        calls[name]!(hierarchyCommands(s.tree, buffer), s);
        expect(buffer.flush().refused).toEqual([]);
      } else calls[name]!(atOnce(s.tree), s);
      expect(parents()).not.toEqual(parentsBefore);
      expect(worlds(s)).toEqual(before);
    }
  });

  it.each(["orphan", "adopt"] as const)(
    "is the default of a hierarchy whose children live on: %s",
    (onDestroy) => {
      for (const end of [
        ({ world, a }: Stage) => world.destroy(a),
        ({ tree, a }: Stage) => tree.destroy(a),
        ({ tree, a }: Stage) => tree.destroy(a, { children: onDestroy }),
      ]) {
        const s = stage({ onDestroy, keep: "world" });
        const before = s.space.worldOf(s.below);
        end(s);
        expect(s.tree.parentOf(s.below)).toBe(onDestroy === "adopt" ? s.p : null);
        expect(s.space.worldOf(s.below).x).toBeCloseTo(before.x, 3);
        expect(s.space.worldOf(s.below).b).toBeCloseTo(before.b, 3);
        expect(s.errors).toEqual([]);
      }
    },
  );

  it("is reported where a destroyed parent cannot wait, and the child moves without", () => {
    const s = stage({ onDestroy: "orphan", keep: "shape" });
    s.world.destroy(s.a);
    expect(s.tree.isRoot(s.below)).toBe(true);
    expect(s.errors.map((error) => error.message)).toEqual([
      'Cannot keep "shape" while attaching: no handler for it is registered in tree (registered: "world"). For "world", create the transforms of the tree first. [hierarchy/invalid-edit]',
    ]);
  });
});

describe("a refused keep changes nothing", () => {
  const edits: { readonly [name: string]: (s: Stage, bare: Entity) => unknown } = {
    attach: ({ tree, q }, bare) => tree.attach(bare, q, keep),
    attachMany: ({ tree, q, a }, bare) => attachMany(tree, [a, bare], q, keep),
    detachMany: ({ tree, a }, bare) => detachMany(tree, [a, bare], keep),
    destroy: ({ tree, p }) => tree.destroy(p, { children: "orphan", keep: "world" }),
  };

  it.each(Object.keys(edits))("inside update(), for a child without a transform: %s", (name) => {
    const s = stage();
    const bare = s.tree.attachNew(s.p);
    const before = s.tree.version;
    let refused: unknown;
    s.world.query(Transform2D).update(() => {
      try {
        edits[name]!(s, bare);
      } catch (error) {
        refused ??= error;
      }
    });
    expect(refused).toMatchObject({ code: "ecs/structure-locked" });
    expect(s.tree.version).toBe(before);
    expect([s.tree.parentOf(bare), s.tree.parentOf(s.a)]).toEqual([s.p, s.p]);
  });

  it.each(Object.keys(edits))("where a guard refuses the transform that the child would get: %s", (name) => {
    const s = stage();
    const bare = s.tree.attachNew(s.p);
    guard(s.world, Transform2D, () => {
      throw new Error("not here");
    });
    const before = s.tree.version;
    expect(() => edits[name]!(s, bare)).toThrow("not here");
    expect(s.tree.version).toBe(before);
    expect(s.world.has(bare, Transform2D)).toBe(false);
  });

  it("by rules that look at components, which judge by the parent to come", () => {
    const s = stage();
    const bare = s.tree.attachNew(s.p);
    constrain(s.tree, {
      name: "only below q",
      components: [Transform2D],
      add: (_entity, _component, parent) => (parent === s.q ? undefined : "it is not below q"),
    });
    expect(() => s.tree.detach(bare, keep)).toThrow("it is not below q");
    expect(s.tree.attach(bare, s.q, keep)).toBe(true);
    expect(s.world.has(bare, Transform2D)).toBe(true);
  });
});
