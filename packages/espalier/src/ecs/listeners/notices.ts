/**
 * Notices of what calls did to the world, delivered when the whole call has finished.
 *
 * No callback runs in the middle of an edit. An edit only queues its notices; the call that made it delivers them at its end
 * (`settle`), in order and each once. Callbacks may edit the world: what that leads to is queued in turn and delivered after
 * the present round. Calls that consist of several edits hold their notices back until all are made (`asOneCall`).
 */
import { ObserverError } from "../errors.ts";
import type { Gone } from "./gone.ts";
import type { HookLists } from "./hooks.ts";

/** Something that callbacks are notified of. */
export interface Notice {
  /** Calls the callbacks. What they throw goes to `report`. */
  deliver(): void;
  /** The error that says that this one was not delivered, because notices caused each other without end. */
  stopped(rounds: number): Error;
}

/** Rounds of notices that cause notices, after which they are taken for an endless loop. */
const MAX_ROUNDS = 100;
/** The same for loops that double: after some rounds, this many notices for each that was there at first, and for 1000 more. */
const MAX_GROWTH = 100;
const ROUNDS_OF_ANY_SIZE = 10;

/** The world whose notices these are. */
interface NoticeHost {
  readonly notices: NoticeQueue;
  readonly gone: Gone;
  readonly hooks: HookLists;
  readonly locked: number;
  readonly isDisposed: boolean;
  readonly onError: (error: Error) => void;
  isReplaying: boolean;
}

export class NoticeQueue {
  /** Whether something waits to be delivered; asked at the end of every call. */
  waits = false;
  /** How many calls of several edits are under way. */
  held = 0;
  isDelivering = false;
  private queue: { readonly notice: Notice; readonly isReplayed: boolean }[] = [];
  /** What an `onError` threw while notices were delivered. */
  private failure: { readonly thrown: unknown } | undefined;

  /** @param isReplayed Whether the edit brings something back; its callbacks see `isReplaying` then. */
  add(notice: Notice, isReplayed: boolean): void {
    this.waits = true;
    this.queue.push({ notice, isReplayed });
  }

  /** How many wait; a mark for `cutTo`. */
  get count(): number {
    return this.queue.length;
  }

  /** Drops what was queued since `count` was this: the edits were taken back. */
  cutTo(count: number): void {
    this.queue.length = Math.min(count, this.queue.length);
  }

  /** Reports an error while notices are delivered. An `onError` that throws does not keep the others from being delivered. */
  report({ onError }: NoticeHost, error: Error): void {
    try {
      onError(error);
    } catch (thrown) {
      this.failure ??= { thrown };
    }
  }

  deliver(s: NoticeHost): void {
    const wasReplaying = s.isReplaying;
    this.isDelivering = true;
    this.failure = undefined;
    try {
      this.deliverAll(s);
    } finally {
      this.queue = [];
      this.waits = false;
      this.isDelivering = false;
      s.isReplaying = wasReplaying;
      s.gone.clear();
    }
    this.throwFailure();
  }

  private deliverAll(s: NoticeHost): void {
    let left = (this.queue.length + 1000) * MAX_GROWTH;
    for (let round = 0; this.queue.length > 0 && !s.isDisposed; round++) {
      const batch = this.queue;
      this.queue = [];
      left -= batch.length;
      if (round === MAX_ROUNDS || (round >= ROUNDS_OF_ANY_SIZE && left < 0)) {
        this.report(s, (batch[0] as (typeof batch)[number]).notice.stopped(round));
        // Whatever its report led to belongs to the same loop.
        return;
      }
      for (const { notice, isReplayed } of batch) {
        if (s.isDisposed) break;
        s.isReplaying = isReplayed;
        notice.deliver();
      }
    }
  }

  private throwFailure(): void {
    const { failure } = this;
    this.failure = undefined;
    if (failure !== undefined) throw failure.thrown;
  }
}

/** Ends a call: delivers the notices that wait, unless a call around this one or an earlier delivery will. */
export function settle(s: NoticeHost): void {
  const { notices } = s;
  if (!notices.waits || notices.held !== 0 || s.locked !== 0) return;
  // Rooms compare what their listeners watch once per call.
  for (const hook of s.hooks.notices) hook.settled();
  if (!notices.isDelivering) notices.deliver(s);
}

/** Runs `work` as one call: its notices wait until it is done. */
export function asOneCall<Result>(s: NoticeHost, work: () => Result): Result {
  s.notices.held++;
  try {
    return work();
  } finally {
    s.notices.held--;
    settle(s);
  }
}

/** `asOneCall` for work that takes back what it did when it throws: no notice reports that then. */
export function asOneCallOrNone<Result>(s: NoticeHost, work: () => Result): Result {
  return asOneCall(s, () => {
    const { count } = s.notices;
    const takeBacks = s.hooks.notices.map((hook) => hook.markNotices());
    try {
      return work();
    } catch (error) {
      s.notices.cutTo(count);
      for (const takeBack of takeBacks) takeBack();
      throw error;
    }
  });
}

/** The report of notices that do not end. */
export function endlessNotices(observer: string, what: string, rounds: number): ObserverError {
  return new ObserverError(
    `Stopped observer ${observer}: its ${what} caused itself ${rounds} times over. No further observer is notified of this change.`,
    { observer, limit: rounds },
  );
}
