/**
 * A world that follows a stream: it applies each batch once and in order, even if the connection repeats, reorders or loses some.
 */
import type { AnyComponent, Entity, World } from "../../ecs/index.ts";
import { requireComponents, requireOptions, requireOwnTrees, requireWorld } from "../arguments.ts";
import { type AppliedPatch, applyPatch, type PatchOptions, requireRules } from "../patch/apply-patch.ts";
import { createIdMap, type IdMap, requireIdMap } from "../patch/id-map.ts";
import type { Key, StreamPatch } from "../patch/patch.ts";
import type { Violation } from "../patch/rule-report.ts";
import type { AnyTree } from "../state.ts";
import type { ValueCodec } from "../values/value-codec.ts";
import type { ChangeBatch } from "./change-stream.ts";
import { patchToSnapshot } from "./patch-to-snapshot.ts";
import { requireBatch } from "./require-batch.ts";

/** Options of `createFollower`. */
export interface FollowerOptions {
  /** The hierarchies of this world that follow those of the stream. */
  readonly trees?: readonly AnyTree[];
  /** Components that the stream names and the world does not know yet. */
  readonly components?: readonly AnyComponent[];
  /** How to read what was written by a codec, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** The entity of each key. A new map if left out; pass one to keep it, or for entities that exist here from the start. */
  readonly ids?: IdMap;
  /** `"report"` (the default): the source has decided, and violations of rules here are listed. `"refuse"`: they are an error. */
  readonly rules?: "refuse" | "report";
}

/** The result of receiving a batch. */
export interface Received {
  /**
   * `applied`: the world is at `position` now. `known`: it was applied before, so it can be acknowledged again. `gap`: an earlier
   * batch is missing; request `since(position)` from the source, or a snapshot if that was dropped or `position` is undefined.
   */
  readonly status: "applied" | "known" | "gap";
  /** The position to acknowledge, and to request the rest from; `undefined` before the first snapshot of this run of the stream. */
  readonly position: number | undefined;
  /** The entities that were added, by key. */
  readonly added: ReadonlyMap<Key, Entity>;
  /** Violations of rules of this world. */
  readonly violations: readonly Violation[];
}

/**
 * Makes a world follow the stream of another world, possibly only through messages. The world may have entities of its own.
 *
 * @example
 * ```ts
 * const stream = followChanges(world);
 * const copy = createWorld();
 * const follower = createFollower(copy);
 * follower.receive(stream.snapshot());
 * const tank = world.spawn();
 * const batch = stream.read();
 * follower.receive(batch).status; // → "applied"
 * follower.receive(batch).status; // → "known"
 * copy.isAlive(follower.ids.entityOf(tank)!); // → true
 * ```
 */
export function createFollower(world: World, options: FollowerOptions = {}): Follower {
  requireWorld(world, "create a follower");
  requireOptions(world.checks, options, "create a follower", [
    "trees",
    "components",
    "codecs",
    "ids",
    "rules",
  ]);
  requireOwnTrees(world, options.trees);
  requireComponents(options.components, "create a follower");
  requireIdMap(options.ids, "create a follower");
  requireRules(options.rules, "create a follower");
  return new Follower(world, options);
}

/** A world that follows a stream. Created by `createFollower`. */
export class Follower {
  /** The world that follows. */
  readonly world: World;
  /** The entity of each key of the stream. */
  readonly ids: IdMap;
  /** The current position of the world; `undefined` before the first batch. */
  position: number | undefined = undefined;
  /** The run of the stream that the position belongs to. */
  epoch: string | undefined = undefined;
  private readonly options: PatchOptions & { readonly rules: "refuse" | "report" };

  /** @internal Use `createFollower`. */
  constructor(world: World, options: FollowerOptions) {
    this.world = world;
    this.ids = options.ids ?? createIdMap();
    this.options = { ...options, ids: this.ids, rules: options.rules ?? "report" };
  }

  /**
   * Applies a batch. A duplicate, an old batch and one after a gap change nothing. A snapshot is applied unless it is older:
   * the world changes only what differs.
   *
   * @throws InvalidPatchError and the other errors of `applyPatch`; nothing has changed then, including the position.
   */
  receive(batch: ChangeBatch): Received {
    const { epoch, from, to, patch, snapshot } = requireBatch(batch, "receive a batch");
    const isKnownRun = epoch === this.epoch;
    const { position } = this;
    if (
      isKnownRun &&
      position !== undefined &&
      to <= position &&
      !(snapshot !== undefined && to === position)
    )
      return this.answer("known", position);
    if (snapshot === undefined && (!isKnownRun || from !== position)) {
      // A stream that is followed from its beginning needs no snapshot.
      if (this.epoch !== undefined || from !== 0)
        return this.answer("gap", isKnownRun ? position : undefined);
    }
    const done = this.ids.allOrNothing(() => this.apply(patch, snapshot));
    this.epoch = epoch;
    this.position = to;
    return { ...this.answer("applied", to), ...done };
  }

  private apply(patch: StreamPatch, snapshot: readonly string[] | undefined): AppliedPatch {
    const { world, options } = this;
    const entries = snapshot === undefined ? patch : patchToSnapshot(world, patch, snapshot, options);
    return options.rules === "report"
      ? applyPatch(world, entries, { ...options, rules: "report" })
      : { added: applyPatch(world, entries, options) as ReadonlyMap<Key, Entity>, violations: [] };
  }

  private answer(status: Received["status"], position: number | undefined): Received {
    return { status, position, added: new Map(), violations: [] };
  }
}
