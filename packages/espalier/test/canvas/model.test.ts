/**
 * The canvas renderer beside a walk over the tree, and beside a new one: through edits of every kind of drawing, undo, snapshots and
 * taken-back changes.
 */
import {
  createCanvasRenderer,
  createCanvasTextures,
  createRecordingContext,
  type RecordingContext,
} from "espalier/canvas";
import { activity, createInherited, visibility, zIndex } from "espalier/inherit";
import {
  alpha as alphaPreset,
  type CameraView,
  ParticleEmitter,
  Shape,
  type Sprite,
  Tilemap,
} from "espalier/render";
import { type Affine2D, createTransforms2D, multiply2D, type Transforms2D } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../random.ts";
import { createEdited, someEdit } from "../random-edits.ts";
import { drawn, randomDrawing, redress } from "../render/random-drawings.ts";
import { property } from "../testing.ts";

const size = { width: 200, height: 120 };

function stage(seed: number) {
  const random = createRandom(seed);
  let space!: Transforms2D;
  const edited = createEdited((tree) => {
    space = createTransforms2D(tree);
    const { world } = tree;
    return {
      place: (entity, x, y) => space.setPosition(entity, x, y),
      turn: (entity, angle) => space.setRotation(entity, angle),
      scale: (entity, factor) => space.setScale(entity, factor === 2 ? 2 : 0, 1),
      spawn: (parent, x, y) => tree.attachNew(parent, space.at(x, y), randomDrawing(random)),
      dress: (entity, isDressed) => {
        if (isDressed) redress(world, entity, random);
        else for (const component of drawn) world.remove(entity, component);
      },
    };
  });
  return { ...edited, space };
}

function open(space: Transforms2D) {
  const context = createRecordingContext();
  const textures = createCanvasTextures();
  for (const name of ["flag", "frame", "tiles"])
    textures.add(name, { width: 32, height: 32 } as unknown as ImageBitmap);
  const renderer = createCanvasRenderer(space, { ...size, context, textures, cull: false, onProblem() {} });
  return { context, renderer, read: createReader(context) };
}

/** What a frame draws, each with everything that decides how: other properties may stay from the frame before. */
function createReader(context: RecordingContext): () => unknown[] {
  const state: Record<string, unknown> = { globalAlpha: 1, imageSmoothingEnabled: true };
  const saved: Record<string, unknown>[] = [];
  const counts: Record<string, readonly string[]> = {
    fill: ["fillStyle"],
    fillRect: ["fillStyle"],
    stroke: ["strokeStyle", "lineWidth", "lineJoin", "lineCap"],
    fillText: ["fillStyle", "font", "textAlign", "textBaseline"],
    drawImage: ["imageSmoothingEnabled"],
  };
  return () => {
    let path: unknown[] = [];
    const found: unknown[] = [];
    for (const [name, ...given] of context.calls) {
      if (name === "save") saved.push({ ...state });
      else if (name === "restore") Object.assign(state, saved.pop());
      else if (name === "beginPath") path = [];
      else if (name === "setTransform") state.transform = given;
      else if (name === "addColorStop" || name.startsWith("create")) found.push([name, ...given]);
      else if (counts[name] !== undefined) {
        const used = ["transform", "globalAlpha", ...counts[name]].map((key) => [key, state[key]]);
        found.push([name, ...given, name === "fill" || name === "stroke" ? path.slice() : [], ...used]);
      } else if (
        typeof state[name] !== "undefined" ||
        /^[a-z]+(Style|Width|Join|Cap|Align|Baseline)$|^font$/.test(name)
      )
        state[name] = given[0];
      else path.push([name, ...given]);
    }
    context.calls.length = 0;
    // A gradient is made anew in every frame: its stops are compared above.
    return JSON.parse(JSON.stringify(found));
  };
}

/** The transform and alpha of every drawing, by a walk over the tree. */
function expected(space: Transforms2D, view: CameraView): { transform: number[]; alpha: number }[] {
  const { tree } = space;
  const { world } = tree;
  const [visible, active, z, alpha] = [visibility, activity, zIndex, alphaPreset].map((preset) =>
    createInherited(tree, preset as typeof zIndex),
  );
  const found: { z: number; transform: number[]; alpha: number }[] = [];
  for (const root of tree.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      if (!visible!.of(entity) || !active!.of(entity)) continue;
      // In this order where an entity has several.
      for (const component of [Tilemap, ...drawn.filter((one) => one !== Tilemap)]) {
        if (!world.has(entity, component)) continue;
        const value = world.get(entity, component as typeof Sprite)!;
        const own = Math.min(alpha!.of(entity) * Math.max(value.alpha ?? 1, 0), 1);
        const m = multiply2D(view.matrix, contentOf(space.worldOf(entity), component, value));
        if (own > 0 && m.a * m.d - m.b * m.c !== 0)
          found.push({ z: z!.of(entity), transform: [m.a, m.b, m.c, m.d, m.x, m.y], alpha: own });
      }
    }
  }
  return found.sort((a, b) => a.z - b.z).map(({ transform, alpha: own }) => ({ transform, alpha: own }));
}

function contentOf(matrix: Affine2D, component: unknown, value: Record<string, unknown>): Affine2D {
  if (component === ParticleEmitter && value.worldSpace === true)
    return { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  const flip = (key: string) => (value[key] === true ? -1 : 1);
  const scaleX = ((value.scaleX as number) ?? 1) * flip("flipX");
  // Pictures are drawn with y downwards.
  const down = component === Shape || component === ParticleEmitter ? 1 : -1;
  const scaleY = ((value.scaleY as number) ?? 1) * flip("flipY") * down;
  return multiply2D(matrix, { a: scaleX, b: 0, c: 0, d: scaleY, x: 0, y: 0 });
}

describe("a canvas renderer", () => {
  it("draws what a walk over the tree finds, as a new one draws it", () => {
    property(
      fc.tuple(fc.nat(), fc.array(someEdit("render"), { minLength: 5, maxLength: 60 })),
      ([seed, edits]) => {
        const { space, apply } = stage(seed);
        const kept = open(space);
        const check = () => {
          kept.renderer.invalidate();
          kept.renderer.render();
          const transforms = kept.context.calls.filter(([name]) => name === "setTransform").slice(1);
          const walked = expected(space, kept.renderer.cameraView());
          expect(transforms).toHaveLength(walked.length);
          for (const [k, { transform }] of walked.entries()) {
            for (const [n, value] of transform.entries())
              expect(transforms[k]![n + 1]).toBeCloseTo(value, Math.abs(value) > 1000 ? 0 : 3);
          }
          const fresh = open(space);
          fresh.renderer.render();
          expect(kept.read()).toEqual(fresh.read());
          fresh.renderer.dispose();
        };
        for (const edit of edits) {
          if (edit.kind === "render") check();
          else apply({ ...edit, kind: edit.kind });
        }
        check();
        kept.renderer.dispose();
      },
      60,
    );
  });
});
