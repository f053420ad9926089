/**
 * Inputs of clients, written into the entities they own: one per step for each client, however many it sends.
 */
import type { Room } from "@colyseus/core";
import type { Component, Entity, Schema, World } from "espalier";
import { type InputValues, initialValues, valuesOf } from "../input-values.ts";
import type { Replication } from "../replicate.ts";

/** What inputs need from a client. */
interface Seat {
  readonly sessionId: string;
  readonly owned: ReadonlySet<Entity>;
}

/** Limits that keep one client from slowing others, or itself. */
export interface InputLimits {
  readonly maxWaitingInputs: number;
  readonly idleSteps: number;
}

export class Inputs {
  private readonly net: Replication;
  private readonly world: World;
  private readonly source: Room["inputs"];
  private readonly limits: InputLimits;
  /** Steps since the last input, by session. */
  private readonly missed = new Map<string, number>();

  constructor(net: Replication, world: World, source: Room["inputs"], limits: InputLimits) {
    this.net = net;
    this.world = world;
    this.source = source;
    this.limits = limits;
  }

  /** Takes the next input of each client. A missing input repeats the last one, for some steps. */
  apply(seats: Iterable<Seat>): void {
    const { source, net, limits } = this;
    const { input, inputPlan } = net;
    if (source === undefined || input === undefined) return;
    for (const { sessionId, owned } of seats) {
      const channel = source.get(sessionId);
      // One input moves one step, so a client that sends faster gains nothing.
      while (channel.size > limits.maxWaitingInputs) channel.next({ idle: false });
      const frame = channel.next({ idle: false }) as InputValues | undefined;
      const missed = frame === undefined ? (this.missed.get(sessionId) ?? 0) + 1 : 0;
      this.missed.set(sessionId, missed);
      if (frame !== undefined) this.write(owned, input, valuesOf(inputPlan, frame));
      else if (missed === limits.idleSteps) this.letGo(owned);
    }
  }

  /** Resets the input: entities of a lost client must not keep moving. */
  letGo(entities: Iterable<Entity>): void {
    const { input, inputPlan } = this.net;
    if (input !== undefined) this.write(entities, input, initialValues(inputPlan));
  }

  /** The session has left for good. */
  forget(sessionId: string): void {
    this.missed.delete(sessionId);
  }

  private write(owned: Iterable<Entity>, input: Component<Schema>, values: object): void {
    for (const entity of owned) {
      if (this.world.isAlive(entity) && this.world.has(entity, input)) this.world.set(entity, input, values);
    }
  }
}
