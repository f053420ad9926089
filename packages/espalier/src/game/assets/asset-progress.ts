/**
 * The progress of loading, by files and by bytes.
 */
import type { FetchedBytes } from "./fetch-asset.ts";

/** The progress of loading assets. */
export interface AssetProgress {
  /** Files that have arrived. */
  readonly done: number;
  /** How many files are known to be needed so far: that a sprite sheet needs a picture is known only when it has arrived. */
  readonly total: number;
  /** Bytes that have arrived. */
  readonly bytes: number;
  /** How many bytes all files have; `undefined` while a response does not tell. */
  readonly totalBytes: number | undefined;
  /** From 0 to 1, for a bar: never falls, counts parts of files where their length is known, and ends at exactly 1. */
  readonly fraction: number;
}

export class AssetProgressMeter {
  private readonly report: ((progress: AssetProgress) => void) | undefined;
  private readonly files: FetchedBytes[] = [];
  private done = 0;
  private total = 0;
  private fraction = 0;

  constructor(report: ((progress: AssetProgress) => void) | undefined) {
    this.report = report;
  }

  addFile(): void {
    this.total++;
  }

  finishFile(): void {
    this.done++;
    this.show();
  }

  /** Counts the bytes of a file while it arrives. Returns the function that ends it; bytes that have arrived stay counted. */
  watch(file: FetchedBytes & { readonly listeners: Set<() => void> }): () => void {
    const changed = () => this.show();
    this.files.push(file);
    file.listeners.add(changed);
    return () => {
      file.listeners.delete(changed);
      // Finished files count as complete.
      this.files[this.files.indexOf(file)] = { received: file.received, length: file.received };
    };
  }

  /** Called when everything is in use. */
  end(): void {
    this.fraction = 1;
    this.show();
  }

  private show(): void {
    const { report, files, done, total } = this;
    if (report === undefined) return;
    const isKnown = files.length > 0 && files.every(({ length }) => length !== undefined);
    const parts = files.reduce((sum, { received, length }) => sum + partOf(received, length), 0);
    // One is reported once, at the end: then everything is in use.
    const reached = total === 0 ? 0 : Math.min((done + parts) / total, 0.999);
    this.fraction = Math.max(this.fraction, reached);
    report({
      done,
      total,
      bytes: files.reduce((sum, { received }) => sum + received, 0),
      totalBytes: isKnown ? files.reduce((sum, { length }) => sum + (length ?? 0), 0) : undefined,
      fraction: this.fraction,
    });
  }
}

/** The fraction of an unfinished file that has arrived; finished files are counted by number. */
function partOf(received: number, length: number | undefined): number {
  return length === undefined || length === 0 || received >= length ? 0 : received / length;
}
