/**
 * The worker's side: a world whose changes are sent to a page, and that receives the page's input.
 */
import type { World } from "../ecs/index.ts";
import { type ChangeBatch, type ChangeStream, ChangesLostError, followChanges } from "../history/index.ts";
import { HEAD_BYTES } from "./block.ts";
import { type Contract, contractOf, type SharedState, sharedOptions } from "./contract.ts";
import { InvalidWorkerError } from "./errors.ts";
import { bytesOf, takeHotRows, writeSections } from "./hot-rows.ts";
import {
  type BlockMemory,
  type HostMessage,
  isOurs,
  type JoinMessage,
  type PageMessage,
  PROTOCOL,
} from "./messages.ts";
import { listenTo, ownPort, type PortLike } from "./port.ts";
import { type Slots, sharedSlots, transferredSlots } from "./slots.ts";

/** Options of `hostWorld`. */
export interface HostOptions extends SharedState {
  /** The port to the page. That of the worker itself if left out; in a worker of Node pass `parentPort`. */
  readonly port?: PortLike;
  /** Receives the events of the page, in order. Its errors go to `world.onError`. */
  readonly onInput?: (event: unknown) => void;
  /** How many bytes of changes are kept for a page that is behind, before it gets a snapshot: 64 MiB if left out. */
  readonly maxBytes?: number;
}

/** The outcome of `publish()`. */
export type Published = "sent" | "unchanged" | "behind" | "waiting" | "closed";

/**
 * Sends a world to the page that mirrors it. Nothing is recorded before a page joins.
 *
 * @throws InvalidWorkerError for an invalid port or space; errors of components, as `createChangeFormat` throws them.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const { port1, port2 } = new MessageChannel();
 * const host = hostWorld(world, { components: [Health], trees: [tree], port: port1 });
 * host.publish(); // → "waiting"
 * host.close();
 * port2.close();
 * ```
 */
export function hostWorld(world: World, options: HostOptions): WorldHost {
  const doing = "host a world";
  const contract = contractOf(world, options, doing, {
    ...sharedOptions,
    onInput: "function",
    maxBytes: "number",
  });
  const port = options.port ?? ownPort();
  if (port === undefined) {
    throw new InvalidWorkerError(
      `Cannot ${doing}: this is not a worker of a page, so it has no port to one. Pass port: the MessagePort to the page, or parentPort in Node.`,
      { option: "port" },
    );
  }
  return new WorldHost(world, contract, port, options);
}

/** A world that is sent to a page. Made by `hostWorld`. */
export class WorldHost {
  /** The world that is sent. */
  readonly world: World;
  /** The number of sent ticks. */
  tick = 0;
  private readonly contract: Contract;
  private readonly port: PortLike;
  private readonly options: HostOptions;
  private readonly stopListening: () => void;
  private session: string | undefined = undefined;
  private stream: ChangeStream | undefined = undefined;
  private slots: Slots | undefined = undefined;
  private isBehind = false;
  private isClosed = false;

  /** @internal Use `hostWorld`. */
  constructor(world: World, contract: Contract, port: PortLike, options: HostOptions) {
    this.world = world;
    this.contract = contract;
    this.port = port;
    this.options = options;
    this.stopListening = listenTo(port, "host a world", {
      message: (data) => {
        if (isOurs(data)) this.guarded(() => this.receive(data as PageMessage));
      },
      failed: (error) => {
        // A closed page needs nothing any more.
        if (error.reason === "ended") this.leave();
        else world.onError(error);
      },
    });
    // A page that asked before this side listened must ask again.
    this.post({ espalier: PROTOCOL, session: "", type: "hello" });
  }

  /** `waiting` for a page, `live` with one, or `closed`. */
  get status(): "waiting" | "live" | "closed" {
    if (this.isClosed) return "closed";
    return this.session === undefined ? "waiting" : "live";
  }

  /** Whether transforms are sent in shared memory; `undefined` before a page has joined. */
  get isShared(): boolean | undefined {
    return this.slots === undefined ? undefined : this.slots.memories.length > 0;
  }

