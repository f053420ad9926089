/**
 * A room of the relay: one document, or the presence of its members, and the sockets that follow it.
 */
import { EphemeralStore, LoroDoc, VersionVector } from "loro-crdt";
import { CrdtType } from "loro-protocol";

export interface RoomContent {
  /** Whether nothing is lost when it is forgotten. */
  readonly isEmpty: boolean;
  /** Takes updates of a member. @throws when they cannot be read */
  apply(updates: readonly Uint8Array[], member: object): void;
  /** A member is gone. Returns what the other members must be sent. */
  left(member: object): readonly Uint8Array[];
  /** What a member that joins lacks. */
  missing(version: Uint8Array): Uint8Array[];
  version(): Uint8Array;
  close(): void;
}

/** The document is kept alive: a relay that reads and writes it for each edit takes 50 ms of CPU for each where 10,000 entities are shared. */
export class DocumentRoom implements RoomContent {
  readonly doc = new LoroDoc();
  private snapshot: Uint8Array | undefined;

  constructor(data: Uint8Array | undefined) {
    if (data !== undefined) this.doc.import(data);
  }

  apply(updates: readonly Uint8Array[]): void {
    this.doc.importBatch([...updates]);
    this.snapshot = undefined;
  }

  left(): readonly Uint8Array[] {
    return [];
  }

  get isEmpty(): boolean {
    return this.doc.opCount() === 0;
  }

  missing(version: Uint8Array): Uint8Array[] {
    if (this.isEmpty) return [];
    // A snapshot is read a hundred times faster than the edits that led to it.
    if (version.length === 0) return [this.bytes()];
    return [this.doc.export({ mode: "update", from: VersionVector.decode(version) })];
  }

  version(): Uint8Array {
    return this.doc.version().encode();
  }

  bytes(): Uint8Array {
    this.snapshot ??= this.doc.export({ mode: "snapshot" });
    return this.snapshot;
  }

  close(): void {
    this.doc.free();
  }
}

/** Milliseconds after which a member that says nothing is forgotten. */
const SILENCE = 30_000;

/** Selections and cursors. */
export class PresenceRoom implements RoomContent {
  private readonly store = new EphemeralStore(SILENCE);
  /** By key: the member that wrote it last. One that comes back by another connection has its key there. */
  private readonly writers = new Map<string, object>();
  /** What members that left said of themselves is over. */
  readonly isEmpty = true;

  apply(updates: readonly Uint8Array[], member: object): void {
    const end = this.store.subscribe(({ added, updated, removed }) => {
      for (const key of [...added, ...updated]) this.writers.set(key, member);
      for (const key of removed) this.writers.delete(key);
    });
    try {
      for (const update of updates) this.store.apply(update);
    } finally {
      end();
    }
  }

  /** A program that was killed says no goodbye, and would be shown until its silence is noticed. */
  left(member: object): readonly Uint8Array[] {
    const gone: Uint8Array[] = [];
    for (const [key, writer] of this.writers) {
      if (writer !== member) continue;
      this.writers.delete(key);
      this.store.delete(key);
      gone.push(this.store.encode(key));
    }
    return gone;
  }

  missing(): Uint8Array[] {
    const all = this.store.encodeAll();
    return all.length === 0 ? [] : [all];
  }

  version(): Uint8Array {
    return new Uint8Array();
  }

  close(): void {
    this.store.destroy();
  }
}

export type Kind = typeof CrdtType.Loro | typeof CrdtType.LoroEphemeralStore;

export function isKind(crdt: string): crdt is Kind {
  return crdt === CrdtType.Loro || crdt === CrdtType.LoroEphemeralStore;
}
