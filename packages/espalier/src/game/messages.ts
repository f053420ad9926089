/**
 * Messages to all listeners: systems, user interfaces, entities. An event that happens to one entity is an
 * entity event instead (`espalier/hierarchy`).
 */
import { describeValue, type Entity, requireAlive, type World } from "../ecs/index.ts";
import type { PayloadArgument } from "../hierarchy/index.ts";
import { MessageListenerError, UnknownMessageError } from "./errors.ts";

/** A kind of message. `Payload` is what each one carries. */
export interface Message<Payload> {
  /** The name it was defined with. */
  readonly name: string;
  /** Marks kinds of messages. */
  readonly isMessage: true;
  /** Only for types. */
  readonly payload?: Payload;
}

/** A function that is called with the message. */
export type MessageListener<Payload> = (payload: Payload) => void;

/** Every fixed step, before systems and behaviours. */
export interface TickPayload {
  /** Seconds. */
  readonly dt: number;
  /** Steps before this one. */
  readonly tick: number;
  /** Seconds of game time before this step. */
  readonly time: number;
}

/**
 * Describes a kind of message.
 *
 * @throws UnknownMessageError for a name that is empty.
 *
 * @example
 * ```ts
 * const game = createGame();
 * const Scored = message<{ points: number }>("Scored");
 * let score = 0;
 * game.listenFor(Scored, ({ points }) => { score += points; });
 * game.send(Scored, { points: 10 });
 * score; // → 10
 * ```
 */
export function message<Payload = void>(name: string): Message<Payload> {
  if (typeof name !== "string" || name === "") {
    throw new UnknownMessageError(
      `Cannot describe a message named ${describeValue(name)}. Give it a name that is not empty.`,
      { value: name },
    );
  }
  return { name, isMessage: true };
}

/** Sent in every fixed step. */
export const Tick: Message<TickPayload> = /* @__PURE__ */ message<TickPayload>("Tick");

interface Listening {
  readonly listener: MessageListener<never>;
  /** The entity whose destruction ends it. */
  readonly owner: Entity | undefined;
}

/** Lists are replaced, not changed, so one that is being walked stays as it is. */
export class Messages {
  private readonly world: World;
  private readonly lists = new Map<Message<unknown>, readonly Listening[]>();

  constructor(world: World) {
    this.world = world;
  }

  /** Calls `listener` for every message of that kind. With an owner, until that entity is destroyed. */
  listenFor<Payload>(kind: Message<Payload>, listener: MessageListener<Payload>, owner?: Entity): () => void {
    this.requireMessage(kind, "listen for");
    if (typeof listener !== "function") {
      throw new UnknownMessageError(
        `Cannot listen for ${kind.name} with ${describeValue(listener)}. Give a function.`,
        { subject: kind.name, value: listener },
      );
    }
    if (owner !== undefined) requireAlive(this.world, owner, "listen for a message");
    const listening = { listener: listener as MessageListener<never>, owner };
    this.lists.set(kind, [...(this.lists.get(kind) ?? []), listening]);
    return () => this.drop(kind, listening);
  }

  /** Removes a listener. `false` when it was not registered. */
  unlistenFrom<Payload>(kind: Message<Payload>, listener: MessageListener<Payload>): boolean {
    this.requireMessage(kind, "unlisten from");
    const found = this.lists.get(kind)?.find((listening) => listening.listener === listener);
    if (found === undefined) return false;
    this.drop(kind, found);
    return true;
  }

  /**
   * Sends a message to all listeners, now, in the order in which they were added. One that throws is reported to the
   * world's `onError`; the others still receive the message.
   */
  send<Payload>(kind: Message<Payload>, ...[payload]: PayloadArgument<Payload>): void {
    this.requireMessage(kind, "send");
    const list = this.lists.get(kind);
    if (list === undefined) return;
    for (const listening of list) {
      const { owner } = listening;
      if (owner !== undefined && !this.world.isAlive(owner)) {
        this.drop(kind, listening);
        continue;
      }
      // Removed by an earlier listener of this message.
      if (this.lists.get(kind) !== list && this.lists.get(kind)?.includes(listening) !== true) continue;
      try {
        (listening.listener as MessageListener<Payload>)(payload as Payload);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        this.world.onError(
          new MessageListenerError(`A listener of ${kind.name} threw: ${why}`, { cause, subject: kind.name }),
        );
      }
    }
  }

  /** The number of listeners for messages of that kind. */
  listenerCount(kind: Message<unknown>): number {
    return this.lists.get(kind)?.length ?? 0;
  }

  clear(): void {
    this.lists.clear();
  }

  private drop(kind: Message<unknown>, listening: Listening): void {
    const rest = this.lists.get(kind)?.filter((other) => other !== listening);
    if (rest === undefined || rest.length === 0) this.lists.delete(kind);
    else this.lists.set(kind, rest);
  }

  private requireMessage(kind: Message<unknown>, doing: string): void {
    if (kind?.isMessage === true) return;
    throw new UnknownMessageError(
      `Cannot ${doing} ${describeValue(kind)}: it was never declared. Describe it once with message(name) and share it.`,
      { value: kind },
    );
  }
}
