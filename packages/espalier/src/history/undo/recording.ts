/**
 * The state that the history and the transactions of one world share.
 */
import type { World } from "../../ecs/index.ts";
import {
  asOneCall,
  type Mark,
  notifyCapture,
  playBack,
  type Records,
  recordsOf,
  stateOf,
  Tape,
  type WorldState,
} from "../../ecs/internal.ts";
import { HistoryBusyError } from "../errors.ts";

const KEY = "espalier.history";

export interface Recording {
  /** How many nested transactions are open. */
  transactions: number;
  /** The history of the world, if it has one. */
  history: StepMaker | undefined;
  /** `transaction`, once something has read the record of the world: programs that never record do not bundle it. */
  transaction: Transactor | undefined;
}

type Transactor = <Result>(world: World, work: () => Result) => Result;

/** The part of a history that makes steps of changes. */
interface StepMaker {
  /** Whether changes outside of steps are recorded, and none is being undone or redone. */
  readonly takesLoose: boolean;
  step<Result>(label: string, work: () => Result): Result;
}

/** The recording of a world, made when it is first needed. */
export function recordingOf({ attachments }: WorldState): Recording {
  let recording = attachments.get(KEY) as Recording | undefined;
  if (recording === undefined) {
    recording = { transactions: 0, history: undefined, transaction: undefined };
    attachments.set(KEY, recording);
  }
  return recording;
}

/**
 * Whether the current changes restore a former state: undo, redo, a transaction that is rolled back, a snapshot that
 * is restored. For observers that change the world themselves: their original changes are restored
 * too, so they must not make them again.
 *
 * @example
 * ```ts
 * const Tank = tag("Tank");
 * observe(world, Tank, {
 *   add: () => {
 *     if (!isReplaying(world)) world.spawn(); // its smoke
 *   },
 * });
 * ```
 */
export function isReplaying(world: World): boolean {
  return stateOf(world).isReplaying;
}

/**
 * Refuses calls that must not run while a loop or an observer depends on the current entities.
 * @throws HistoryBusyError
 */
export function requireSettled(world: World, doing: string): void {
  const state = stateOf(world);
  state.requireUsable(doing);
  state.requireUnlocked(doing);
  if (state.table.iterating === 0 && !state.isNotifying) return;
  throw new HistoryBusyError(
    `Cannot ${doing} inside a loop over a query or inside an observer: both rely on the entities that are there. Do it after them.`,
  );
}

/**
 * Runs `work` as a step of its own if changes outside of steps are recorded. Inside a step or a transaction it is part
 * of that.
 */
export function ownStep<Result>(world: World, label: string, work: () => Result): Result {
  const { transactions, history } = recordingOf(stateOf(world));
  return transactions === 0 && history?.takesLoose === true ? history.step(label, work) : work();
}

/** The transaction that rolls back a failed call by the record; `undefined` if nothing is recorded. */
export function recordedTransaction(world: World): Transactor | undefined {
  const state = stateOf(world);
  return state.recorder.wanted ? recordingOf(state).transaction : undefined;
}

/** Undoes `records`, which are consumed. The changes are recorded like any others. */
export function replay(state: WorldState, records: Records): void {
  replaying(state, () => playBack(state, records));
}

/**
 * Rolls back everything since `mark`, as if it had never happened. Readers of the records that have seen some of it get the
 * changes of the rollback; all others get neither.
 */
export function rollBack(state: WorldState, mark: Mark): void {
  const records = recordsOf(state);
  const done = records.since(mark);
  // Changes by observers after the rollback are recorded.
  asOneCall(state, () => {
    if (records.forgetSince(mark)) records.divert(new Tape(), () => replay(state, done));
    else replay(state, done);
  });
}

/** Runs `fn` as one call whose observers see `isReplaying`. */
export function replaying(state: WorldState, fn: () => void): void {
  const wasReplaying = state.isReplaying;
  // Current values must be captured before they are replaced, or a value equal to an old one would not count as a change.
  if (!wasReplaying) notifyCapture(state);
  state.isReplaying = true;
  try {
    asOneCall(state, fn);
  } finally {
    state.isReplaying = wasReplaying;
  }
}
