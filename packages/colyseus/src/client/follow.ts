/**
 * A game that follows a room: entities are added and removed as on the server, those of others move with a delay, and those of this client
 * move at once and are corrected.
 */
import type { Room } from "@colyseus/sdk";
import { Predict } from "@colyseus/sdk/predict";
import {
  type AnyComponent,
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  handleOf,
  type Schema,
} from "espalier";
import type { Violation } from "espalier/history";
import { InvalidInputError, InvalidMultiplayerError, ReplicationMismatchError } from "../errors.ts";
import type { FieldPlan } from "../field-plans.ts";
import type { InputData, Replication } from "../replicate.ts";
import { type Applied, type FollowingGame, Incoming } from "./incoming.ts";
import { Interpolation, isSmooth } from "./interpolation.ts";
import type { Known } from "./known.ts";
import { isAdopted, type PredictedSystem, Prediction } from "./prediction.ts";

/** The game that follows, as created by `createGame`; a world with a hierarchy is enough for those who call `update` themselves. */
export interface FollowedGame extends FollowingGame {
  /** Seconds per step. */
  readonly stepSeconds?: number;
  /** Adds a system to each step. */
  system?(options: { readonly name: string; readonly phase: string; readonly run: () => void }): unknown;
  /** Removes the system. */
  readonly schedule?: { remove(name: string): void };
}

/**
 * `joining` until the first state, then `live`; `lost` while the connection is cut; `closed` at the end; `failed` when the
 * server sends something incompatible.
 */
export type FollowStatus = "joining" | "live" | "lost" | "closed" | "failed";

/** Options of `follow`. */
export interface FollowOptions<Game extends FollowedGame = FollowedGame> {
  /** The delay in milliseconds with which others are shown: 100 if left out, 0 for none. */
  readonly interpolate?: number;
  /** A value that jumps by more than this is not interpolated: a teleport. In units of the field; there are no teleports if left out. */
  readonly snap?: number;
  /** The systems that move the entities of this client at once, which the server runs too. Nothing is predicted if left out. */
  readonly predict?: readonly PredictedSystem<Game>[];
  /** Called for each added entity, with its components: add its drawings here. */
  readonly onAdded?: (entity: Entity, id: number) => void;
  /** Called for each entity that is about to be removed. */
  readonly onRemoved?: (entity: Entity, id: number) => void;
  /**
   * Called when `status` changes. `closed` without `room.leave()`: this client cannot return to its seat, for instance
   * because the seat was not kept long enough. Join again then, and follow the new room.
   */
  readonly onStatus?: (status: FollowStatus) => void;
  /** Called with violations of rules of this world. */
  readonly onViolations?: (violations: readonly Violation[]) => void;
  /** Receives errors while patches are applied; `world.onError` if left out. */
  readonly onError?: (error: Error) => void;
}

const optionKinds = {
  interpolate: "anything",
  snap: "anything",
  predict: "anything",
  onAdded: "function",
  onRemoved: "function",
  onStatus: "function",
  onViolations: "function",
  onError: "function",
} as const;

/**
 * Makes a game follow a room. The game may have entities of its own, even below those of the server; do not edit the latter: send input.
 *
 * @throws InvalidMultiplayerError, InvalidOptionError
 */
export function follow<Input extends Schema, Game extends FollowedGame>(
  net: Replication<Input>,
  room: Room,
  game: Game,
  options: FollowOptions<Game> = {},
): FollowedRoom<Input> {
  checkOptions(true, "follow a room", options, optionKinds);
  if (typeof Object(game).world?.spawn !== "function" || typeof game.tree?.childrenOf !== "function") {
    throw new InvalidMultiplayerError(
      `Cannot follow a room: expected a game, or { world, tree }, got ${describeValue(game)}.`,
      { option: "game", value: game },
    );
  }
  if (typeof Object(room).sessionId !== "string" || typeof room.onStateChange !== "function") {
    throw new InvalidMultiplayerError(
      `Cannot follow a room: expected what joinOrCreate() resolves to, got ${describeValue(room)}.`,
      { option: "room", value: room },
    );
  }
  const { interpolate = 100, predict = [] } = options;
  if (!Number.isFinite(interpolate) || interpolate < 0) {
    throw new InvalidMultiplayerError(
      `Cannot follow a room: interpolate is a number of milliseconds from 0 on, got ${describeValue(interpolate)}.`,
      { option: "interpolate", value: interpolate },
    );
  }
  if (predict.length > 0 && net.input === undefined) {
    throw new InvalidMultiplayerError(
      "Cannot predict: the replication has no input. Give one: replicate({ components, input }).",
      { option: "predict" },
    );
  }
  return new FollowedRoom<Input>(net, room, game, options as FollowOptions);
}

