/**
 * What a history and transactions of one world share.
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
  /** How many transactions are open, one inside the other. */
  transactions: number;
  /** The history of the world, if it has one. */
  history: StepMaker | undefined;
  /** `transaction`, once something has read the record of the world: programs that never record do not carry it. */
  transaction: Transactor | undefined;
}

type Transactor = <Result>(world: World, work: () => Result) => Result;

/** What makes steps of changes. */
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
 * Whether the changes that happen now bring back something: undo, redo, a transaction that is rolled back, a snapshot that
 * is restored. For observers that change the world themselves: what they did when it happened first is brought back
 * too, so they must not do it again.
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
 * Refuses what must not happen while a loop or an observer depends on the present entities.
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
 * Runs `work` as a step of its own where changes outside of steps are recorded. Inside of a step or a transaction it is part
 * of that.
 */
export function ownStep<Result>(world: World, label: string, work: () => Result): Result {
  const { transactions, history } = recordingOf(stateOf(world));
  return transactions === 0 && history?.takesLoose === true ? history.step(label, work) : work();
}

/** How a call that fails is taken back by the record; nothing where no record is kept. */
export function recordedTransaction(world: World): Transactor | undefined {
  const state = stateOf(world);
  return state.recorder.wanted ? recordingOf(state).transaction : undefined;
}

/** Undoes `records`, which are used up. What that changes is recorded like any other change. */
export function replay(state: WorldState, records: Records): void {
  replaying(state, () => playBack(state, records));
}

/**
 * Takes back everything since `mark`, as if it had never been. Readers of the records that have seen some of it get the
 * changes that take it back; all others get neither.
 */
export function rollBack(state: WorldState, mark: Mark): void {
  const records = recordsOf(state);
  const done = records.since(mark);
  // What observers change when all is taken back is recorded.
  asOneCall(state, () => {
    if (records.forgetSince(mark)) records.divert(new Tape(), () => replay(state, done));
    else replay(state, done);
  });
}

/** Runs `fn` as one call whose observers see `isReplaying`. */
export function replaying(state: WorldState, fn: () => void): void {
  const wasReplaying = state.isReplaying;
  // What is about to be replaced must be there, or a value that equals an old one would pass for no change.
  if (!wasReplaying) notifyCapture(state);
  state.isReplaying = true;
  try {
    asOneCall(state, fn);
  } finally {
    state.isReplaying = wasReplaying;
  }
}
