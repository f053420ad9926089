/**
 * Applying what command buffers recorded.
 *
 * All buffers of a flush take turns in rounds: first everything that waits when the flush begins, in the order of the
 * buffers and within each as recorded; then what was recorded meanwhile (by observers), and so on until nothing waits.
 */

import { attached } from "../attached.ts";
import type { AnyComponent, Component, ComponentInit, Init } from "../components/component.ts";
import type { Schema } from "../components/fields.ts";
import { valuesOf } from "../components/validate.ts";
import { type Entity, generationOf, INDEX_MASK, ofEntity } from "../entities/entity.ts";
import { CommandError } from "../errors.ts";
import { createReserved, releaseReserved } from "../mutate/create.ts";
import { stateOf, type World } from "../world.ts";
import {
  ADD,
  type CommandList,
  type CommandQueue,
  CUSTOM,
  componentOf,
  DESTROY,
  REMOVE,
  SET,
  SPAWN,
  type WaitingCommand,
} from "./command-list.ts";

/** A command whose entity was not alive when its turn came. */
export interface SkippedCommand {
  /** Its number among the commands of its buffer that the flush took, from 0. */
  readonly index: number;
  /** What it would have done: "add Health". */
  readonly label: string;
  /** The entity that was not alive. */
  readonly entity: Entity;
  /** Why, in words that follow the entity: "was destroyed". */
  readonly reason: string;
}

/** A command that threw. Nothing of it happened; later commands ran. */
export interface RefusedCommand {
  /** Its number among the commands of its buffer that the flush took, from 0. */
  readonly index: number;
  /** What it would have done: "add Health". */
  readonly label: string;
  /** The entity it acted on, if any. */
  readonly entity: Entity | undefined;
  /** What it threw. */
  readonly error: Error;
}

/** What became of the commands of one flush. */
export interface FlushResult {
  /** How many commands were applied. */
  readonly applied: number;
  /** Commands that were skipped, because an entity they name was dead. */
  readonly skipped: readonly SkippedCommand[];
  /** Commands that threw; nothing of them happened. */
  readonly refused: readonly RefusedCommand[];
}

/** Rounds of commands that cause commands, after which they are taken for an endless loop. */
const MAX_ROUNDS = 1000;
/** The same for loops that double: this many commands for each that was there at first, and for 1000 more. */
const MAX_GROWTH = 1000;

interface CommandState {
  /** Of the buffers that have not been closed. By `order`, then as they were made. */
  queues: readonly CommandQueue[];
  flushing: boolean;
}

/**
 * Applies the commands of all buffers of a world: buffers by their `order`, then as they were made; commands as
 * recorded. What observers record meanwhile is applied in the same flush, after the rest.
 *
 * @throws StructureLockedError inside `query.update()` and `query.run()`; CommandError inside another flush.
 *
 * @example
 * ```ts
 * const early = createCommands(world, { order: -1 });
 * const late = createCommands(world);
 * const e = late.spawn();
 * early.destroy(e);
 * flush(world).skipped; // → [{ index: 0, label: "destroy", entity: e, reason: "is reserved by a buffer and not created yet" }]
 * ```
 */
export function flush(world: World): FlushResult {
  return flushQueues(world, () => commandsOf(world).queues);
}

/** Applies what these buffers hold, and what is recorded meanwhile. */
export function flushQueues(world: World, queues: () => readonly CommandQueue[]): FlushResult {
  stateOf(world).requireUsable("flush commands");
  stateOf(world).requireUnlocked("flush commands");
  const state = commandsOf(world);
  if (state.flushing) {
    throw new CommandError(
      "Cannot flush inside a flush: what is recorded now is applied by the flush under way. Record the command and leave it to that.",
    );
  }
  state.flushing = true;
  const run = new FlushRun(world);
  try {
    run.all(queues);
  } finally {
    state.flushing = false;
  }
  // Only now: an onError that throws must not leave commands behind.
  for (const error of run.reports) world.onError(error);
  return run;
}

/** What a world knows of its buffers. */
export function commandsOf(world: World): CommandState {
  return attached(stateOf(world), "espalier.commands", (): CommandState => ({ queues: [], flushing: false }));
}

class FlushRun implements FlushResult {
  applied = 0;
  readonly skipped: SkippedCommand[] = [];
  readonly refused: RefusedCommand[] = [];
  readonly reports: CommandError[] = [];
  readonly #world: World;
  /** How many commands of the present buffer earlier rounds took. */
  #taken = 0;
  /** Promised entities whose spawn was refused. */
  readonly #unborn = new Set<Entity>();

  constructor(world: World) {
    this.#world = world;
  }

