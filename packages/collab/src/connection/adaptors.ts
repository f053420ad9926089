/**
 * The interfaces that the client of loro-websocket needs of a document and of a presence store.
 */
import type { EphemeralStore, LoroDoc } from "loro-crdt";
import { VersionVector } from "loro-crdt";
import { CrdtType, type JoinResponseOk, UpdateStatusCode } from "loro-protocol";
import type { CrdtDocAdaptor } from "loro-websocket";

type Context = Parameters<CrdtDocAdaptor["setCtx"]>[0];

/** The reactions of a document to messages of the connection. */
export interface DocumentEvents {
  /** Applies updates of others to the document. */
  receive(updates: Uint8Array[]): void;
  /** The relay could not read a sent update. */
  rejected(): void;
  /** The document has everything that the relay had when joining. */
  synced(): void;
}

export class DocumentAdaptor implements CrdtDocAdaptor {
  readonly crdtType = CrdtType.Loro;
  /** Whether another member is about to fill the room. */
  mustWait = false;
  private readonly doc: LoroDoc;
  private readonly events: DocumentEvents;
  private wanted: VersionVector | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(doc: LoroDoc, events: DocumentEvents) {
    this.doc = doc;
    this.events = events;
  }

  setCtx(context: Context): void {
    this.unsubscribe?.();
    this.unsubscribe = this.doc.subscribeLocalUpdates((update) => context.send([update]));
    this.send = (update) => context.send([update]);
  }

  private send: (update: Uint8Array) => void = () => {};

  async handleJoinOk({ version, extra }: JoinResponseOk): Promise<void> {
    this.mustWait = extra?.[0] === 0;
    const wanted = version.length > 0 ? VersionVector.decode(version) : new VersionVector(null);
    const order = this.doc.version().compare(wanted);
    // Edits made while there was no connection.
    if (order === undefined || order > 0) this.send(this.doc.export({ mode: "update", from: wanted }));
    this.wanted = wanted;
    this.check();
  }

  applyUpdate(updates: Uint8Array[]): void {
    this.events.receive(updates);
    this.check();
  }

  private check(): void {
    if (this.wanted === undefined) return;
    const order = this.doc.version().compare(this.wanted);
    if (order === undefined || order < 0) return;
    this.wanted = undefined;
    this.events.synced();
  }

  onUpdateError(_: Uint8Array[], code: number): void {
    // Updates sent before the relay recognises the connection again are sent once more.
    if (code === UpdateStatusCode.InvalidUpdate || code === UpdateStatusCode.PayloadTooLarge)
      this.events.rejected();
  }

  cmpVersion(version: Uint8Array): 0 | 1 | -1 | undefined {
    return this.doc.version().compare(VersionVector.decode(version)) as 0 | 1 | -1 | undefined;
  }

  /** Empty for an empty document: the relay then answers with a snapshot, which is read a hundred times faster. */
  getVersion(): Uint8Array {
    return this.doc.opCount() === 0 ? new Uint8Array() : this.doc.version().encode();
  }

  waitForReachingServerVersion(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {
    this.unsubscribe?.();
  }
}

export class PresenceAdaptor implements CrdtDocAdaptor {
  readonly crdtType = CrdtType.LoroEphemeralStore;
  private readonly store: EphemeralStore;
  private readonly own: string;
  private unsubscribe: (() => void) | undefined;

  /** @param own - The key of this program. */
  constructor(store: EphemeralStore, own: string) {
    this.store = store;
    this.own = own;
  }

  setCtx(context: Context): void {
    this.unsubscribe?.();
    this.unsubscribe = this.store.subscribeLocalUpdates((update) => context.send([update]));
  }

  async handleJoinOk(): Promise<void> {
    // Sent again, so that the relay knows the connection of this program.
    const state = this.store.get(this.own);
    if (state !== undefined) this.store.set(this.own, state);
  }

  applyUpdate(updates: Uint8Array[]): void {
    for (const update of updates) this.store.apply(update);
  }

  cmpVersion(): 0 {
    return 0;
  }

  getVersion(): Uint8Array {
    return new Uint8Array();
  }

  waitForReachingServerVersion(): Promise<void> {
    return Promise.resolve();
  }

  destroy(): void {
    this.unsubscribe?.();
  }
}
