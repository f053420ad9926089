/**
 * Restoring the world in a folder.
 */
import { readFileSync, rmSync } from "node:fs";
import type { World } from "../ecs/index.ts";
import {
  applyPatch,
  type ChangeFormat,
  DamagedSnapshotError,
  restoreSnapshot,
  type Violation,
} from "../history/index.ts";
import { DamagedLogError, WorldInUseError } from "./errors.ts";
import { type LogFolder, listFiles } from "./log-files.ts";
import { stateOptions, type WorldLogOptions } from "./options.ts";
import { type CutOff, type LogEnd, readBatches } from "./read-log.ts";

/** The result of restoring in `openWorldLog`. */
export interface Recovery {
  /** The number of the batch after which the snapshot was taken; `undefined` when there was none. */
  readonly snapshot: number | undefined;
  /** How many batches were applied after the snapshot. */
  readonly batches: number;
  /** The torn batch at the end, which was cut off: the process ended while it wrote. */
  readonly cutOff: CutOff | undefined;
  /** Snapshots that are damaged; an older one was used. */
  readonly damagedSnapshots: readonly string[];
  /** Violations of rules of this world, which changed since the log was written. */
  readonly violations: readonly Violation[];
}

/** @throws WorldInUseError, DamagedLogError, and the errors of `restoreSnapshot` and `applyPatch` */
export function restoreWorld(
  folder: string,
  world: World,
  options: WorldLogOptions,
  format: ChangeFormat,
): { readonly end: LogEnd; readonly recovered: Recovery } {
  const files = listFiles(folder);
  for (const path of files.unfinished) rmSync(path, { force: true });
  if (files.logs.length + files.snapshots.length > 0 && world.count > 0) {
    throw new WorldInUseError(
      `Cannot open the log in ${folder}: it holds a world, and this world has ${world.count} entities. Open it with a new world, then spawn what the log did not restore.`,
      { count: world.count },
    );
  }
  const { components } = options;
  const state = stateOptions(options);
  const damagedSnapshots: string[] = [];
  let snapshot: number | undefined;
  for (const { path, sequence } of [...files.snapshots].reverse()) {
    try {
      restoreSnapshot(world, readFileSync(path), { ...state, components });
      snapshot = sequence;
      break;
    } catch (error) {
      if (!(error instanceof DamagedSnapshotError)) throw error;
      damagedSnapshots.push(path);
    }
  }
  if (snapshot === undefined && files.snapshots[0] !== undefined) requireBeginning(files);
  const violations: Violation[] = [];
  const batches = readBatches(files, snapshot ?? 0, options.damaged === "cut");
  let step = batches.next();
  let count = 0;
  for (; step.done !== true; step = batches.next()) {
    const { patch } = format.decode(step.value.bytes);
    violations.push(...applyPatch(world, patch, { ...state, components, rules: "report" }).violations);
    count++;
  }
  const { cutOff } = step.value;
  return { end: step.value, recovered: { snapshot, batches: count, cutOff, damagedSnapshots, violations } };
}

/** Without a snapshot, the log files must begin with an empty world. */
function requireBeginning({ logs, snapshots: [first] }: LogFolder): void {
  const isComplete = logs[0]?.sequence === 0 && first.sequence !== 0;
  if (isComplete) return;
  throw new DamagedLogError(
    `Cannot read the log: all snapshots are damaged, and the files after ${first.path} do not contain the same data. Use a copy of the folder.`,
    { file: first.path, offset: 0, sequence: first.sequence },
  );
}
