/**
 * Entities of the client move at once: each input is played here when it is sent, and replayed on top of the server's state. Colyseus
 * keeps the inputs and their acknowledgements; this defines how an input is played in a world.
 */
import type { InputHandle, Room } from "@colyseus/sdk";
import type { Predict, SimReconciler } from "@colyseus/sdk/predict";
import type { Component, Entity, Schema, World } from "espalier";
import type { FieldValues } from "espalier/history";
import type { FieldPlan } from "../field-plans.ts";
import { valuesOf } from "../input-values.ts";
import type { Replication } from "../replicate.ts";
import type { FollowingGame, Incoming } from "./incoming.ts";
import type { Known } from "./known.ts";

/** One predicted step. */
export interface PredictedStep<Game = FollowingGame> {
  /** The game. */
  readonly game: Game;
  /** Its world. */
  readonly world: World;
  /** Seconds. */
  readonly dt: number;
  /** Whether this step was played before, so that effects such as sounds are not repeated. */
  readonly isReplay: boolean;
}

/** A system that moves the entities with the input component; on a client, only its own entities have it. */
export type PredictedSystem<Game = FollowingGame> = (step: PredictedStep<Game>) => void;

type Values = { [field: string]: unknown };

export class Prediction {
  /** Whether anything is predicted; otherwise inputs are only sent. */
  readonly isOn: boolean;
  private readonly net: Replication;
  private readonly game: FollowingGame;
  private readonly incoming: Incoming;
  private readonly handle: InputHandle;
  private readonly own: ReadonlySet<Entity>;
  private readonly systems: readonly PredictedSystem<never>[];
  private readonly sim: SimReconciler | undefined;

  constructor(
    net: Replication,
    room: Room,
    game: FollowingGame,
    predict: Predict,
    incoming: Incoming,
    own: ReadonlySet<Entity>,
    systems: readonly PredictedSystem<never>[],
  ) {
    this.net = net;
    this.game = game;
    this.incoming = incoming;
    this.own = own;
    this.systems = systems;
    this.isOn = systems.length > 0;
    this.handle = room.input({ type: net.Input as never, mode: "reliable" }) as InputHandle;
    this.sim = this.isOn
      ? predict.sim({
          input: this.handle as InputHandle<never>,
          world: {},
          step: ({ dt, isReplay }, _world, command) => this.step(command as Values, dt, isReplay),
          adopt: () => this.adopt(),
        })
      : undefined;
  }

  /** The number of inputs without an acknowledgement. */
  get waiting(): number {
    return this.handle.pendingCount;
  }

  /** Whether the steps of the game and of the server have the same length. */
  keepsPaceWith(stepSeconds: number | undefined): boolean {
    const { stepSeconds: pace } = this.handle;
    return pace === undefined || (stepSeconds !== undefined && Math.abs(stepSeconds - pace) < pace / 100);
  }

  /** Sends an input; Colyseus plays it through `step` in the same call. */
  send(values: { readonly [field: string]: unknown }): void {
    for (const { name, toWire } of this.net.inputPlan) {
      (this.handle.data as Values)[name] = toWire(values[name] as never);
    }
    this.handle.send();
  }

  /** Makes an entity this client's: systems over the input component find it. */
  gain(_known: Known, entity: Entity): void {
    const input = this.net.input as Component<Schema>;
    if (!this.game.world.has(entity, input)) this.game.world.add(entity, input());
  }

  lose(entity: Entity): void {
    if (this.game.world.isAlive(entity)) this.game.world.remove(entity, this.net.input as Component<Schema>);
  }

  close(): void {
    this.sim?.dispose();
  }

  private step(command: Values, dt: number, isReplay: boolean): void {
    const { world } = this.game;
    const input = this.net.input as Component<Schema>;
    const values = valuesOf(this.net.inputPlan, command);
    for (const entity of this.own) {
      if (world.isAlive(entity) && world.has(entity, input)) world.set(entity, input, values as never);
    }
    const step = { game: this.game as never, world, dt, isReplay };
    for (const system of this.systems) system(step);
  }

  /** Takes over the server's values for the entities of this client. */
  private adopt(): void {
    const { world } = this.game;
    for (const entity of this.own) {
      const known = this.incoming.known.get(this.incoming.ids.keyOf(entity) as number);
      if (known === undefined || !world.isAlive(entity)) continue;
      this.net.components.forEach((component, k) => {
        const state = known.components[k];
        if (typeof state !== "object" || !world.has(entity, component)) return;
        world.set(entity, component as unknown as Component<Schema>, this.valuesOf(state, k) as never);
      });
    }
  }

  private valuesOf(state: NonNullable<Known["components"][number]>, k: number): FieldValues {
    const values = this.incoming.valuesOf(state as never, k, isAdopted) as {
      [field: string]: FieldValues[string];
    };
    for (const { name, field } of this.net.plans[k]?.fields ?? []) {
      const value = values[name];
      if (typeof value === "number" && field.type.valueKind === "entity") {
        values[name] = this.incoming.ids.entityOf(value) ?? null;
      } else if (typeof value === "string" && field.type.valueKind === "number") values[name] = Number(value);
    }
    return values;
  }
}

/**
 * Whether a field of a predicted entity comes with acknowledgements. Lists and objects come with patches, because they are not
 * predicted.
 */
export function isAdopted({ field }: FieldPlan): boolean {
  return field.type.valueKind !== "entities" && field.type.valueKind !== "object";
}
