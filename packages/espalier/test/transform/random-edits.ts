/**
 * Random edits of a tree with 2D transforms, for tests that compare it with something slower.
 */
import { createWorld, type Entity, type World } from "espalier";
import { compactOrder, createHierarchy, Ghost, type Hierarchy } from "espalier/hierarchy";
import {
  createTransforms2D,
  setInherit,
  setTopLevel,
  Transform2D,
  type Transforms2D,
  type Transforms2DOptions,
  transformBatch,
} from "espalier/transform";
import fc from "fast-check";

const number = fc.double({ min: -10, max: 10, noNaN: true });
/** Zero in both axes only: what is squashed onto a line has no rotation that a mask could keep. */
const scales = fc.oneof(
  fc.record({ x: fc.constantFrom(1, 0.5, 2, -1), y: fc.constantFrom(1, 0.5, 2, -1) }),
  fc.constant({ x: 0, y: 0 }),
);
const flag = fc.boolean();

const steps = {
  spawn: fc.record({ parent: fc.nat(), x: number, y: number, bare: flag, root: flag }),
  attach: fc.record({ child: fc.nat(), parent: fc.nat() }),
  detach: fc.record({ child: fc.nat() }),
  move: fc.record({ child: fc.nat(), x: number, y: number }),
  turn: fc.record({ child: fc.nat(), angle: number }),
  scale: fc.record({ child: fc.nat(), scale: scales, skew: fc.constantFrom(0, 0, 0.3) }),
  view: fc.record({ x: number, rotation: number }),
  batch: fc.record({ x: number, rotation: number, width: fc.constantFrom(2, 3, 5, 6) }),
  bare: fc.record({ child: fc.nat() }),
  ghost: fc.record({ child: fc.nat() }),
  mask: fc.record({ child: fc.nat(), position: flag, rotation: flag, scale: flag }),
  topLevel: fc.record({ child: fc.nat(), on: flag }),
  destroy: fc.record({ child: fc.nat() }),
  propagate: fc.record({}),
  compact: fc.record({}),
};

type Kind = keyof typeof steps;
type Arguments<K extends Kind> = (typeof steps)[K] extends fc.Arbitrary<infer T> ? T : never;
export type Step = { [K in Kind]: { readonly kind: K } & Arguments<K> }[Kind];

/** Lists of edits. */
export function edits(options: { readonly without?: readonly Kind[]; readonly maxLength?: number } = {}) {
  const kinds = (Object.keys(steps) as Kind[]).filter((kind) => !options.without?.includes(kind));
  const step = fc.oneof(
    ...kinds.map((kind) =>
      (steps[kind] as fc.Arbitrary<object>).map((values) => ({ kind, ...values }) as Step),
    ),
  );
  return fc.array(step, { maxLength: options.maxLength ?? 60 });
}

export interface Scene {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
}

export function createScene(options: Transforms2DOptions = {}, capacity = 4): Scene {
  const world = createWorld({
    capacity,
    onError: (error) => {
      throw error;
    },
  });
  const tree = createHierarchy(world);
  return { world, tree, space: createTransforms2D(tree, options) };
}

/** Carries out one edit; those that are impossible are passed over. */
export function edit(scene: Scene, step: Step): void {
  const { world, tree, space } = scene;
  const all = world.entities();
  const pick = (n: number) => all[n % all.length] as Entity;
  if (step.kind === "spawn") {
    const parent = step.root || all.length === 0 ? null : pick(step.parent);
    tree.attachNew(parent, ...(step.bare ? [] : [space.at(step.x, step.y, step.x)]));
    return;
  }
  if (all.length === 0) return;
  const e = "child" in step ? pick(step.child) : pick(0);
  switch (step.kind) {
    case "attach":
      if (tree.canAttach(e, pick(step.parent))) tree.attach(e, pick(step.parent));
      break;
    case "detach":
      tree.detach(e);
      break;
    case "move":
      space.setPosition(e, step.x, step.y);
      break;
    case "turn":
      space.setRotation(e, step.angle);
      break;
    case "scale":
      space.setLocal(e, { scaleX: step.scale.x, scaleY: step.scale.y, skew: step.skew });
      break;
    case "view":
      world.query(Transform2D).update((transform) => {
        if (transform.x > step.x) transform.rotation = step.rotation;
      });
      break;
    case "batch": {
      const chosen = all.filter((entity, k) => k % 2 === 0 && world.has(entity, Transform2D));
      const row = [step.x, 1, step.rotation, 0.5, 2, 0.25].slice(0, step.width);
      transformBatch(space, chosen).write(Float32Array.from(chosen.flatMap(() => row)));
      break;
    }
    case "bare":
      world.remove(e, Transform2D);
      break;
    case "ghost":
      if (world.has(e, Ghost)) world.remove(e, Ghost);
      else world.add(e, Ghost);
      break;
    case "mask":
      setInherit(space, e, { position: step.position, rotation: step.rotation, scale: step.scale });
      break;
    case "topLevel":
      setTopLevel(space, e, step.on);
      break;
    case "destroy":
      tree.destroy(e);
      break;
    case "propagate":
      space.propagate();
      break;
    case "compact":
      compactOrder(tree);
      break;
  }
}
