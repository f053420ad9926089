/**
 * Unsaved work in the storage of the browser, to recover it after a crash.
 *
 * Each page stores its own, under a name that it locks while it is open: entries without a lock were left behind. So two
 * pages do not overwrite each other, and work that is still open elsewhere is not offered.
 */
import { createStore, delMany, entries, set, setMany } from "idb-keyval";
import type { StoredChanges } from "./changes-since.ts";

/** A document as it would be saved. */
export interface UnsavedDocument {
  readonly name: string;
  /** Its path on the server, if it comes from one. */
  readonly file: string | undefined;
  readonly text: string;
  /** The content and version of its file when it was last opened or saved. */
  readonly base?: string | undefined;
  readonly version?: string | undefined;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Unsaved work: the scene, then the prefabs that are edited in place, the one in front last. */
export interface Recovery {
  readonly documents: readonly UnsavedDocument[];
  /** What changed in each document after its text was kept, if anything did. */
  readonly changes?: readonly StoredChanges[] | undefined;
  /** When this state was current, in milliseconds since 1970. */
  readonly time: number;
}

/** Changes as they are stored, beside the text. */
export interface KeptChanges {
  readonly changes: readonly StoredChanges[];
  readonly time: number;
}

/** Work that a page left behind. */
export interface LeftWork extends Recovery {
  readonly session: string;
}

/** The storage of the browser, which tests can replace. */
export interface RecoveryStorage {
  /** Replaces the stored work and changes. */
  set(session: string, work: Recovery): Promise<void>;
  /** Replaces the stored changes. */
  setChanges(session: string, changes: KeptChanges): Promise<void>;
  delete(session: string): Promise<void>;
  /** All stored work, with its changes. */
  all(): Promise<readonly (readonly [session: string, work: Recovery])[]>;
  /** Holds a name until the page ends. */
  hold(session: string): void;
  /** The names that pages hold. */
  held(): Promise<readonly string[]>;
}

/** Older work is no longer offered. */
const MOST_DAYS = 30;

/** The unsaved work of one page, and what other pages left behind. */
export class RecoveryStore {
  private readonly session = crypto.randomUUID();
  private readonly storage: RecoveryStorage;
  /** When the stored state was current, in milliseconds since 1970; 0 before the first. */
  written = 0;

  constructor(storage: RecoveryStorage = browserStorage()) {
    this.storage = storage;
    storage.hold(this.session);
  }

  /** Stores work in place of what was stored before. Private windows may have no storage; work is then lost with the page. */
  async keep(work: Omit<Recovery, "time">): Promise<void> {
    const time = Date.now();
    await this.note(time, this.storage.set(this.session, { ...work, time }));
  }

  /** Stores the changes since then, in place of the changes stored before. */
  async keepChanges(changes: readonly StoredChanges[]): Promise<void> {
    const time = Date.now();
    await this.note(time, this.storage.setChanges(this.session, { changes, time }));
  }

  private async note(time: number, writing: Promise<void>): Promise<void> {
    try {
      await writing;
      this.written = time;
    } catch {
      // Not reported: the page itself still has it.
    }
  }

  /** Removes the work of this page, because nothing is unsaved. */
  async clear(): Promise<void> {
    await this.storage.delete(this.session).catch(() => {});
  }

  /** Drops what another page left behind. */
  async drop({ session }: LeftWork): Promise<void> {
    await this.storage.delete(session).catch(() => {});
  }

  /** The newest work that a page left behind, if any. */
  async left(): Promise<LeftWork | undefined> {
    try {
      const [all, held] = await Promise.all([this.storage.all(), this.storage.held()]);
      const alive = new Set([...held, this.session]);
      const left = all
        .filter(([session]) => !alive.has(session))
        .map(([session, work]) => ({ ...work, session }))
        .sort((a, b) => b.time - a.time);
      const oldest = Date.now() - MOST_DAYS * 86_400_000;
      for (const work of left) if (!(work.time > oldest)) await this.drop(work);
      return left.find(({ time }) => time > oldest);
    } catch {
      return undefined;
    }
  }
}

function browserStorage(): RecoveryStorage {
  const store = createStore("espalier-editor-recovery", "sessions");
  const lock = (session: string) => `espalier-editor ${session}`;
  const changesOf = (session: string) => `${session} changes`;
  return {
    set: (session, work) =>
      setMany(
        [
          [session, work],
          [changesOf(session), undefined],
        ],
        store,
      ),
    // As text: a browser copies one text faster than many small objects.
    setChanges: (session, changes) => set(changesOf(session), JSON.stringify(changes), store),
    delete: (session) => delMany([session, changesOf(session)], store),
    all: async () => {
      const found = new Map(await entries<string, unknown>(store));
      return [...found].flatMap(([session, work]) => {
        if (!isWork(work)) return [];
        const changes = found.get(changesOf(session));
        if (typeof changes !== "string") return [[session, work] as const];
        return [[session, { ...work, ...(JSON.parse(changes) as KeptChanges) }] as const];
      });
    },
    hold: (session) => void navigator.locks?.request(lock(session), () => new Promise(() => {})),
    held: async () =>
      ((await navigator.locks?.query())?.held ?? []).map(({ name = "" }) => name.replace(lock(""), "")),
  };
}

function isWork(value: unknown): value is Recovery {
  return typeof value === "object" && value !== null && Array.isArray((value as Recovery).documents);
}
