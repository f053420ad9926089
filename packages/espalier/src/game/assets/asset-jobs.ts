/**
 * Files being loaded. Concurrent calls for the same file share one job, which is cancelled when all of them are.
 */
import type { LoadedAsset } from "../../ecs/index.ts";
import type { FetchedBytes } from "./fetch-asset.ts";

/** One file being loaded, with the files that it needs. */
export interface AssetJob extends FetchedBytes {
  readonly signal: AbortSignal;
  /** Called when more of it has arrived. */
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

  /** The job of that key, started if it is not running. Every user calls `leave` once. */
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

  /** Called when a user has its result, or no longer wants it. The last one ends the job. */
  leave(key: string, job: AssetJob): void {
    const shared = job as SharedJob;
    if (--shared.users > 0) return;
    if (!shared.isOver) shared.cancel.abort();
    if (this.running.get(key) === shared) this.running.delete(key);
  }
}
