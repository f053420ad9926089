/**
 * Files on their way. Calls that ask for the same file at the same time share one job; it is cancelled when all of them are.
 */
import type { LoadedAsset } from "../../ecs/index.ts";
import type { FetchedBytes } from "./fetch-asset.ts";

/** One file on its way, with what it turned out to need. */
export interface AssetJob extends FetchedBytes {
  readonly signal: AbortSignal;
  /** Called when more of it is there. */
  readonly listeners: Set<() => void>;
  readonly result: Promise<LoadedAsset>;
}

interface SharedJob extends AssetJob {
  result: Promise<LoadedAsset>;
  users: number;
  isOver: boolean;
  readonly cancel: AbortController;
}

export class AssetJobs {
  private readonly running = new Map<string, SharedJob>();

  /** The job of that key, begun if it is not under way. Every user calls `leave` once. */
  join(key: string, start: (job: AssetJob) => Promise<LoadedAsset>): AssetJob {
    const found = this.running.get(key);
    if (found !== undefined) {
      found.users++;
      return found;
    }
    const cancel = new AbortController();
    const job: SharedJob = {
      received: 0,
      length: undefined,
      signal: cancel.signal,
      listeners: new Set(),
      users: 1,
      isOver: false,
      cancel,
      result: Promise.resolve() as unknown as Promise<LoadedAsset>,
    };
    this.running.set(key, job);
    job.result = start(job).finally(() => {
      job.isOver = true;
    });
    return job;
  }

  /** A user has its result, or wants it no longer. The last one ends the job. */
  leave(key: string, job: AssetJob): void {
    const shared = job as SharedJob;
    if (--shared.users > 0) return;
    if (!shared.isOver) shared.cancel.abort();
    if (this.running.get(key) === shared) this.running.delete(key);
  }
}
