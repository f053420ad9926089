/**
 * A room that runs a world: a headless game at a fixed rate, the inputs of its clients, and what each of them sees.
 */
import { type Client, RoomPlugin, ServerError } from "@colyseus/core";
import { StateView } from "@colyseus/schema";
import {
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  handleOf,
  type Query,
  type Schema,
} from "espalier";
import { InvalidMultiplayerError } from "../errors.ts";
import { MISMATCH } from "../join-options.ts";
import type { Replication } from "../replicate.ts";
import { creationError } from "./creation-error.ts";
import { guardFrames } from "./frames.ts";
import { Inputs } from "./inputs.ts";
import { bindHooksLate, requireMethods } from "./late-hooks.ts";
import { Mirror, type MirroredGame } from "./mirror.ts";
import { type Sight, Sights, type Viewer } from "./sights.ts";
import { dropSlow } from "./slow-clients.ts";

/** What a room needs from a game, such as one of `createGame`. */
export interface HostedGame extends MirroredGame {
  /** Seconds per step. */
  readonly stepSeconds: number;
  /** Runs steps. */
  step(count?: number): unknown;
  /** Shuts it down. */
  stop(): void;
}

/** A client that plays. */
export interface Player<Game extends HostedGame = HostedGame> {
  /** The client of Colyseus. */
  readonly client: Client;
  /** Its session; stays the same over a reconnect. */
  readonly sessionId: string;
  /** The options it passed when it joined. They are untrusted: check them. */
  readonly options: unknown;
  /** The game. */
  readonly game: Game;
  /** The entities that it owns. */
  readonly owned: ReadonlySet<Entity>;
}

/** Options of a hosted world. */
export interface WorldOptions<Game extends HostedGame = HostedGame> {
  /** Creates the game of a room from the options of the room. Without a renderer, because there is no screen. */
  readonly game: (options: unknown) => Game | Promise<Game>;
  /** Called when a client has joined: returns the entities that it owns. */
  readonly join?: (player: Player<Game>) => EntityLike | readonly EntityLike[] | undefined;
  /** What happens to the entities of a client that has left for good: destroyed if left out, or as the function decides. */
  readonly leave?: "destroy" | "keep" | ((player: Player<Game>) => void);
  /** What each client sees; everything if left out. */
  readonly see?: Sight;
  /** Which entities are sent at all; all if left out. */
  readonly where?: Query | ((entity: Entity) => boolean);
  /** Steps between two patches: as many as make 20 patches a second if left out. */
  readonly stepsPerPatch?: number;
  /** Seconds for which the seat of a lost client is kept: 20 if left out, 0 for not at all. */
  readonly reconnect?: number;
  /** How many inputs of a client may wait; older ones are dropped. 6 if left out. */
  readonly maxWaitingInputs?: number;
  /** The number of steps without an input after which the input of a client is reset. 10 if left out. */
  readonly idleSteps?: number;
  /** How many bytes may wait for a slow client before its connection is cut; it may reconnect. 1 MiB if left out. */
  readonly maxWaitingBytes?: number;
}

const optionKinds = {
  game: "function",
  join: "function",
  leave: "anything",
  see: "anything",
  where: "anything",
  stepsPerPatch: "anything",
  reconnect: "anything",
  maxWaitingInputs: "anything",
  idleSteps: "anything",
  maxWaitingBytes: "anything",
} as const;

/** How many messages a client may send per second, in addition to one input per step. */
const MESSAGES_BESIDE = 60;

interface Seat<Game extends HostedGame> extends Player<Game> {
  client: Client;
  readonly owned: Set<Entity>;
}

/**
 * The plugin that makes a Colyseus room run a world. `worldRoom` creates a room with it; use it directly in a room of your own, which
 * defines the input first: `inputs = this.defineInput(arena.Input)`.
 */
export class WorldPlugin<Game extends HostedGame = HostedGame> extends RoomPlugin {
  /** The name of the plugin in a room: `room.plugins.world`. */
  override readonly pluginName = "world" as const;
  private readonly net: Replication;
  private readonly settings: WorldOptions<Game>;
  private readonly seats = new Map<string, Seat<Game>>();
  private running: { game: Game; mirror: Mirror; inputs: Inputs; sights: Sights | undefined } | undefined =
    undefined;
  private steps = 0;

