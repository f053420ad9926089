/**
 * What the parts of a physics share: the tree, the space, the engine, and common functions.
 */
import type { ComponentInit, Entity, ValueOf, World } from "../ecs/index.ts";
import { Ghost, type Hierarchy } from "../hierarchy/index.ts";
import { Active } from "../inherit/index.ts";
import { InheritTransform, type Transforms2D } from "../transform/index.ts";
import { RigidBody } from "./components.ts";
import type { EngineState, EngineWorld } from "./engine.ts";
import type { Layers } from "./rules/layers.ts";

/** The owner of a shape of the engine. */
export interface ShapeOwner {
  /** The entity with the body. */
  readonly body: Entity;
  /** The entity with the collider: the same, or one below it. */
  readonly collider: Entity;
  /** The index in `Collider.shapes`. */
  readonly shape: number;
  /** Whether it only reports overlaps. */
  readonly sensor: boolean;
}

export interface Context {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  /** Replaced by `rebuild()`. */
  engine: EngineWorld<ShapeOwner>;
  readonly engineName: string;
  /** The largest distance from the origin, in metres. */
  readonly range: number;
  /** How many bodies the engine holds. */
  readonly bodyLimit: number;
  readonly unitsPerMetre: number;
  readonly layers: Layers;
  readonly childBodies: "refuse" | "kinematic";
}

/** Whether the entity is alive, and it and all its ancestors are active. A ghost's own `Active` does not count. */
export function isActive(context: Context, entity: Entity): boolean {
  for (let e: Entity | null = entity; e !== null; e = context.tree.parentOf(e))
    if (!isOn(context, e)) return false;
  return true;
}

/** Whether the entity itself is active. */
export function isOn({ world }: Context, entity: Entity): boolean {
  return !world.has(entity, Active) || world.has(entity, Ghost) || world.get(entity, Active)?.on === true;
}

/**
 * The nearest entity that moves its descendants, from `parent` upwards: one with a transform that is not a ghost. `null` if
 * there are only folders, without a transform, and ghosts: their descendants move independently.
 */
export function moverFrom({ world, tree, space }: Context, parent: Entity | null): Entity | null {
  for (let e = parent; e !== null; e = tree.parentOf(e))
    if (world.has(e, space.component) && !world.has(e, Ghost)) return e;
  return null;
}

/** Whether an entity inherits nothing from its ancestors: it is `topLevel`, or inherits neither position nor rotation nor scale. */
export function isCut({ world }: Context, entity: Entity): boolean {
  const mask = world.get(entity, InheritTransform);
  return mask !== undefined && cuts(mask);
}

/** What an entity inherits from its ancestors. */
export type Mask = ValueOf<typeof InheritTransform.schema>;

/** Whether nothing is inherited. */
export function cuts({ topLevel, position, rotation, scale }: Mask): boolean {
  return topLevel || !(position || rotation || scale);
}

/** The same as `isCut` for an entity that gets these components; `null` while it is still to be created. */
export function isCutWith(context: Context, entity: Entity | null, inits: readonly ComponentInit[]): boolean {
  const init = inits.find((each) => componentOf(each) === InheritTransform);
  if (init === undefined) return entity !== null && isCut(context, entity);
  return cuts(maskOf((init as { readonly values?: Partial<Mask> }).values));
}

/** The values of `InheritTransform` after it is added with these values, even if it existed before. */
export function maskOf({
  position = true,
  rotation = true,
  scale = true,
  topLevel = false,
}: Partial<Mask> = {}): Mask {
  return { position, rotation, scale, topLevel };
}

function componentOf(init: ComponentInit): unknown {
  return typeof init === "function" ? init : (init as { readonly component: unknown }).component;
}

/** The ancestor that moves a living entity; `null` for one that moves independently. */
export function moverOf(context: Context, entity: Entity): Entity | null {
  return isCut(context, entity) ? null : moverFrom(context, context.tree.parentOf(entity));
}

/** The nearest entity with a body, from `entity` upwards; `null` if there is none. */
export function bodyAtOrAbove({ world, tree }: Context, entity: Entity): Entity | null {
  for (let e: Entity | null = entity; e !== null; e = tree.parentOf(e)) if (world.has(e, RigidBody)) return e;
  return null;
}

/** Whether a handle is a living entity with a body. */
export function hasBody({ world }: Context, entity: Entity): boolean {
  return world.isAlive(entity) && world.has(entity, RigidBody);
}

/** A state to be filled by the engine. */
export function newState(): EngineState {
  return { x: 0, y: 0, cosine: 1, sine: 0, velocityX: 0, velocityY: 0, angularVelocity: 0 };
}
