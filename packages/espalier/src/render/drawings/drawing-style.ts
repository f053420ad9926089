/**
 * From components to drawings: the values, including inherited ones, and the resulting size.
 */
import type { Component, Schema, ValueOf } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { clearBounds, isEmptyBounds } from "../bounds/bounds.ts";
import type { Size } from "../cameras/camera-view.ts";
import type { ParticleEmitterSchema } from "../particles/particle-emitter.ts";
import { poolBounds } from "../particles/particle-pool.ts";
import type { Particles } from "../particles/particles.ts";
import type { RenderBackend } from "../renderer/contract.ts";
import type { Item } from "../renderer/items.ts";
import { multiplyColors } from "./color.ts";
import type { DrawValues } from "./draw-values.ts";
import { type Drawing, drawingKinds } from "./drawing.ts";
import { measureDrawing } from "./measure.ts";

/** Reads the values of a drawing's component, and the tint and alpha it is drawn with. */
export function readStyle(
  { world }: Hierarchy,
  drawing: Drawing,
  rank: number,
  values: DrawValues,
  particles: Particles | undefined,
): void {
  const { component } = drawingKinds[rank];
  const { entity } = drawing;
  drawing.tint = values.tint.of(entity);
  drawing.alpha = values.alpha.of(entity);
  if (component === null) return;
  const value = world.get(entity, component as Component<Schema>)! as ValueOf<Schema>;
  drawing.value = value as never;
  if (typeof value.tint === "number") drawing.tint = multiplyColors(drawing.tint, value.tint);
  if (typeof value.alpha === "number") drawing.alpha *= Math.max(value.alpha, 0);
  if (drawing.kind === "particles") drawing.pool = particles?.of(entity) ?? null;
}

/** Measures an item in its own coordinates. */
export function measureItem<Node>(item: Item<Node>, backend: RenderBackend<Node>): void {
  const { drawing, content, node } = item;
  if (drawing.kind === "external") {
    if (backend.measureExternal === undefined) clearBounds(content);
    else backend.measureExternal(node, content);
  } else if (drawing.kind === "particles") {
    if (drawing.pool === null) clearBounds(content);
    else poolBounds(drawing.pool, particleReach(drawing.value, backend), content);
  } else measureDrawing(drawing, backend, content);
  const { minX, minY, maxX, maxY } = content;
  // An integer, which V8 stores in the item itself.
  const farthest = Math.ceil(Math.max(-minX, -minY, maxX, maxY, 0));
  item.reach = isEmptyBounds(content) ? -1 : farthest;
}

/** The name of the texture a drawing uses, if its kind has one. */
export function textureOf(drawing: Drawing): string | undefined {
  return drawing.value !== null && "texture" in drawing.value ? drawing.value.texture : undefined;
}

/** Half the largest side of a particle. */
function particleReach(
  value: ValueOf<ParticleEmitterSchema>,
  backend: { measureTexture(texture: string, frame: string): Size | undefined },
): number {
  const size = value.texture === "" ? undefined : backend.measureTexture(value.texture, value.frame);
  const side = size === undefined ? value.size : Math.max(size.width, size.height);
  return (side * Math.max(Math.abs(value.startScale), Math.abs(value.endScale))) / 2;
}