  /** @throws InvalidMultiplayerError, InvalidOptionError */
  constructor(net: Replication<Schema>, options: WorldOptions<Game>) {
    super();
    checkOptions(true, "host a world", options, optionKinds);
    for (const name of ["stepsPerPatch", "maxWaitingInputs", "idleSteps", "maxWaitingBytes"] as const) {
      const value = options[name];
      if (value === undefined || (Number.isInteger(value) && value > 0)) continue;
      throw new InvalidMultiplayerError(
        `Cannot host a world: ${name} is a whole number from 1 on, got ${describeValue(value)}.`,
        { option: name, value },
      );
    }
    this.net = net;
    this.settings = options;
  }

  /** The running game. @throws InvalidMultiplayerError before the room was created. */
  get game(): Game {
    return this.now.game;
  }

  /** The playing clients, including lost ones whose seat is kept. */
  get players(): Iterable<Player<Game>> {
    return this.seats.values();
  }

  /** The session that owns an entity. */
  ownerOf(entity: EntityLike): string | undefined {
    const handle = handleOf(this.game.world, entity);
    for (const seat of this.seats.values()) if (seat.owned.has(handle)) return seat.sessionId;
    return undefined;
  }

  /**
   * Gives an entity to a client, which from then on sends its input and predicts it.
   * @throws InvalidMultiplayerError for an unknown session, or an entity that another one owns; DeadEntityError.
   */
  give(entity: EntityLike, sessionId: string): void {
    const { game, mirror } = this.now;
    const handle = handleOf(game.world, entity);
    const seat = this.seats.get(sessionId);
    const owner = this.ownerOf(handle);
    if (seat === undefined || (owner !== undefined && owner !== sessionId)) {
      throw new InvalidMultiplayerError(
        seat === undefined
          ? `Cannot give an entity to ${describeValue(sessionId)}: there is no such client in the room.`
          : `Cannot give an entity to ${sessionId}: ${owner} owns it. Take it first.`,
        { entities: [handle], value: sessionId },
      );
    }
    const { input } = this.net;
    if (input !== undefined && !game.world.has(handle, input)) game.world.add(handle, input());
    else if (!game.world.isAlive(handle)) game.world.touch(handle);
    seat.owned.add(handle);
    mirror.own(handle, sessionId);
  }

  /** Takes an entity from its owner. It stays in the world. */
  take(entity: EntityLike): void {
    const { game, mirror, inputs } = this.now;
    const handle = handleOf(game.world, entity);
    for (const seat of this.seats.values()) if (seat.owned.delete(handle)) inputs.letGo([handle]);
    mirror.own(handle, "");
  }

  /** @internal */
  protected override async onCreate(options: unknown): Promise<void> {
    // A room whose class extends a room class with plugins calls its hooks twice.
    if (this.running !== undefined) return;
    try {
      await this.create(options);
    } catch (error) {
      throw creationError(error);
    }
  }

  private async create(options: unknown): Promise<void> {
    const { room, net, settings } = this;
    bindHooksLate(room);
    requireMethods(room);
    const { see, where, maxWaitingInputs = 6, idleSteps = 10, reconnect = 20 } = settings;
    if (net.input !== undefined && room.inputs === undefined) {
      throw new InvalidMultiplayerError(
        `Cannot host a world: the room takes no input. Write inputs = this.defineInput(net.Input) above its plugins, or use worldRoom().`,
        { component: net.input.name },
      );
    }
    const game = await settings.game(options);
    if (typeof Object(game).step !== "function" || typeof game.tree?.childrenOf !== "function") {
      throw new InvalidMultiplayerError(
        `Cannot host a world: the option game returns a game, got ${describeValue(game)}.`,
        { option: "game", value: game },
      );
    }
    try {
      guardFrames(room, net.inputPlan.length);
      const mirror = new Mirror(net, game, {
        viewed: see !== undefined,
        ...(where !== undefined && { where }),
      });
      const inputs = new Inputs(net, game.world, room.inputs, { maxWaitingInputs, idleSteps });
      this.running = { game, mirror, inputs, sights: see && new Sights(game, mirror, see) };
    } catch (error) {
      game.stop();
      throw error;
    }
    const { mirror } = this.running;
    room.state = mirror.state;
    const rate = 1 / game.stepSeconds;
    if (!Number.isFinite(room.maxMessagesPerSecond)) {
      room.maxMessagesPerSecond = Math.ceil(rate * 2) + MESSAGES_BESIDE;
    }
    const stepsPerPatch = settings.stepsPerPatch ?? Math.max(1, Math.round(rate / PATCHES_PER_SECOND));
    room.setFixedTimestep(() => this.step(stepsPerPatch), rate);
    // Patches are sent right after a step, so that a state and the inputs it acknowledges belong together. Set after the time step: a room
    // without either runs a clock of its own.
    room.patchRate = null;
    if (reconnect > 0) this.keepSeats(reconnect);
  }

