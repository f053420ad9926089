/**
 * A world that follows a stream: it takes each batch once and in order, whatever the connection makes of them.
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
  /** The hierarchies that the stream follows, here. */
  readonly trees?: readonly AnyTree[];
  /** Components that the stream names and the world has not met yet. */
  readonly components?: readonly AnyComponent[];
  /** How to read what was written by a codec, by `"Component.field"`. */
  readonly codecs?: { readonly [field: string]: ValueCodec };
  /** Which entity each key means. An empty one if left out; give one to keep it, or for entities that are here from the start. */
  readonly ids?: IdMap;
  /** `"report"` (the default): the source has decided, and what breaks a rule here is listed. `"refuse"`: it is an error. */
  readonly rules?: "refuse" | "report";
}

/** What became of a batch. */
export interface Received {
  /**
   * `applied`: the world is at `position` now. `known`: it had all of it before, so that it can be acknowledged again. `gap`: something
   * before it is missing; ask the source for `since(position)`, or for a snapshot where that is gone or `position` is undefined.
   */
  readonly status: "applied" | "known" | "gap";
  /** The position to acknowledge, and to ask the rest for; nothing before the first snapshot of this run of the stream. */
  readonly position: number | undefined;
  /** The entities that were added, by key. */
  readonly added: ReadonlyMap<Key, Entity>;
  /** What is against a rule of this world. */
  readonly violations: readonly Violation[];
}

/**
 * Makes a world follow the stream of another world, which it may know only by messages. The world may have entities of its own.
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

/** A world that follows a stream. Made by `createFollower`. */
export class Follower {
  /** The world that follows. */
  readonly world: World;
  /** Which entity stands for which key of the stream. */
  readonly ids: IdMap;
  /** The position that the world is at; nothing before the first batch. */
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
   * Takes a batch. The same one twice, an old one and one behind a gap change nothing. A snapshot is taken whenever it is not older:
   * the world does the least that leads there.
   *
   * @throws InvalidPatchError and the other errors of `applyPatch`; nothing has changed then, the position included.
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