  /**
   * Sends everything that changed since the last time: call it at the end of each tick. It never waits. `behind`: the page has not applied
   * the last ticks yet; these changes are sent with the next ones, or as soon as the page has caught up.
   */
  publish(): Published {
    const { session, stream, slots } = this;
    if (this.isClosed) return "closed";
    if (session === undefined || stream === undefined || slots === undefined) return "waiting";
    const slot = slots.claim();
    this.isBehind = slot === undefined;
    if (slot === undefined) return "behind";
    let batch: ChangeBatch;
    try {
      batch = stream.read();
    } catch (error) {
      slots.unclaim(slot);
      if (!(error instanceof ChangesLostError)) throw error;
      this.sendSnapshot();
      return "sent";
    }
    if (batch.from === batch.to) {
      slots.unclaim(slot);
      return "unchanged";
    }
    try {
      this.sendChanges(session, slots, slot, batch);
    } catch (error) {
      // A value that cannot be cloned. The page finds the gap at the next tick and asks for a snapshot.
      slots.unclaim(slot);
      throw error;
    }
    return "sent";
  }

  /** Closes it: notifies the page, and stops recording. */
  close(): void {
    if (this.isClosed) return;
    if (this.session !== undefined) this.post({ espalier: PROTOCOL, session: this.session, type: "closed" });
    this.leave();
    this.isClosed = true;
    this.stopListening();
  }

  private sendChanges(session: string, slots: Slots, slot: number, batch: ChangeBatch): void {
    const { rest, hot } = takeHotRows(batch.patch, this.contract.spaces);
    const message = {
      espalier: PROTOCOL,
      session,
      type: "tick",
      tick: ++this.tick,
      batch: { ...batch, patch: rest },
      slot,
      sections: hot.length,
    } as const;
    if (hot.length === 0) {
      this.post(message);
      return;
    }
    const { memory, isSent } = slots.memory(slot, bytesOf(hot));
    writeSections(memory, HEAD_BYTES, hot);
    this.post(isSent ? { ...message, memory } : message, memory);
  }

  private sendSnapshot(): void {
    const { session, stream, slots } = this;
    if (session === undefined || stream === undefined || slots === undefined) return;
    const { memories } = slots;
    try {
      const batch = stream.snapshot();
      stream.forget(batch.to);
      this.post({ espalier: PROTOCOL, session, type: "snapshot", tick: ++this.tick, batch, memories });
    } catch (error) {
      // A value that cannot be written or cloned: the page would wait for ever.
      this.post({ espalier: PROTOCOL, session, type: "closed" });
      this.leave();
      throw error;
    }
  }

  private receive(message: PageMessage): void {
    if (message.type === "join") {
      this.join(message);
      return;
    }
    // Ignores messages of an earlier mirror of the same page.
    if (message.session !== this.session) return;
    switch (message.type) {
      case "resync":
        this.sendSnapshot();
        break;
      case "done":
        this.slots?.release(message.slot, message.memory);
        if (this.isBehind) this.publish();
        break;
      case "leave":
        this.leave();
        break;
      case "input":
        for (const event of message.events) this.guarded(() => this.options.onInput?.(event));
    }
  }

  private join({ espalier, session, hash, contract, shared }: JoinMessage): void {
    if (session === this.session) return;
    const { hash: own, lines, trees, components, codecs, shares } = this.contract;
    if (espalier !== PROTOCOL || hash !== own) {
      this.post({
        espalier: PROTOCOL,
        session,
        type: "refused",
        contract: contract === undefined ? [] : lines,
      });
      return;
    }
    this.leave();
    const names = new Set(components.map(({ name }) => name));
    const { maxBytes } = this.options;
    this.stream = followChanges(this.world, {
      trees,
      components: (name) => names.has(name),
      ...(codecs && { codecs }),
      ...(maxBytes !== undefined && { maxBytes }),
    });
    this.slots = shared && shares ? sharedSlots() : transferredSlots();
    this.session = session;
    this.sendSnapshot();
  }

  /** Messages come from the event loop, so no caller could catch their errors. */
  private guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.world.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private leave(): void {
    this.stream?.close();
    this.stream = undefined;
    this.slots = undefined;
    this.session = undefined;
    this.isBehind = false;
  }

  private post(message: HostMessage, memory?: BlockMemory): void {
    this.port.postMessage(message, memory instanceof ArrayBuffer ? [memory] : []);
  }
}
