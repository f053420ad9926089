/**
 * The options of a physics, and their checks.
 */
import {
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  handleOf,
  type OptionKinds,
} from "../../ecs/index.ts";
import { type Point, requireSpace2D, type Transforms2D } from "../../transform/index.ts";
import type { PhysicsEngine } from "../engine.ts";
import { EngineNotLoadedError, InvalidPhysicsOptionsError } from "../errors.ts";

/** Options of `createPhysics`. */
export interface PhysicsOptions {
  /** In units per second squared; (0, -10 metres) if left out. If y points down, use a positive y. */
  readonly gravity?: Point;
  /**
   * How many units of the transforms make a metre; 1 if left out. Engines work best with sizes of 0.1 to 10 metres: for
   * pixels, use 50 or 100.
   */
  readonly unitsPerMetre?: number;
  /** The names of the layers shapes can be on, up to 64; the first is the default. */
  readonly layers?: readonly string[];
  /**
   * Bodies on children: `refuse` (the default), or `kinematic`: kinematic ones follow their world transform, and take part
   * in contacts and sensors.
   */
  readonly childBodies?: "refuse" | "kinematic";
  /** What happens to the velocity of a body whose transform is written directly: `keep` (the default) or `stop`. */
  readonly onTeleport?: "keep" | "stop";
  /** Parts the engine divides each step into; 4 if left out. More is stiffer and slower. */
  readonly substeps?: number;
  /** Lets bodies at rest sleep, so that they cost nothing. On if left out. */
  readonly sleep?: boolean;
  /** Keeps fast bodies from passing through static ones. On if left out. */
  readonly continuous?: boolean;
  /** The lowest approach speed that is reported as a hit, in units per second; a metre per second if left out. */
  readonly hitSpeed?: number;
  /**
   * The entity whose pace the simulation follows, as returned by `paceOf(tree)`: at 0.5 steps are half as long, and at 0, or
   * while it is inactive, nothing is simulated. Left out, or once it is destroyed, time passes as given. See `setTimeOf`.
   */
  readonly timeOf?: EntityLike;
  /** How many events are kept for readers, each of contacts, hits and sensors. 4096 if left out. */
  readonly eventCapacity?: number;
}

/** The maximum number of substeps: more would only take time. */
const MOST_SUBSTEPS = 1000;

const known: OptionKinds = {
  gravity: "anything",
  unitsPerMetre: "anything",
  layers: "anything",
  childBodies: "anything",
  onTeleport: "anything",
  substeps: "anything",
  sleep: "boolean",
  continuous: "boolean",
  hitSpeed: "anything",
  eventCapacity: "number",
  timeOf: "anything",
};

/** @throws EngineNotLoadedError when `engine` is not a loaded engine. */
export function checkEngine(engine: PhysicsEngine): void {
  const { createWorld, limits } = Object(engine) as Partial<PhysicsEngine>;
  if (typeof createWorld === "function" && typeof limits === "object" && limits !== null) return;
  const isLoading = typeof (engine as { then?: unknown } | undefined)?.then === "function";
  throw new EngineNotLoadedError(
    isLoading
      ? "Cannot create physics: the engine is still loading. Await it first: createPhysics(space, await loadBox2D())."
      : "Cannot create physics without an engine. Load one first: createPhysics(space, await loadBox2D()).",
  );
}

/** @throws InvalidPhysicsOptionsError; InvalidOptionError for those that do not exist. */
export function checkPhysicsOptions(space: Transforms2D, options: PhysicsOptions): void {
  requireSpace2D(space, "create physics");
  checkOptions(space.tree.world.checks, "create physics", options, known);
  const refuse = (name: string, wanted: string): never => {
    const value = options[name as keyof PhysicsOptions];
    throw new InvalidPhysicsOptionsError(
      `Cannot create physics with ${name}: ${describeValue(value)}. It takes ${wanted}.`,
      { option: name, value },
    );
  };
  const {
    gravity,
    unitsPerMetre = 1,
    substeps = 4,
    hitSpeed = 0,
    childBodies = "refuse",
    onTeleport = "keep",
    layers = [],
  } = options;
  if (!Array.isArray(layers)) refuse("layers", "an array of names");
  const { x, y } = Object(gravity) as Partial<Point>;
  if (gravity !== undefined && !(Number.isFinite(x) && Number.isFinite(y)))
    refuse("gravity", "finite x and y");
  if (!(Number.isFinite(unitsPerMetre) && unitsPerMetre > 0))
    refuse("unitsPerMetre", "a finite number above 0");
  if (!(Number.isInteger(substeps) && substeps > 0 && substeps <= MOST_SUBSTEPS))
    refuse("substeps", `an integer from 1 to ${MOST_SUBSTEPS}`);
  if (!(Number.isFinite(hitSpeed) && hitSpeed >= 0)) refuse("hitSpeed", "a finite number, 0 or more");
  if (childBodies !== "refuse" && childBodies !== "kinematic")
    refuse("childBodies", '"refuse" or "kinematic"');
  if (onTeleport !== "keep" && onTeleport !== "stop") refuse("onTeleport", '"keep" or "stop"');
}

/** @throws InvalidPhysicsOptionsError for what is not a living entity, or an object of a game. */
export function requireTimeOf(space: Transforms2D, given: EntityLike): Entity {
  const { world } = space.tree;
  const entity = handleOf(world, given);
  if (world.isAlive(entity)) return entity;
  throw new InvalidPhysicsOptionsError(
    `Cannot use the time of ${describeValue(given)}: timeOf takes a living entity.`,
    { option: "timeOf", value: given },
  );
}