  /** @internal */
  protected override onJoin(client: Client, options: unknown): void {
    if (this.seats.has(client.sessionId)) return;
    const hash = (Object(options) as { espalier?: unknown }).espalier;
    if (hash !== undefined && hash !== this.net.hash) {
      throw new ServerError(MISMATCH, JSON.stringify(this.net.lines));
    }
    const { game, sights } = this.now;
    const seat: Seat<Game> = { client, sessionId: client.sessionId, options, game, owned: new Set() };
    this.seats.set(client.sessionId, seat);
    try {
      const owned = this.settings.join?.(seat);
      for (const entity of owned === undefined ? [] : [owned].flat()) {
        this.give(entity as EntityLike, client.sessionId);
      }
      if (sights === undefined) return;
      client.view = new StateView();
      this.now.mirror.read();
      sights.look(seat, client.view);
    } catch (error) {
      // It never really joined: `leave` is not called for it, and entities given to it are removed.
      this.clear(seat, this.settings.leave === "keep");
      throw error;
    }
  }

  /** @internal Called when a client left for good. */
  protected override onLeave(client: Client): void {
    const seat = this.seats.get(client.sessionId);
    if (seat === undefined) return;
    const { leave = "destroy" } = this.settings;
    try {
      if (typeof leave === "function") leave(seat);
    } finally {
      this.clear(seat, leave !== "destroy");
    }
  }

  /** Takes all entities from a seat, and removes the seat. */
  private clear(seat: Seat<Game>, keeps: boolean): void {
    const { game, mirror, inputs, sights } = this.now;
    this.seats.delete(seat.sessionId);
    sights?.forget(seat.sessionId);
    inputs.forget(seat.sessionId);
    seat.client.view?.dispose();
    if (keeps) inputs.letGo(seat.owned);
    for (const entity of seat.owned) {
      mirror.own(entity, "");
      if (!keeps && game.world.isAlive(entity)) game.tree.destroy(entity);
    }
  }

  /** @internal */
  protected override onDispose(): void {
    this.running?.mirror.close();
    this.running?.game.stop();
    this.running = undefined;
  }

  private get now(): NonNullable<typeof this.running> {
    if (this.running !== undefined) return this.running;
    throw new InvalidMultiplayerError(
      "Cannot use a world that no room runs: it was not created yet, or is gone. If onCreate of the room is a class field, write it as a method: the field hides the hook of the plugin.",
    );
  }

  /** Plugins are not called for lost clients, so the hook is set on the room; a room with its own hook keeps it. */
  private keepSeats(seconds: number): void {
    const { room, seats } = this;
    if (room.onDrop === undefined) {
      room.onDrop = (client) => {
        // Rejects when the time is over; `onLeave` follows.
        room.allowReconnection(client, seconds).catch(() => {});
      };
    }
    const own = room.onReconnect?.bind(room);
    room.onReconnect = (client) => {
      const seat = seats.get(client.sessionId);
      if (seat !== undefined) seat.client = client;
      return own?.(client);
    };
  }

  /** A lost client that returns gets the state of its old view, and later changes. */
  private *viewing(): IterableIterator<readonly [Viewer, StateView]> {
    for (const seat of this.seats.values()) {
      const { client } = seat;
      if (client.view !== undefined && this.room.clients.includes(client)) yield [seat, client.view];
    }
  }

  private step(stepsPerPatch: number): void {
    const { game, mirror, inputs, sights } = this.now;
    inputs.apply(this.seats.values());
    game.step();
    if (++this.steps % stepsPerPatch !== 0) return;
    mirror.read();
    for (const seat of this.seats.values()) {
      for (const entity of seat.owned) {
        if (game.world.isAlive(entity)) continue;
        seat.owned.delete(entity);
        mirror.own(entity, "");
      }
    }
    if (sights !== undefined) sights.lookAll(this.viewing());
    dropSlow(this.room.clients, this.settings.maxWaitingBytes ?? MAX_WAITING_BYTES);
    this.room.broadcastPatch();
  }
}

const PATCHES_PER_SECOND = 20;
const MAX_WAITING_BYTES = 1 << 20;
