/**
 * Edits of relations for later: recorded on a command buffer and applied at its flush.
 */
import { refuseArgument } from "../checks/arguments.ts";
import { type Commands, isBufferOf } from "../commands/commands.ts";
import type { Component } from "../components/component.ts";
import type { Schema } from "../components/fields.ts";
import type { Entity, EntityLike } from "../entities/entity.ts";
import { handleIn } from "../entities/handle-in.ts";
import { isWorld, stateOf, type World } from "../world.ts";
import {
  addTarget,
  type MultiFields,
  type PairDataOf,
  removeTarget,
  requireEditable,
  type SingleFields,
  setPair,
  setTarget,
} from "./targets.ts";

/**
 * Records the edits of relations in `world` on `buffer`. Components, fields and data are checked when they are recorded. A command is
 * skipped when an entity it names is dead at the flush, and refused when the call would throw then; both are reported in the flush
 * result.
 *
 * @example
 * ```ts
 * const Likes = component("Likes", { people: entityRefs() });
 * const commands = createCommands(world);
 * const later = relationCommands(world, commands);
 * const eve = world.spawn(Likes);
 * const ann = commands.spawn();
 * later.addTarget(eve, Likes, "people", ann);
 * targetsOf(world, eve, Likes, "people"); // → []
 * commands.flush();
 * targetsOf(world, eve, Likes, "people"); // → [ann]
 * ```
 */
export function relationCommands(world: World, buffer: Commands): RelationCommands {
  const doing = "record edits of relations";
  if (!isWorld(world)) refuseArgument(world, doing, "it", "a world");
  if (!isBufferOf(buffer, world))
    refuseArgument(buffer, doing, "the buffer", "one that createCommands() returned for the world");
  return new RelationCommands(world, buffer);
}

/** The edits of relations as commands: recorded now, made at the next flush. */
export class RelationCommands {
  private readonly world: World;
  private readonly buffer: Commands;

  /** @internal Use `relationCommands(world, buffer)`. */
  constructor(world: World, buffer: Commands) {
    this.world = world;
    this.buffer = buffer;
  }

  /** Records `setTarget`. */
  setTarget<S extends Schema>(
    owner: EntityLike,
    component: Component<S>,
    field: SingleFields<S>,
    target: EntityLike | null,
  ): void {
    requireEditable(this.world, component, field, false, undefined, "set a target");
    this.record("setTarget", owner, target, (world, owner, target) =>
      setTarget(world, owner, component, field, target),
    );
  }

  /** Records `addTarget`. */
  addTarget<S extends Schema, K extends MultiFields<S>>(
    owner: EntityLike,
    component: Component<S>,
    field: K,
    target: EntityLike,
    data?: Partial<PairDataOf<S[K]>>,
  ): void {
    requireEditable(this.world, component, field, true, data, "add a target");
    const own = data && { ...data };
    this.record("addTarget", owner, target, (world, owner, target) =>
      addTarget(world, owner, component, field, target, own),
    );
  }

  /** Records `removeTarget`. */
  removeTarget<S extends Schema>(
    owner: EntityLike,
    component: Component<S>,
    field: MultiFields<S>,
    target: EntityLike,
  ): void {
    requireEditable(this.world, component, field, true, undefined, "remove a target");
    this.record("removeTarget", owner, target, (world, owner, target) =>
      removeTarget(world, owner, component, field, target),
    );
  }

  /** Records `setPair`. */
  setPair<S extends Schema, K extends MultiFields<S>>(
    owner: EntityLike,
    component: Component<S>,
    field: K,
    target: EntityLike,
    data: Partial<PairDataOf<S[K]>>,
  ): void {
    requireEditable(this.world, component, field, true, data, "set a pair");
    const own = { ...data };
    this.record("setPair", owner, target, (world, owner, target) =>
      setPair(world, owner, component, field, target, own),
    );
  }

  private record<Target extends EntityLike | null>(
    label: string,
    owner: EntityLike,
    target: Target,
    edit: (world: World, owner: Entity, target: Entity | Extract<Target, null>) => unknown,
  ): void {
    const s = stateOf(this.world);
    const from = handleIn(s, owner);
    const to = handleIn(s, target) as Entity | Extract<Target, null>;
    this.buffer.record({
      label,
      entities: to === null ? [from] : [from, to],
      apply: (world) => void edit(world, from, to),
    });
  }
}
