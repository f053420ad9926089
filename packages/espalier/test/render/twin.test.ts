/** The renderer beside a slow, obvious one: after any edits both show the same, in the same order, and answer the same. */
import { checkWorld, createWorld, type Entity } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createInherited, HIDDEN, VISIBLE, Visibility, visibility, ZIndex, zIndex } from "espalier/inherit";
import {
  type Bounds,
  Camera,
  createRecordingRenderer,
  emptyBounds,
  rect,
  Shape,
  unite,
} from "espalier/render";
import { createTransforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "spawn",
      "child",
      "destroy",
      "move",
      "attach",
      "root",
      "reorder",
      "hide",
      "show",
      "z",
      "strip",
      "dress",
      "look",
      "render",
    ),
    a: fc.nat(),
    b: fc.nat(),
    x: fc.integer({ min: -300, max: 300 }),
  }),
  { minLength: 5, maxLength: 60 },
);

describe("a renderer", () => {
  it("agrees with the slow renderer after any edits", () => {
    property(
      edits,
      (list) => {
        const world = createWorld();
        const tree = createHierarchy(world);
        const space = createTransforms2D(tree);
        const visible = createInherited(tree, visibility);
        const z = createInherited(tree, zIndex);
        const renderer = createRecordingRenderer(space, { width: 100, height: 100 });
        const camera = world.spawn(space.at(0, 0), Camera);
        const all: Entity[] = [];
        const pick = (n: number) => all.filter((e) => world.isAlive(e))[n % Math.max(1, all.length)];

        const slow = () => {
          const { visible: view } = renderer.cameraView();
          const margin = 25;
          const area = {
            minX: view.minX - margin,
            minY: view.minY - margin,
            maxX: view.maxX + margin,
            maxY: view.maxY + margin,
          };
          const drawn: { entity: Entity; z: number }[] = [];
          const mustShow: Entity[] = [];
          for (const root of tree.roots()) {
            for (const entity of tree.descendants(root, { includeSelf: true })) {
              if (!world.has(entity, Shape) || !visible.of(entity)) continue;
              const bounds = boundsOf(entity);
              if (isApart(bounds, area)) continue;
              drawn.push({ entity, z: z.of(entity) });
              if (!isApart(bounds, view)) mustShow.push(entity);
            }
          }
          drawn.sort((one, other) => one.z - other.z); // stable: tree order stays
          return { order: drawn.map(({ entity }) => entity), mustShow };
        };
        const boundsOf = (entity: Entity): Bounds => {
          const { x, y } = space.worldPosition(entity);
          return { minX: x - 5, minY: y - 5, maxX: x + 5, maxY: y + 5 };
        };

        for (const { kind, a, b, x } of list) {
          const one = pick(a);
          const other = pick(b);
          if (kind === "spawn" || one === undefined) all.push(world.spawn(space.at(x, b % 50), rect(10, 10)));
          else if (kind === "child") all.push(tree.attachNew(one, space.at(x / 5, 0), rect(10, 10)));
          else if (kind === "destroy") tree.destroy(one);
          else if (kind === "move") space.setPosition(one, x, a % 40);
          else if (kind === "attach" && other !== undefined && tree.canAttach(one, other))
            tree.attach(one, other);
          else if (kind === "root") tree.detach(one);
          else if (kind === "reorder") tree.attach(one, tree.parentOf(one), { at: b % 3 });
          else if (kind === "hide") world.add(one, Visibility({ mode: HIDDEN }));
          else if (kind === "show") world.add(one, Visibility({ mode: VISIBLE }));
          else if (kind === "z") world.add(one, ZIndex({ z: x % 3, zRelative: b % 2 === 0 }));
          else if (kind === "strip") world.remove(one, Shape);
          else if (kind === "dress") world.add(one, rect(10, 10));
          else if (kind === "look") space.setPosition(camera, x, 0);
          else if (kind === "render") renderer.render();
        }
        expect(checkWorld(world)).toEqual([]);
        renderer.render();
        expect(checkWorld(world)).toEqual([]);
        const { order, mustShow } = slow();
        const drawn = renderer.drawn().map(({ entity }) => entity);
        // Everything in the view is drawn, nothing twice, and in the right order. Beyond the view there may be more.
        expect(new Set(drawn).size).toBe(drawn.length);
        expect(mustShow.filter((entity) => !drawn.includes(entity))).toEqual([]);
        const near = new Set(drawn);
        expect(drawn.filter((entity) => order.includes(entity))).toEqual(
          order.filter((entity) => near.has(entity)),
        );
        for (const entity of drawn) expect(visible.of(entity)).toBe(true);

        // Bounds and hits are exact.
        for (const entity of all.filter((e) => world.isAlive(e))) {
          const expected = emptyBounds();
          for (const each of tree.descendants(entity, { includeSelf: true }))
            if (world.has(each, Shape)) unite(expected, boundsOf(each));
          expect(renderer.boundsOf(entity, { subtree: true })).toEqual(expected);
        }
        const everything = all.filter((e) => world.isAlive(e) && world.has(e, Shape) && visible.of(e));
        const hit = everything.filter((e) => !isApart(boundsOf(e), { minX: 3, minY: 3, maxX: 3, maxY: 3 }));
        expect(new Set(renderer.hitTestAll(3, 3))).toEqual(new Set(hit));
        expect(renderer.count).toBe(all.filter((e) => world.isAlive(e) && world.has(e, Shape)).length);
      },
      300,
    );
  });
});

function isApart(a: Bounds, b: Bounds): boolean {
  return a.maxX < b.minX || a.minX > b.maxX || a.maxY < b.minY || a.minY > b.maxY;
}
