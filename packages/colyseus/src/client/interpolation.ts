/**
 * Shows entities of others with a delay, so that values can be interpolated between two known states. Colyseus keeps the samples; this
 * writes them into the world.
 */
import type { Predict } from "@colyseus/sdk/predict";
import type { Component, Schema, World } from "espalier";
import { isQuantized } from "../encodings.ts";
import type { FieldPlan } from "../field-plans.ts";
import type { Replication } from "../replicate.ts";
import type { ComponentState } from "../state-classes.ts";
import type { Incoming } from "./incoming.ts";
import type { Known } from "./known.ts";

/** One component of one entity. */
interface Track {
  readonly known: Known;
  readonly k: number;
  readonly state: ComponentState;
  /** The last written values, by field: unchanged ones are not written again. */
  last: { readonly [field: string]: number };
}

export class Interpolation {
  private readonly net: Replication;
  private readonly world: World;
  private readonly predict: Predict;
  private readonly incoming: Incoming;
  /** By component: the fields that are interpolated. */
  private readonly fields: readonly (readonly string[])[];
  private readonly configs: readonly object[];
  private readonly tracks = new Map<ComponentState, Track>();

  constructor(
    net: Replication,
    world: World,
    predict: Predict,
    incoming: Incoming,
    { delay, snap }: { readonly delay: number; readonly snap: number },
  ) {
    this.net = net;
    this.world = world;
    this.predict = predict;
    this.incoming = incoming;
    const smooth = net.plans.map(({ fields }) => fields.filter(isSmooth));
    this.fields = smooth.map((plans) => plans.map(({ name }) => name));
    this.configs = smooth.map((plans) =>
      Object.fromEntries(
        plans.map(({ name, encoding }) => {
          const isAngle = isQuantized(encoding) && encoding.mode === "wrap";
          return [name, { mode: "lerp", delay, ...(isAngle ? { angle: true } : { snap }) }];
        }),
      ),
    );
  }

  /** Attaches new entities. */
  attach(isPredicted: (known: Known) => boolean): void {
    for (const known of this.incoming.known.values()) {
      if (isPredicted(known)) continue;
      for (let k = 0; k < this.fields.length; k++) {
        const state = known.components[k];
        if ((this.fields[k] as readonly string[]).length === 0) continue;
        if (typeof state !== "object" || this.tracks.has(state)) continue;
        this.predict.attach(state, this.configs[k] as never);
        this.tracks.set(state, { known, k, state, last: {} });
      }
    }
  }

  forget(known: Known): void {
    for (const state of known.components) {
      if (typeof state !== "object" || !this.tracks.delete(state)) continue;
      this.predict.detach(state);
    }
  }

  /** Writes the current values. */
  write(): void {
    for (const [state, track] of this.tracks) {
      const { known, k } = track;
      const entity = this.incoming.entityOf(known);
      if (known.components[k] !== state) {
        this.predict.detach(state);
        this.tracks.delete(state);
      } else if (entity !== undefined) {
        const component = this.net.components[k] as unknown as Component<Schema>;
        const fields = this.fields[k] as readonly string[];
        const values = this.predict.read(state, fields as readonly never[]) as Track["last"];
        if (fields.every((name) => values[name] === track.last[name])) continue;
        if (!this.world.has(entity, component)) continue;
        this.world.set(entity, component, values as never);
        track.last = { ...values };
      }
    }
  }
}

/** Whether values between two states of a field make sense. */
export function isSmooth({ encoding }: FieldPlan): boolean {
  return isQuantized(encoding) && encoding.smooth;
}
