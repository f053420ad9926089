/**
 * The page's side: a world that mirrors the world of a worker, and sends input to it.
 */
import type { Entity, EntityLike, World } from "../ecs/index.ts";
import {
  type ChangeBatch,
  createFollower,
  type Follower,
  type Received,
  type Violation,
} from "../history/index.ts";
import { sectionsOf } from "./block.ts";
import { type Contract, contractOf, mismatch, type SharedState, sharedOptions } from "./contract.ts";
import { InvalidWorkerError, type WorkerError, WorkerFailedError } from "./errors.ts";
import {
  type BlockMemory,
  type HostMessage,
  isOurs,
  type PageMessage,
  PROTOCOL,
  type TickMessage,
} from "./messages.ts";
import { MirrorRows } from "./mirror-rows.ts";
import { listenTo, type PortLike } from "./port.ts";
import { freeShared } from "./slots.ts";

/** An applied tick of a mirror. */
export interface MirrorTick {
  /** The number of the tick in the worker. */
  readonly tick: number;
  /** Whether it was a snapshot: the first time, and after data was lost. */
  readonly isSnapshot: boolean;
  /** The entities that were added: handles in the worker with the entities here. */
  readonly added: ReadonlyMap<Entity, Entity>;
  /** The number of transforms received as blocks. */
  readonly moved: number;
  /** Violations of rules of this world. */
  readonly violations: readonly Violation[];
}

/** Options of `mirrorWorld`. */
export interface MirrorOptions extends SharedState {
  /** The worker, or a port to it. */
  readonly port: PortLike;
  /** Called when a tick of the worker's world was applied. */
  readonly onTick?: (tick: MirrorTick) => void;
  /** Receives errors: a worker that throws or ends, a mismatch. `world.onError` if left out. */
  readonly onError?: (error: WorkerError) => void;
}

/**
 * Makes a world on the page mirror the world of a worker. Changes are applied when they arrive; the world may have entities of
 * its own, even below
 * mirrored ones. Do not edit mirrored entities: send input instead.
 *
 * @throws InvalidWorkerError for an invalid port or space.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const shared = [Health];
 * const { port1, port2 } = new MessageChannel();
 * const host = hostWorld(world, { components: shared, port: port1 });
 * const tank = world.spawn(Health({ hp: 40 }));
 *
 * const page = createWorld();
 * const mirror = mirrorWorld(page, { components: shared, port: port2 });
 * await mirror.ready;
 * page.get(mirror.entityOf(tank)!, Health); // → { hp: 40 }
 * mirror.close();
 * host.close();
 * port1.close();
 * ```
 */
export function mirrorWorld(world: World, options: MirrorOptions): WorldMirror {
  const contract = contractOf(world, options, "mirror a world", {
    ...sharedOptions,
    onTick: "function",
    onError: "function",
  });
  return new WorldMirror(world, contract, options);
}