  all(queues: () => readonly CommandQueue[]): void {
    let left = Number.POSITIVE_INFINITY;
    const taken = new Map<CommandQueue, number>();
    for (let round = 0; ; round++) {
      const turns = queues()
        .filter((queue) => queue.pending.count > 0)
        .map((queue) => ({ queue, list: queue.take() }));
      if (turns.length === 0) return;
      const count = turns.reduce((sum, { list }) => sum + list.count, 0);
      left = round === 0 ? (count + 1000) * MAX_GROWTH : left - count;
      const endless = round === MAX_ROUNDS || left < 0;
      for (const { queue, list } of turns) {
        this.#taken = taken.get(queue) ?? 0;
        taken.set(queue, this.#taken + list.count);
        if (endless) this.giveUp(queue, list);
        else for (let at = 0; at < list.count; at++) this.one(queue, list, at);
        queue.giveBack(list);
      }
      if (endless) return;
    }
  }

  private one(queue: CommandQueue, list: CommandList, at: number): void {
    const dead = this.firstDead(list, at);
    if (dead !== 0) {
      const index = this.#taken + at;
      this.skipped.push({ index, label: list.labelAt(at), entity: dead, reason: this.whyDead(dead) });
      return;
    }
    try {
      this.apply(list.kinds[at], list.entities[at] as Entity, list.what[at]);
      this.applied++;
    } catch (cause) {
      this.refuse(queue, list, at, cause);
    }
  }

  /** The first entity that the command needs and that does not live; 0 when there is none. */
  private firstDead(list: CommandList, at: number): Entity | 0 {
    const kind = list.kinds[at];
    if (kind === SPAWN) return 0;
    if (kind === CUSTOM) {
      const { entities } = list.what[at] as WaitingCommand;
      return entities.find((entity) => !this.#world.isAlive(entity)) ?? 0;
    }
    const entity = list.entities[at] as Entity;
    return this.#world.isAlive(entity) ? 0 : entity;
  }

  private apply(kind: number | undefined, entity: Entity, what: unknown): void {
    const world = this.#world;
    const inits = what as ComponentInit[];
    switch (kind) {
      case SPAWN:
        createReserved(stateOf(world), entity, inits);
        break;
      case DESTROY:
        world.destroy(entity);
        break;
      case ADD:
        world.add(entity, ...inits);
        break;
      case REMOVE:
        world.remove(entity, ...(inits as AnyComponent[]));
        break;
      case SET:
        // Setting one component in the other way is faster.
        if (inits.length > 1) world.set(entity, ...(inits as Init<Schema>[]));
        else world.set(entity, componentOf(inits[0]) as Component<Schema>, valuesOf(inits[0]) as object);
        break;
      default:
        (what as WaitingCommand).apply(world, (what as WaitingCommand).entities);
    }
  }

  private whyDead(entity: Entity): string {
    const { table, isDisposed } = stateOf(this.#world);
    if (isDisposed) return "went with its world, which was disposed";
    if (this.#unborn.has(entity)) return "was never created: its spawn was refused";
    if (table.isReserved(entity)) return "is reserved by a buffer and not created yet";
    const index = entity & INDEX_MASK;
    const isKnown = index <= table.used && generationOf(entity) <= generationOf(table.handleAt(index));
    return isKnown ? "was destroyed" : "was never created in this world";
  }

  private refuse(queue: CommandQueue, list: CommandList, at: number, cause: unknown): void {
    const error = cause instanceof Error ? cause : new CommandError(`A command threw ${String(cause)}.`);
    const { label, entity } = this.drop(list, at, error);
    this.reports.push(
      new CommandError(
        `Command "${label}"${ofEntity(entity)}, recorded on buffer ${queue.name}, was refused: ${error.message}`,
        { entities: entity === undefined ? [] : [entity], cause: error, subject: queue.name },
      ),
    );
  }

  /** Drops the commands of a buffer that would go on for ever. */
  private giveUp(queue: CommandQueue, list: CommandList): void {
    const error = new CommandError(
      `Stopped the flush at "${list.labelAt(0)}", recorded on buffer ${queue.name}: its commands cause further commands without end. The ${list.count} that waited there are dropped. Look for observers that record what triggers them again.`,
      { subject: queue.name },
    );
    this.reports.push(error);
    for (let at = 0; at < list.count; at++) this.drop(list, at, error);
  }

  /** Notes a command that will not be applied, and gives back what it held. */
  private drop(list: CommandList, at: number, error: Error): RefusedCommand {
    const entity = list.entities[at] as Entity;
    if (list.kinds[at] === SPAWN) {
      releaseReserved(stateOf(this.#world), entity);
      this.#unborn.add(entity);
    }
    const acted = list.kinds[at] === CUSTOM ? (list.what[at] as WaitingCommand).entities[0] : entity;
    const refused = { index: this.#taken + at, label: list.labelAt(at), entity: acted, error };
    this.refused.push(refused);
    return refused;
  }
}
