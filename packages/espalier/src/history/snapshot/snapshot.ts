/**
 * A whole world, or a subtree, in one buffer and back.
 */
import { type EntityLike, handleOf, type World } from "../../ecs/index.ts";
import { isHandle, notifyRestored, stateOf } from "../../ecs/internal.ts";
import { requireComponents, requireOptions, requirePart, requireWorld } from "../arguments.ts";
import type { StateOptions } from "../state.ts";
import { ownStep, replaying, requireSettled } from "../undo/recording.ts";
import { transaction } from "../undo/transaction.ts";
import { countRestored } from "../undo/unrecorded.ts";
import { capture } from "./capture.ts";
import { prepareRestore, type RestoreOptions } from "./restore.ts";
import { decodeState, encodeState } from "./state-codec.ts";

/** Options of `takeSnapshot`. */
export interface SnapshotOptions extends StateOptions {
  /** Only this entity and what is below it in the first of `trees`. */
  readonly root?: EntityLike;
}

/**
 * Writes the state of a world into one buffer: entities with their ids, components with all values, and the given
 * hierarchies with orders and names. Objects are copied as data: JSON values, and also undefined, NaN, dates, maps,
 * sets and typed arrays, up to 200 levels deep; for anything else give a codec.
 *
 * @throws UnsupportedValueError for a value that cannot be written.
 *
 * @example
 * ```ts
 * const Health = component("Health", { hp: f32(100) });
 * const e = world.spawn(Health);
 * const before = takeSnapshot(world, { trees: [tree] });
 * world.destroy(e);
 * restoreSnapshot(world, before, { trees: [tree] });
 * world.get(e, Health); // → { hp: 100 }
 * ```
 */
export function takeSnapshot(world: World, options: SnapshotOptions = {}): ArrayBuffer {
  requireWorld(world, "take a snapshot");
  requireOptions(world.checks, options, "take a snapshot", ["world", "trees", "resources", "codecs", "root"]);
  const { codecs = {} } = options;
  const root = options.root === undefined ? undefined : handleOf(world, options.root);
  requirePart(isHandle(root), "take a snapshot", "root is an entity", root);
  if (root !== undefined) stateOf(world).require(root, "take a snapshot");
  return encodeState(capture(world, options, root), codecs);
}

/**
 * Restores the world to the state of the snapshot, or makes another world equal to it; future entities get the same
 * ids too. Only differences are changed and reported; observers see `isReplaying(world)`. With a history it is a step of its
 * own, "Restore snapshot", unless a step or a transaction is open.
 *
 * A snapshot of a subtree restores that subtree: its entities are alive again with their ids, those created since are
 * destroyed, and the rest of the world stays. If its root is alive, it goes back to its former position among the siblings that
 * still exist.
 *
 * @throws DamagedSnapshotError, SnapshotVersionError, SnapshotMismatchError, HistoryConflictError; nothing has changed
 * then.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const saved = takeSnapshot(world);
 * world.destroy(tank);
 * restoreSnapshot(world, saved);
 * world.isAlive(tank); // → true
 * ```
 */
export function restoreSnapshot(
  world: World,
  snapshot: ArrayBuffer | ArrayBufferView,
  options: RestoreOptions = {},
): void {
  requireWorld(world, "restore a snapshot");
  requireOptions(world.checks, options, "restore a snapshot", [
    "world",
    "trees",
    "resources",
    "codecs",
    "components",
  ]);
  requireComponents(options.components, "restore a snapshot");
  requireSettled(world, "restore a snapshot");
  const state = decodeState(snapshot, options.codecs ?? {});
  const ecs = stateOf(world);
  const first = prepareRestore(world, state, options);
  const { version } = ecs;
  const run = () =>
    replaying(ecs, () => {
      // Observers before it may change what was checked.
      const isChanged = first.runBefore() || ecs.version !== version;
      (isChanged ? prepareRestore(world, state, options) : first).restore();
    });
  countRestored(world);
  // A whole world cannot collide with anything; a subtree may.
  ownStep(world, "Restore snapshot", state.root === undefined ? run : () => transaction(world, run));
  notifyRestored(ecs);
}
