/**
 * What a history and transactions of one world share: the journal, and whether it listens.
 */
import type { World } from "../ecs/index.ts";
import { HistoryBusyError } from "./errors.ts";
import { Journal } from "./journal.ts";
import { playBack } from "./play-back.ts";
import { addRecorder, removeRecorder } from "./recorders.ts";
import { type Mark, Tape } from "./tape.ts";

const KEY = "espalier.history";

/** The recording of a world, made when it is first needed. */
export function recordingOf(world: World): Recording {
  let recording = world.attachments.get(KEY) as Recording | undefined;
  if (recording === undefined) {
    recording = new Recording(world);
    world.attachments.set(KEY, recording);
  }
  return recording;
}

/** The recording of a world, if anybody ever needed it. */
export function presentRecording(world: World): Recording | undefined {
  return world.attachments.get(KEY) as Recording | undefined;
}

/**
 * Whether the changes that happen now bring back something: undo, redo, a transaction that is taken back, a snapshot that
 * is restored. For observers that change the world themselves: what they did when it happened first is brought back
 * too, so they must not do it again.
 *
 * @example
 * ```ts
 * const Tank = tag("Tank");
 * world.observe(Tank, {
 *   add: () => {
 *     if (!isReplaying(world)) world.spawn(); // its smoke
 *   },
 * });
 * ```
 */
export function isReplaying(world: World): boolean {
  return (world.attachments.get(KEY) as Recording | undefined)?.isReplaying ?? false;
}

/**
 * That nobody relies on the entities that are there.
 * @throws HistoryBusyError
 */
export function requireSettled(world: World, doing: string): void {
  world.requireUsable(doing);
  world.requireUnlocked(doing);
  if (world.table.iterating === 0 && !world.isTelling && !recordingOf(world).journal.isMidway) return;
  throw new HistoryBusyError(
    `Cannot ${doing} inside a loop over a query or inside an observer: both rely on the entities that are there. Do it after them.`,
  );
}

export class Recording {
  readonly world: World;
  readonly journal: Journal;
  isReplaying = false;
  /** How many transactions are open, one inside the other. */
  transactions = 0;
  /** Whether a history is attached. */
  hasHistory = false;
  private listening = false;

  constructor(world: World) {
    this.world = world;
    this.journal = new Journal(world, new Tape());
  }

  get isListening(): boolean {
    return this.listening;
  }

  listen(): void {
    if (this.listening) return;
    this.listening = true;
    addRecorder(this.world, this.journal);
  }

  stop(): void {
    if (!this.listening) return;
    this.listening = false;
    removeRecorder(this.world, this.journal);
  }

  /** Before somebody marks a position to which he may return: what follows is recorded write by write. */
  settle(): void {
    this.world.window.uncover();
  }

  /** Undoes what stands on `tape` behind `mark`, and records the way back on `onto`. */
  replay(tape: Tape, mark: Mark, onto: Tape): void {
    const { journal } = this;
    const { tape: before } = journal;
    this.settle();
    journal.tape = onto;
    try {
      this.replaying(() => playBack(this.world, tape, mark, journal.owners));
    } finally {
      journal.tape = before;
    }
  }

  /** Runs `fn` while observers see `isReplaying`. */
  replaying(fn: () => void): void {
    const wasReplaying = this.isReplaying;
    this.isReplaying = true;
    try {
      fn();
    } finally {
      this.isReplaying = wasReplaying;
    }
  }
}
