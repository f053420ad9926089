/**
 * A world that survives its process: a snapshot, and every batch of changes since.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import type { World } from "../ecs/index.ts";
import {
  type ChangeBatch,
  type ChangeFormat,
  type ChangeStream,
  followChanges,
  takeSnapshot,
} from "../history/index.ts";
import { InvalidLogError } from "./errors.ts";
import { lockFolder } from "./lock.ts";
import { type LogFolder, listFiles, logPath } from "./log-files.ts";
import { LogWriter, refusal } from "./log-writer.ts";
import {
  formatOf,
  type ReadLogOptions,
  requireOptions,
  requireReadOptions,
  stateOptions,
  type WorldLogOptions,
} from "./options.ts";
import { readBatches } from "./read-log.ts";
import { type Recovery, restoreWorld } from "./restore-world.ts";
import { writeSnapshot, writeSnapshotNow } from "./snapshot-file.ts";

/** An appended batch. */
export interface Appended {
  /** Its number. */
  readonly sequence: number;
  /** How many bytes it has. */
  readonly bytes: number;
}

/** A batch read from a log. */
export interface LoggedChanges {
  /** Its number. */
  readonly sequence: number;
  /** The changes; `createFollower` and `applyPatch` take it. */
  readonly batch: ChangeBatch;
}

const DEFAULT_ROTATE = 2 ** 26;

/**
 * Opens the log in a folder, which is created if it does not exist, and restores its world. From then on `append()` writes
 * changes. A world without a log yet is written as its first snapshot.
 *
 * @throws WorldInUseError when the folder holds a world and this one has entities; LockedLogError; DamagedLogError; LogWriteError; the
 * errors of `restoreSnapshot` and `applyPatch` when components or hierarchies differ from the written ones.
 */
