/**
 * Renderers beside a walk over the tree from scratch, through everything that changes a world: edits, undo, snapshots, transactions
 * that are taken back, and renderers that come late or go early.
 */
import type { Entity } from "espalier";
import type { Hierarchy } from "espalier/hierarchy";
import { activity, createInherited, visibility, zIndex } from "espalier/inherit";
import {
  Camera,
  createInterpolation,
  createRecordingRenderer,
  type RecordedNode,
  type RecordingRenderer,
  rect,
  Shape,
} from "espalier/render";
import { createTransforms2D, type Transforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEdited, someEdit } from "../random-edits.ts";
import { property } from "../testing.ts";

const SIZE = { width: 100, height: 100 };

function stage() {
  let space!: Transforms2D;
  const edited = createEdited((tree) => {
    space = createTransforms2D(tree);
    const { world } = tree;
    return {
      place: (entity, x, y) => space.setPosition(entity, x, y),
      turn: (entity, angle) => space.setRotation(entity, angle),
      scale: (entity, factor) => space.setScale(entity, factor, 1),
      spawn: (parent, x, y) =>
        parent === null
          ? world.spawn(space.at(x, y), rect(10, 10))
          : tree.attachNew(parent, space.at(x / 4, y / 4), ...(x > 40 ? [] : [rect(10, 10)])),
      dress: (entity, isDressed) => {
        if (isDressed) world.add(entity, rect(10, 10));
        else world.remove(entity, Shape);
      },
    };
  });
  return { ...edited, space };
}

/** What is to be seen, back to front: visible shapes that take part, by effective z, then in tree order. */
function expected(tree: Hierarchy): Entity[] {
  const { world } = tree;
  const visible = createInherited(tree, visibility);
  const active = createInherited(tree, activity);
  const z = createInherited(tree, zIndex);
  const found: Entity[] = [];
  for (const root of tree.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true }))
      if (world.has(entity, Shape) && visible.of(entity) && active.of(entity)) found.push(entity);
  }
  return found.sort((a, b) => z.of(a) - z.of(b));
}

function isInView(node: RecordedNode, renderer: RecordingRenderer): boolean {
  const { visible } = renderer.cameraView();
  const { minX, minY, maxX, maxY } = renderer.boundsOf(node.entity);
  return minX <= visible.maxX && maxX >= visible.minX && minY <= visible.maxY && maxY >= visible.minY;
}

describe("a recording renderer", () => {
  it("holds what a walk over the tree finds, through undo, snapshots and taken-back changes", () => {
    property(
      fc.array(someEdit("render", "look", "hit", "anew"), { minLength: 5, maxLength: 80 }),
      (edits) => {
        const { tree, space, apply, world } = stage();
        const camera = world.spawn(space.at(0, 0), Camera);
        const interpolation = createInterpolation(space);
        const all = createRecordingRenderer(space, { ...SIZE, cull: false });
        const smooth = createRecordingRenderer(space, { ...SIZE, cull: false, interpolation });
        let culled = createRecordingRenderer(space, SIZE);
        const check = () => {
          const order = expected(tree);
          for (const renderer of [all, smooth, culled]) renderer.render(0.5);
          expect(all.drawn().map(({ entity }) => entity)).toEqual(order);
          for (const { entity, matrix } of all.drawn()) expect(matrix).toEqual(space.worldOf(entity));
          expect(smooth.drawn().map(({ entity }) => entity)).toEqual(order);
          for (const { entity, matrix } of smooth.drawn())
            expect(matrix).toEqual(interpolation.worldOf(entity, 0.5));
          const seen = all.drawn().filter((node) => isInView(node, culled));
          const drawn = culled.drawn().map(({ entity }) => entity);
          expect(drawn.filter((entity) => seen.some((node) => node.entity === entity))).toEqual(
            seen.map(({ entity }) => entity),
          );
          expect(all.count).toBe(culled.count);
        };
        for (const edit of edits) {
          const { kind, x, y } = edit;
          if (kind === "render") check();
          else if (kind === "look") {
            if (world.isAlive(camera)) space.setPosition(camera, x * 3, y * 3);
          } else if (kind === "hit") {
            const hits = all.hitTestAll(x, y);
            expect(smooth.hitTestAll(x, y)).toEqual(hits);
            expect(culled.hitTestAll(x, y)).toEqual(hits);
            if (y > 0) interpolation.keep();
          } else if (kind === "anew") {
            culled.dispose();
            culled = createRecordingRenderer(space, SIZE);
          } else apply({ ...edit, kind });
        }
        check();
        // Nothing is told to a backend when nothing changed.
        for (const renderer of [all, smooth, culled]) {
          renderer.calls.length = 0;
          renderer.render(0.5);
          expect(renderer.calls).toEqual([]);
          renderer.dispose();
        }
      },
      60,
    );
  });
});