/** A world that mirrors the world of a worker. Created by `mirrorWorld`. */
export class WorldMirror {
  /** The mirroring world. */
  readonly world: World;
  /** Resolves when the first snapshot was applied; rejects if that is impossible. */
  readonly ready: Promise<void>;
  /** The number of the last applied tick. */
  tick = 0;
  /** `joining` until the first snapshot, then `live`; `failed` after a mismatch or the end of the worker. */
  status: "joining" | "live" | "failed" | "closed" = "joining";
  /** Whether transforms come in shared memory; `undefined` before the first snapshot. */
  isShared: boolean | undefined = undefined;
  private readonly options: MirrorOptions;
  private readonly contract: Contract;
  private readonly follower: Follower;
  private readonly rows: readonly MirrorRows[];
  private readonly session = Math.random().toString(36).slice(2);
  private readonly stopListening: () => void;
  private memories: BlockMemory[] = [];
  /** Batches cannot be applied until a snapshot has arrived. */
  private isLost = true;
  private settle: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };

  /** @internal Use `mirrorWorld`. */
  constructor(world: World, contract: Contract, options: MirrorOptions) {
    const { components, trees, codecs, spaces } = contract;
    this.world = world;
    this.contract = contract;
    this.options = options;
    this.follower = createFollower(world, { components, trees, ...(codecs && { codecs }) });
    this.rows = spaces.map((space) => new MirrorRows(world, space, this.follower.ids));
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // `onError` receives it too, so a page that does not await `ready` has no unhandled rejection.
    this.ready.catch(() => {});
    this.stopListening = listenTo(options.port, "mirror a world", {
      message: (data) => {
        if (isOurs(data)) this.receive(data as HostMessage);
      },
      // A worker of a browser continues after an uncaught error.
      failed: (error) => this.fail(error, error.reason === "ended" || this.status === "joining"),
    });
    this.join();
  }

  /** The local entity of an entity of the worker. */
  entityOf(id: Entity): Entity | undefined {
    return this.follower.ids.entityOf(id);
  }

  /** The handle that a mirrored entity has in the worker: for input about it. `undefined` for entities of the page. */
  idOf(entity: EntityLike): Entity | undefined {
    return this.follower.ids.keyOf(entity) as Entity | undefined;
  }

  /**
   * Sends input to the worker: events for `game.input.feed`, or for its `onInput`. Must survive structured cloning.
   * @throws InvalidWorkerError when the mirror was closed or has failed.
   */
  send(...events: readonly unknown[]): void {
    if (this.status === "closed" || this.status === "failed") {
      throw new InvalidWorkerError(
        `Cannot send input: the mirror ${this.status === "closed" ? "was closed" : "has failed"}. Create a new mirror.`,
        { subject: this.status },
      );
    }
    this.post({ espalier: PROTOCOL, session: this.session, type: "input", events });
  }

  /** Closes it. Mirrored entities stay in the world, and the worker continues. */
  close(): void {
    if (this.status === "closed") return;
    if (this.status !== "failed") this.post({ espalier: PROTOCOL, session: this.session, type: "leave" });
    this.status = "closed";
    this.stopListening();
    this.settle.reject(new InvalidWorkerError("The mirror was closed before the worker answered."));
  }

  private join(): void {
    const { hash, lines, shares } = this.contract;
    const { session } = this;
    this.post({ espalier: PROTOCOL, session, type: "join", hash, contract: lines, shared: shares });
  }

  private receive(message: HostMessage): void {
    if (message.type === "hello") {
      // Also for a worker that restarted behind the same port, which knows no session.
      if (this.status === "joining" || this.status === "live") this.join();
      return;
    }
    if (message.session !== this.session || this.status === "failed") return;
    switch (message.type) {
      case "refused":
        this.fail(mismatch(this.contract.lines, message.contract), true);
        break;
      case "closed":
        this.fail(new WorkerFailedError("The worker closed the world.", { reason: "ended" }), true);
        break;
      case "snapshot": {
        this.memories = [...message.memories];
        this.isShared = message.memories.length > 0;
        let done: Received;
        try {
          done = this.follower.receive(message.batch);
        } catch (cause) {
          this.fail(
            new WorkerFailedError("A snapshot of the worker could not be applied.", {
              reason: "unreadable",
              cause,
            }),
            true,
          );
          return;
        }
        this.isLost = false;
        this.status = "live";
        this.settle.resolve();
        this.took(message.tick, true, done, 0);
        break;
      }
      case "tick":
        this.takeIn(message);
    }
  }

  private takeIn({ tick, batch, slot, sections, memory }: TickMessage): void {
    if (memory !== undefined) this.memories[slot] = memory;
    let done: Received | undefined;
    let moved = 0;
    try {
      if (!this.isLost) done = this.follow(batch);
      if (done?.status === "applied") {
        // New entities first, so that all entities in the block exist.
        for (const section of sectionsOf(this.memories[slot] as BlockMemory, sections)) {
          this.rows[section.space]?.write(section);
          moved += section.ids.length;
        }
      }
    } catch {
      // A mirrored entity was edited here. A snapshot restores it with minimal changes.
      done = undefined;
    } finally {
      this.free(slot);
    }
    if (done?.status === "applied") this.took(tick, false, done, moved);
    else if (!this.isLost) {
      this.isLost = true;
      this.post({ espalier: PROTOCOL, session: this.session, type: "resync" });
    }
  }

  private follow(batch: ChangeBatch): Received {
    const { follower } = this;
    const { epoch, from, to, patch } = batch;
    if (patch.length > 0 || follower.epoch !== epoch || follower.position !== from)
      return follower.receive(batch);
    // Only transforms changed. A follower would open a transaction for nothing: 0.1 ms.
    follower.position = to;
    return { status: "applied", position: to, added: new Map(), violations: [] };
  }

  private took(tick: number, isSnapshot: boolean, { added, violations }: Received, moved: number): void {
    this.tick = tick;
    this.options.onTick?.({
      tick,
      isSnapshot,
      added: added as ReadonlyMap<Entity, Entity>,
      moved,
      violations,
    });
  }

  private free(slot: number): void {
    const memory = this.memories[slot];
    const { session } = this;
    const message = { espalier: PROTOCOL, session, type: "done", slot } as const;
    if (this.isShared === true) {
      if (freeShared(memory as SharedArrayBuffer)) this.post(message);
      return;
    }
    this.memories[slot] = undefined as never;
    if (memory === undefined) this.post(message);
    else this.post({ ...message, memory }, memory);
  }

  private fail(error: WorkerError, isFinal: boolean): void {
    if (this.status === "closed" || this.status === "failed") return;
    if (isFinal) {
      this.status = "failed";
      this.settle.reject(error);
    }
    (this.options.onError ?? this.world.onError)(error);
  }

  private post(message: PageMessage, memory?: BlockMemory): void {
    this.options.port.postMessage(message, memory instanceof ArrayBuffer ? [memory] : []);
  }
}