export function openWorldLog(folder: string, world: World, options: WorldLogOptions): WorldLog {
  requireOptions(folder, options);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw refusal(folder, cause);
  }
  const unlock = lockFolder(folder);
  try {
    return new WorldLog(folder, world, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The log of a world. Created by `openWorldLog`. */
export class WorldLog {
  /** The folder of its files. */
  readonly folder: string;
  /** What was found when the log was opened. */
  readonly recovered: Recovery;
  private readonly world: World;
  private readonly options: WorldLogOptions;
  private readonly format: ChangeFormat;
  private readonly stream: ChangeStream;
  private readonly unlock: () => void;
  private readonly rotateBytes: number;
  private writer: LogWriter;
  /** The snapshot that is being written. */
  private writing: Promise<void> | undefined;
  /** The error of writing a snapshot, until a call reports it. */
  private failure: unknown;
  private last: number;
  private position: number;
  private isClosed = false;

  /** @internal Use `openWorldLog`. */
  constructor(folder: string, world: World, options: WorldLogOptions, unlock: () => void) {
    this.folder = folder;
    this.world = world;
    this.options = options;
    this.unlock = unlock;
    this.format = formatOf(options);
    this.rotateBytes = options.rotateBytes ?? DEFAULT_ROTATE;
    const { end, recovered } = restoreWorld(folder, world, options, this.format);
    this.recovered = recovered;
    this.last = end.sequence;
    // Changes wait for append() in memory, without a limit: a log must not drop changes.
    this.stream = followChanges(world, {
      ...stateOptions(options),
      maxBytes: Number.POSITIVE_INFINITY,
    });
    this.position = this.stream.sequence;
    // A damaged snapshot does not count as the older one that is kept.
    for (const path of recovered.damagedSnapshots) renameSync(path, `${path}.damaged`);
    const isNew = recovered.snapshot === undefined && end.file === undefined;
    if (end.givenUp.length > 0 || (isNew && world.count > 0))
      writeSnapshotNow(folder, this.last, takeSnapshot(world, stateOptions(options)));
    // After the snapshot: until it is written, the batches before the damage are only in these files.
    for (const path of end.givenUp) renameSync(path, `${path}.damaged`);
    this.writer = new LogWriter(
      end.file?.path ?? logPath(folder, this.last),
      end.file?.size ?? 0,
      options.sync ?? { every: 1000 },
    );
  }

  /** The number of the last written batch. */
  get sequence(): number {
    return this.last;
  }

  /**
   * Writes all changes since the last call as one batch: after a crash the world is restored with all of it or none of it.
   * Nothing is written when nothing changed.
   *
   * @throws LogWriteError when the disk refuses, FormatMismatchError for a component that is not listed; the changes are then
   * in the next batch
   * that can be written.
   */
  append(): Appended | undefined {
    this.requireOpen();
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure;
    const appended = this.appendChanges();
    if (this.writer.size >= this.rotateBytes && this.writing === undefined) {
      this.snapshot().catch((error: unknown) => {
        this.failure = error;
      });
    }
    return appended;
  }

  private appendChanges(): Appended | undefined {
    const { stream, writer } = this;
    const batch = stream.since(this.position);
    let appended: Appended | undefined;
    if (batch.patch.length > 0) {
      const bytes = this.format.encode(batch);
      writer.append(this.last + 1, bytes);
      this.last++;
      appended = { sequence: this.last, bytes: bytes.length };
    }
    this.position = batch.to;
    stream.forget(batch.to);
    return appended;
  }

  /**
   * Writes a snapshot, so that opening the log is fast again, and begins a new log file. This happens automatically when a file reaches
   * `rotateBytes`. The world is read before this returns; the promise waits for the disk. Files from before the last two
   * snapshots are deleted.
   */
  async snapshot(): Promise<void> {
    this.requireOpen();
    const { folder, world } = this;
    this.appendChanges();
    const sequence = this.last;
    const bytes = takeSnapshot(world, stateOptions(this.options));
    if (this.writer.path !== logPath(folder, sequence)) {
      const next = new LogWriter(logPath(folder, sequence), 0, this.options.sync ?? { every: 1000 });
      const former = this.writer;
      // First, so that a file that cannot be closed is not written to again.
      this.writer = next;
      former.close();
    }
    const former = this.writing ?? Promise.resolve();
    const writing = former
      .catch(() => {})
      .then(() => writeSnapshot(folder, sequence, bytes))
      .then(() => removeOld(folder))
      .finally(() => {
        if (this.writing === writing) this.writing = undefined;
      });
    this.writing = writing;
    await writing;
  }

  /** The batches after number `from`, oldest first: for followers that were offline, and for tools. */
  read(from = 0): Generator<LoggedChanges> {
    return readLog(this.folder, this.format, from);
  }

  /** Writes remaining changes, waits for the disk and unlocks the folder. The world stays. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    try {
      this.appendChanges();
    } finally {
      this.isClosed = true;
      this.stream.close();
      try {
        this.writer.close();
        await this.writing?.catch(() => {});
      } finally {
        this.unlock();
      }
    }
  }

  private requireOpen(): void {
    if (this.isClosed)
      throw new InvalidLogError(`Cannot use the log in ${this.folder}: it was closed. Open it again.`);
  }
}

/**
 * The batches of a log after number `from`, oldest first, without opening it: for tools, even while another process writes it. Batches from
 * before the oldest kept snapshot are deleted.
 *
 * @throws InvalidLogError if the folder does not exist; DamagedLogError if a file is damaged in the middle or missing.
 */
export function readWorldLog(folder: string, options: ReadLogOptions): Generator<LoggedChanges> {
  requireReadOptions(folder, options);
  return readLog(folder, formatOf(options), options.from ?? 0);
}

function* readLog(folder: string, format: ChangeFormat, from: number): Generator<LoggedChanges> {
  let files: LogFolder;
  try {
    files = listFiles(folder);
  } catch (cause) {
    throw new InvalidLogError(
      `Cannot read the log in ${folder}: ${(cause as Error).message}. Give the folder that openWorldLog() made.`,
      { cause },
    );
  }
  for (const { sequence, bytes } of readBatches(files, from, false))
    yield { sequence, batch: format.decode(bytes) };
}

/** Deletes files older than the second to last snapshot, which is used if the last one is damaged. */
function removeOld(folder: string): void {
  const { logs, snapshots } = listFiles(folder);
  const oldest = snapshots.at(-2)?.sequence ?? 0;
  for (const { path, sequence } of [...logs, ...snapshots])
    if (sequence < oldest) rmSync(path, { force: true });
}
