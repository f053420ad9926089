/**
 * Event channels: what happened, in order, for any number of readers that come by when they like.
 *
 * A channel keeps events in a ring that grows while a reader has not read the oldest, up to a bound in bytes, so a reader
 * that comes by once a frame loses nothing when a large scene is loaded in between. All channels of a world share one sequence
 * number, so events of several channels can be put in order (`readInOrder`).
 */
import { requireFunction, requireNumber } from "../checks/arguments.ts";
import type { Entity } from "../entities/entity.ts";
import type { World } from "../world.ts";
import {
  type ChannelOptions,
  clockOf,
  EventRing,
  type EventStream,
  type PackedOptions,
  requireChannel,
  requireInteger,
} from "./event-ring.ts";

const MAX_WIDTH = 6;

/**
 * Makes a channel for events of one type. The name is only for messages.
 *
 * @example
 * ```ts
 * const damage = createChannel<{ amount: number }>(world, "damage");
 * const reader = damage.reader();
 * damage.emit({ amount: 5 });
 * reader.read(); // → [{ amount: 5 }]
 * reader.read(); // → []
 * ```
 */
export function createChannel<Payload>(
  world: World,
  name: string,
  options: ChannelOptions = {},
): EventChannel<Payload> {
  requireChannel(world, name, options);
  return new ObjectChannel<Payload>(world, name, {
    ...options,
    width: 0,
    decode: (_numbers, _at, payload) => payload as Payload,
  });
}

/**
 * Advanced: a channel for producers that emit so much that an object per event is too dear. They emit numbers, which
 * are kept in one typed array; `decode` turns them into a payload only when it is read.
 *
 * @example
 * ```ts
 * const hits = createPackedChannel(world, "hits", {
 *   width: 2,
 *   decode: (numbers, at) => ({ target: numbers[at], amount: numbers[at + 1] }),
 * });
 * const reader = hits.reader();
 * const e = world.spawn();
 * hits.emit(e, 5);
 * reader.read(); // → [{ target: e, amount: 5 }]
 * ```
 */
export function createPackedChannel<Payload>(
  world: World,
  name: string,
  options: PackedOptions<Payload>,
): PackedChannel<Payload> {
  requireChannel(world, name, options);
  requireFunction(options.decode, `create channel ${name}`, "decode");
  requireInteger(name, "width", options.width, MAX_WIDTH);
  return new PackedChannel(world, name, options);
}

/** The number of the newest event of a world, over all its channels; 0 before the first. */
export function lastSequence(world: World): number {
  return clockOf(world).sequence;
}

/** Events of all channels that wait until it is known whether they happened. */
export interface EventHold {
  /** They happened: readers get them, unless an outer hold still waits. */
  release(): void;
  /**
   * Rollback: drops events emitted since the hold began. With entities, only events that name one of them are
   * dropped (as payload, or in a field or list of it); the others happened.
   */
  discard(entities?: ReadonlySet<Entity>): void;
}

/**
 * Holds back what is emitted on all channels of a world from now on. Holds may be nested; end them in reverse order,
 * each once.
 *
 * @example
 * ```ts
 * const news = createChannel<string>(world, "news");
 * const reader = news.reader();
 * const hold = holdEvents(world);
 * news.emit("maybe");
 * reader.read(); // → []
 * hold.release();
 * reader.read(); // → ["maybe"]
 * ```
 */
export function holdEvents(world: World): EventHold {
  const clock = clockOf(world);
  const outer = clock.held;
  const held = outer ?? [];
  const from = held.length;
  clock.held = held;
  return {
    release() {
      clock.held = outer;
      if (outer === undefined) for (const event of held) event.emit();
    },
    discard(entities) {
      clock.held = outer;
      const kept = entities === undefined ? [] : held.slice(from).filter((event) => !event.names(entities));
      held.length = from;
      if (outer === undefined) for (const event of kept) event.emit();
      else held.push(...kept);
    },
  };
}

/** A channel of events with payloads of one type. */
export interface EventChannel<Payload> extends EventStream<Payload> {
  /** Adds an event and returns its number in the world's order. The payload is kept as it is; do not change it. */
  emit(payload: Payload): number;
}

class ObjectChannel<Payload> extends EventRing<Payload> implements EventChannel<Payload> {
  emit(payload: Payload): number {
    return this.append(0, 0, 0, 0, 0, 0, payload);
  }
}

/** A channel whose events are numbers until they are read. */
export class PackedChannel<Payload> extends EventRing<Payload> {
  /** Adds an event and returns its number in the world's order. Numbers beyond the channel's width are ignored. */
  emit(a: number, b = 0, c = 0, d = 0, e = 0, f = 0): number {
    // Storing anything else would throw, or store NaN.
    for (const number of [a, b, c, d, e, f]) requireNumber(number, `emit on ${this.name}`, "an event");
    return this.append(a, b, c, d, e, f);
  }
}