/** A game that follows a room. Created by `follow`. */
export class FollowedRoom<Input extends Schema = Schema> {
  /** Resolves when the first state of the server was applied; rejects if that is impossible. */
  readonly ready: Promise<void>;
  /** The current status. */
  status: FollowStatus = "joining";
  /** The code of Colyseus with which the connection ended: 4000 after `room.leave()`. */
  closeCode: number | undefined = undefined;
  /**
   * The input of this client: written by the game, sent with every step. `undefined` if the replication has no input. An invalid
   * value is refused when it is written, with `InvalidInputError`.
   */
  readonly input: InputData<Input>;
  private readonly net: Replication;
  private readonly room: Room;
  private readonly game: FollowedGame;
  private readonly options: FollowOptions;
  /** A failed room is also closed when the connection ends. */
  private isEnded = false;
  private readonly system: string;
  private readonly incoming: Incoming;
  private readonly predict: Predict;
  private readonly interpolation: Interpolation | undefined;
  private readonly prediction: Prediction | undefined;
  private readonly own = new Set<Entity>();
  private readonly sent: ((state: unknown) => void)[] = [];
  private settle: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };

  /** @internal Use `follow`. */
  constructor(net: Replication<Input>, room: Room, game: FollowedGame, options: FollowOptions) {
    const shared = net as unknown as Replication;
    this.net = shared;
    this.room = room;
    this.game = game;
    this.options = options;
    const { interpolate = 100, snap = 0, predict = [] } = options;
    this.ready = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // `onError` receives it too, so a page that does not await `ready` has no unhandled rejection.
    this.ready.catch(() => {});
    // First, so that it is refused when this game already follows the room.
    this.system = `follow room ${room.roomId}`;
    game.system?.({ name: this.system, phase: "early", run: () => this.update() });
    this.incoming = new Incoming(shared, room as never, game);
    this.predict = Predict.get(room, { mode: "lerp", delay: interpolate });
    this.interpolation =
      interpolate > 0
        ? new Interpolation(shared, game.world, this.predict, this.incoming, { delay: interpolate, snap })
        : undefined;
    this.input = initialInput(shared) as InputData<Input>;
    this.prediction =
      net.input === undefined
        ? undefined
        : new Prediction(shared, room, game, this.predict, this.incoming, this.own, predict);
    const changed = () => this.receive();
    room.onStateChange(changed);
    this.sent.push(changed);
    room.onDrop(() => this.turn("lost"));
    room.onReconnect(() => this.turn("live"));
    room.onLeave((code) => {
      if (!this.isEnded) this.closeCode = code;
      this.close();
    });
    if (room.state !== undefined) this.receive();
  }

  /** The local entity of an entity of the server. */
  entityOf(id: number): Entity | undefined {
    return this.incoming.ids.entityOf(id);
  }

  /** The id of an entity, the same for every client: its handle on the server. `undefined` for an entity of this client. */
  idOf(entity: EntityLike): number | undefined {
    return this.incoming.ids.keyOf(handleOf(this.game.world, entity)) as number | undefined;
  }

  /** The session that owns an entity; `undefined` when none does. */
  ownerOf(entity: EntityLike): string | undefined {
    const id = this.idOf(entity);
    return (id === undefined ? undefined : this.incoming.known.get(id)?.owner) || undefined;
  }

  /** The entities that this client owns. */
  get owned(): ReadonlySet<Entity> {
    return this.own;
  }

  /** The number of sent inputs that are not part of the state yet. */
  get waitingInputs(): number {
    return this.prediction?.waiting ?? 0;
  }

  /**
   * One step: sends the input, predicts it, and moves interpolated entities. The game calls it; call it yourself if there is
   * only a world.
   */
  update(now: number = performance.now()): void {
    if (this.status === "closed" || this.status === "failed" || this.status === "joining") return;
    const due = this.predict.tick(now);
    const { prediction, room, game } = this;
    if (prediction !== undefined && this.status === "live" && room.connection?.isOpen) {
      // A game with the server's step length sends one input per step; others as many as are due.
      const count = prediction.keepsPaceWith(game.stepSeconds) ? 1 : due;
      for (let k = 0; k < count; k++) prediction.send(this.input as { readonly [field: string]: unknown });
    }
    this.interpolation?.write();
  }

  /** Stops following. Received entities stay in the world; leave the room with `room.leave()`. */
  close(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const wasJoining = this.status === "joining";
    if (this.status !== "failed") this.become("closed");
    this.game.schedule?.remove(this.system);
    for (const listener of this.sent) this.room.onStateChange.remove(listener);
    this.incoming.close();
    this.prediction?.close();
    this.predict.dispose();
    if (wasJoining) {
      this.settle.reject(new InvalidMultiplayerError("The room was left before its state came.", {}));
    }
  }

  private turn(status: "live" | "lost"): void {
    if (this.status === "live" || this.status === "lost") this.become(status);
  }

  private become(status: FollowStatus): void {
    if (this.status === status) return;
    this.status = status;
    this.attempt(() => this.options.onStatus?.(status));
  }

  private receive(): void {
    if (this.status === "closed" || this.status === "failed") return;
    // Without entities if this client sees none yet.
    const state = this.room.state as { hash?: number } | undefined;
    if (state?.hash === undefined || state.hash === 0) return;
    if (this.status === "joining") {
      if (state.hash !== this.net.hash) {
        this.fail(
          new ReplicationMismatchError(
            "Cannot follow the room: its server replicates something else. Import one replicate() on both sides, and reload page and server together.",
            { here: this.net.lines, there: [] },
          ),
        );
        return;
      }
    }
    try {
      this.take(this.incoming.apply(this.isElsewhere, this.leaving));
    } catch (error) {
      this.report(error);
    }
    if (this.status !== "joining") return;
    this.become("live");
    this.settle.resolve();
  }

  private take({ added, removed, given, violations }: Applied): void {
    const { incoming, interpolation, options, room } = this;
    for (const known of removed) interpolation?.forget(known);
    if (removed.length > 0) {
      for (const entity of this.own) if (!this.game.world.isAlive(entity)) this.own.delete(entity);
    }
    for (const known of given) {
      const entity = incoming.entityOf(known);
      if (entity === undefined) continue;
      if (known.owner === room.sessionId) {
        this.own.add(entity);
        this.prediction?.gain(known, entity);
        if (this.prediction?.isOn) interpolation?.forget(known);
      } else if (this.own.delete(entity)) this.prediction?.lose(entity);
    }
    for (const known of added) {
      const entity = incoming.entityOf(known);
      if (entity !== undefined) this.attempt(() => options.onAdded?.(entity, known.key));
    }
    interpolation?.attach(this.isPredicted);
    if (violations.length > 0) this.attempt(() => options.onViolations?.(violations));
  }

  private readonly leaving = (entity: Entity, id: number): void =>
    this.attempt(() => this.options.onRemoved?.(entity, id));

  /** Errors of functions of the game are reported; the patch is applied anyway. */
  private attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.report(error);
    }
  }

  /** Fields that patches do not write: predicted ones, which come with acknowledgements, and interpolated ones. */
  private readonly isElsewhere = (known: Known, field: FieldPlan): boolean => {
    if (this.isPredicted(known)) return this.waitingInputs > 0 && isAdopted(field);
    return this.interpolation !== undefined && isSmooth(field);
  };

  private readonly isPredicted = ({ owner }: Known): boolean =>
    owner === this.room.sessionId && this.prediction?.isOn === true;

  private fail(error: Error): void {
    this.become("failed");
    this.settle.reject(error);
    this.report(error);
    this.close();
  }

  private report(error: unknown): void {
    const given = error instanceof Error ? error : new Error(String(error));
    (this.options.onError ?? this.game.world.onError)(given);
  }
}

/** The initial input, before the game has written it. */
function initialInput({ input, inputPlan }: Replication): object | undefined {
  if (input === undefined) return undefined;
  const values: { [field: string]: unknown } = {};
  for (const { name, field } of inputPlan) {
    values[name] = typeof field.initial === "function" ? field.initial() : field.initial;
  }
  return new Proxy(Object.seal(values), {
    set(target, name, value) {
      const plan = inputPlan.find((each) => each.name === name);
      const misfit = plan?.field.type.misfit(plan.field, value);
      if (plan === undefined || misfit !== undefined) {
        throw new InvalidInputError(
          `Cannot set the input ${(input as AnyComponent).name}.${String(name)} to ${describeValue(value)}: ${plan === undefined ? `it has ${inputPlan.map((each) => each.name).join(", ")}` : `it takes ${plan.field.type.takes}`}.`,
          { component: (input as AnyComponent).name, field: String(name), value },
        );
      }
      target[name as string] = value;
      return true;
    },
  });
}
