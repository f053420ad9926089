/**
 * Kinematic bodies on children: the engine moves them to where the tree places them.
 *
 * A body above them moves in the same step, to a position that only the engine knows. So they are sent to where its velocity will
 * take them, which lets them push bodies in their way, and afterwards are moved exactly to their position in the tree.
 */
import type { Entity } from "../../ecs/index.ts";
import { STATIC } from "../components.ts";
import { type Context, newState } from "../context.ts";
import { type BodyRecord, type BodyRecords, TRANSFORM_WIDTH } from "./body-records.ts";
import type { BodySync } from "./body-sync.ts";

interface Pose {
  x: number;
  y: number;
  rotation: number;
}

export class Followers {
  private readonly context: Context;
  private readonly records: BodyRecords;
  private readonly bodySync: BodySync;
  /** Followers that a body above them carries in this step. */
  private readonly carried: BodyRecord[] = [];
  private readonly state = newState();
  private readonly centre = { x: 0, y: 0 };

  constructor(context: Context, records: BodyRecords, bodySync: BodySync) {
    this.context = context;
    this.records = records;
    this.bodySync = bodySync;
  }

  /** Sends them to where they will be by the end of a step of `dt` seconds. */
  send(dt: number): void {
    const { engine, unitsPerMetre } = this.context;
    this.carried.length = 0;
    for (const record of this.records.followers) {
      if (!record.enabled) continue;
      const { number } = record;
      const { x, y, rotation } = this.goalOf(record, dt);
      if (!this.isSentTo(record, x, y, rotation)) {
        engine.setTarget(number, x / unitsPerMetre, y / unitsPerMetre, rotation, dt);
        this.note(record, x, y, rotation);
        record.still = false;
      } else if (!record.still) {
        // It would continue with the velocity that moved it here.
        engine.setBody(number, { velocityX: 0, velocityY: 0, angularVelocity: 0 });
        engine.setTransform(number, x / unitsPerMetre, y / unitsPerMetre, rotation);
        record.still = true;
      }
    }
  }

  /** Moves carried followers to their current position in the tree. They keep their velocity. */
  arrive(): void {
    const { engine, unitsPerMetre, world } = this.context;
    for (const record of this.carried) {
      // An observer of the step's writes may have destroyed it.
      if (!world.isAlive(record.entity)) continue;
      const { x, y, rotation } = this.bodySync.worldPose(record.entity, true);
      if (this.isSentTo(record, x, y, rotation)) continue;
      engine.setTransform(record.number, x / unitsPerMetre, y / unitsPerMetre, rotation);
      this.note(record, x, y, rotation);
    }
  }

  /** Its position in the world, advanced by the motion of the body that carries it. */
  private goalOf(record: BodyRecord, dt: number): Pose {
    const { context, state, centre } = this;
    const { engine, unitsPerMetre } = context;
    const here = this.bodySync.worldPose(record.entity, true);
    const base = this.carrierOf(record.entity);
    if (base === undefined || base.seen.type === STATIC || !base.enabled) return here;
    if (!engine.isAwake(base.number)) return here;
    this.carried.push(record);
    engine.stateOf(base.number, state);
    engine.centreOf(base.number, centre);
    const turn = state.angularVelocity * dt;
    const cosine = Math.cos(turn);
    const sine = Math.sin(turn);
    const x = here.x / unitsPerMetre - centre.x;
    const y = here.y / unitsPerMetre - centre.y;
    return {
      x: (centre.x + state.velocityX * dt + cosine * x - sine * y) * unitsPerMetre,
      y: (centre.y + state.velocityY * dt + sine * x + cosine * y) * unitsPerMetre,
      rotation: here.rotation + turn,
    };
  }

  /** The body above a follower that is not a follower itself. */
  private carrierOf(follower: Entity): BodyRecord | undefined {
    const { tree } = this.context;
    for (let up = tree.parentOf(follower); up !== null; up = tree.parentOf(up)) {
      const record = this.records.of(up);
      if (record !== undefined && !record.follows) return record;
    }
    return undefined;
  }

  private isSentTo({ number }: BodyRecord, x: number, y: number, rotation: number): boolean {
    const { transforms } = this.records;
    const at = number * TRANSFORM_WIDTH;
    return (
      transforms[at] === Math.fround(x) &&
      transforms[at + 1] === Math.fround(y) &&
      transforms[at + 2] === Math.fround(rotation)
    );
  }

  private note({ number }: BodyRecord, x: number, y: number, rotation: number): void {
    this.records.transforms.set([x, y, rotation], number * TRANSFORM_WIDTH);
  }
}
