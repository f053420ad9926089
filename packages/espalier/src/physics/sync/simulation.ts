/**
 * All parts that synchronise one world of an engine with a tree: creating, stepping, rebuilding and disposing of it.
 */
import { type Finding, observe, observeCapture } from "../../ecs/index.ts";
import type { Point, Transforms2D } from "../../transform/index.ts";
import { wrongBodies } from "../check-bodies.ts";
import { RigidBody } from "../components.ts";
import type { Context } from "../context.ts";
import type { PhysicsEngine } from "../engine.ts";
import { PhysicsError } from "../errors.ts";
import { PhysicsEvents } from "../events.ts";
import { Layers } from "../rules/layers.ts";
import type { PhysicsOptions } from "../rules/options.ts";
import { refuseValues } from "../rules/refuse-values.ts";
import { enforceRules } from "../rules/rules.ts";
import { BodyRecords } from "./body-records.ts";
import { BodySync } from "./body-sync.ts";
import { ChangeSync } from "./change-sync.ts";
import { ColliderSync } from "./collider-sync.ts";
import { Followers } from "./followers.ts";
import { JointSync } from "./joint-sync.ts";
import { MotionStore } from "./motion-store.ts";
import { WriteBack } from "./write-back.ts";

export class Simulation {
  readonly context: Context;
  readonly records = new BodyRecords();
  readonly colliderSync: ColliderSync;
  readonly jointSync: JointSync;
  readonly changes: ChangeSync;
  readonly events: PhysicsEvents;
  readonly motion: MotionStore;
  isStepping = false;
  private readonly engine: PhysicsEngine;
  private readonly options: PhysicsOptions;
  private readonly bodySync: BodySync;
  private readonly writer: WriteBack;
  private readonly followers: Followers;
  private readonly ends: readonly (() => void)[];
  private gravity: Point;

  /** @param options - Checked by the caller. */
  constructor(space: Transforms2D, engine: PhysicsEngine, options: PhysicsOptions) {
    const { tree } = space;
    const { unitsPerMetre = 1 } = options;
    this.engine = engine;
    this.options = options;
    this.gravity = options.gravity ?? { x: 0, y: -10 * unitsPerMetre };
    const layers = new Layers(options.layers ?? ["default"], engine.limits.layers);
    this.context = {
      world: tree.world,
      tree,
      space,
      engine: this.createEngineWorld(),
      engineName: engine.name,
      range: engine.limits.range,
      bodyLimit: engine.limits.bodies,
      unitsPerMetre,
      layers,
      childBodies: options.childBodies ?? "refuse",
    };
    const { context, records } = this;
    this.bodySync = new BodySync(context, records, options.onTeleport === "stop");
    this.colliderSync = new ColliderSync(context, records, this.bodySync);
    this.jointSync = new JointSync(context, records);
    this.changes = new ChangeSync(context, records, this.bodySync, this.colliderSync, this.jointSync);
    this.writer = new WriteBack(context, records);
    this.followers = new Followers(context, records, this.bodySync);
    this.motion = new MotionStore(context, records, this.changes);
    this.events = new PhysicsEvents(tree.world, unitsPerMetre, options.eventCapacity);
    this.ends = this.attach();
  }

  /** Runs the engine, and writes moved transforms. Changes of the world were applied before. */
  step(dt: number): void {
    this.isStepping = true;
    try {
      this.advance(dt);
    } finally {
      this.isStepping = false;
    }
  }

  setGravity(x: number, y: number): void {
    this.gravity = { x, y };
    const { engine, unitsPerMetre } = this.context;
    engine.setGravity(x / unitsPerMetre, y / unitsPerMetre);
  }

  /** Recreates everything in the engine from components and transforms. */
  rebuild(): void {
    // Pending changes may wake sleeping bodies: their components are updated only afterwards.
    this.changes.sync();
    this.motion.storeAll();
    const { context } = this;
    context.engine.dispose();
    for (const record of [...this.records]) {
      this.records.remove(record);
      this.colliderSync.bodyGone(record);
    }
    this.jointSync.forget();
    context.engine = this.createEngineWorld();
    this.changes.markAll();
    this.changes.sync();
  }

  close(): void {
    this.changes.close();
    for (const end of this.ends) end();
    this.context.engine.dispose();
  }

  private advance(dt: number): void {
    const { engine } = this.context;
    this.followers.send(dt);
    this.records.noteWork();
    engine.step(dt, this.options.substeps ?? 4);
    engine.readMoves();
    if (engine.moves.count > 0) this.changes.writeBack(this.writer);
    this.followers.arrive();
    if (this.events.hasReaders) engine.readEvents(this.events);
  }

  /** For the self-test. Something that cannot be simulated is refused by the next step, and is not an inconsistency. */
  wrong(): Iterable<Finding> {
    if (this.isStepping) return [];
    try {
      this.changes.sync();
    } catch (error) {
      if (error instanceof PhysicsError) return [];
      throw error;
    }
    const { context, records, bodySync, colliderSync, jointSync } = this;
    return wrongBodies({ context, records, bodySync, colliderSync, jointSync });
  }

  /** Listens to writes to the world, and to code that is about to read it. */
  private attach(): (() => void)[] {
    const { context, motion } = this;
    return [
      enforceRules(context),
      refuseValues(context, (entity) => motion.store(entity)),
      // Undo may restore a destroyed body, with its motion.
      observe(context.world, RigidBody, { name: "physics", removing: (entity) => motion.store(entity) }),
      observeCapture(context.world, {
        name: "physics",
        before: () => motion.storeAll(),
        restored: () => this.changes.noteRestored(),
      }),
    ];
  }

  private createEngineWorld(): Context["engine"] {
    const { options, gravity } = this;
    const metres = 1 / (options.unitsPerMetre ?? 1);
    return this.engine.createWorld({
      gravityX: gravity.x * metres,
      gravityY: gravity.y * metres,
      sleep: options.sleep ?? true,
      continuous: options.continuous ?? true,
      hitSpeed: (options.hitSpeed ?? 1 / metres) * metres,
    });
  }
}
