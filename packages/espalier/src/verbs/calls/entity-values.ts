/** The values of an entity as JSON, and what is computed from its ancestors. */
import type { Entity } from "../../ecs/index.ts";
import type { Json, JsonObject } from "../../scene/index.ts";
import { ComponentWriter } from "../../scene/internal.ts";
import type { SceneDocument } from "../document.ts";

/** All components of an entity that files may hold, with all their fields. */
export function valuesOf(
  { scene, format }: SceneDocument,
  entity: Entity,
): { [component: string]: JsonObject } {
  const writer = new ComponentWriter(scene.tree, format.registry);
  const idOf = (other: Entity | null) => (other === null ? null : (scene.idOf(other) ?? null));
  const values: { [component: string]: JsonObject } = {};
  for (const codec of writer.codecsOf(entity)) {
    // Values that cannot be written are reported by validate.
    values[codec.name] = writer.write(writer.valuesOf(entity, codec), codec, { idOf }, true, () => {});
  }
  return values;
}

/** The world transform of an entity; `undefined` if it has no transform. */
export function worldValuesOf({ state: { spaces } }: SceneDocument, entity: Entity): JsonObject | undefined {
  const { flat, solid } = spaces;
  if (flat?.tree.world.has(entity, flat.component)) {
    const { x, y } = flat.worldPosition(entity);
    const { x: scaleX, y: scaleY } = flat.lossyScale(entity);
    return { x, y, rotation: flat.worldRotation(entity), scaleX, scaleY };
  }
  if (!solid?.tree.world.has(entity, solid.component)) return undefined;
  const { x, y, z } = solid.worldPosition(entity);
  const rotation = solid.worldRotation(entity);
  const scale = solid.lossyScale(entity);
  return { x, y, z, ...rotation, scaleX: scale.x, scaleY: scale.y, scaleZ: scale.z };
}

/** A value inside JSON by steps, `items.0.name`; `undefined` if there is none. */
export function valueAt(json: Json | undefined, steps: readonly string[]): Json | undefined {
  let at = json;
  for (const step of steps) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as JsonObject)[step];
  }
  return at;
}
