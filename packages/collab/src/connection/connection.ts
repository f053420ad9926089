/**
 * The connection to the relay: it joins, reconnects automatically after the connection was cut, and reports its status.
 */
import type { EphemeralStore, LoroDoc } from "loro-crdt";
import { LoroWebsocketClient } from "loro-websocket";
import { type CollabError, JoinRefusedError, RelayGoneError } from "../errors.ts";
import { DocumentAdaptor, PresenceAdaptor } from "./adaptors.ts";

/** `syncing`: connected, and missed updates are being transferred. `offline`: edits are kept and merged when the connection is back. */
export type SessionStatus = "online" | "offline" | "syncing";

export interface ConnectionOptions {
  readonly url: string;
  readonly room: string;
  readonly token: string | undefined;
  readonly doc: LoroDoc;
  readonly presence: EphemeralStore;
  receive(updates: Uint8Array[]): void;
  changed(status: SessionStatus): void;
  /** Called when it will not reconnect automatically. */
  failed(error: CollabError): void;
}

/** The client starts to connect when it is created, with a promise that no other code could catch. */
class Client extends LoroWebsocketClient {
  override connect(options?: { resetBackoff?: boolean }): Promise<void> {
    const connected = super.connect(options);
    connected.catch(() => {});
    return connected;
  }
}

/** Milliseconds that leaving waits for the relay. */
const DRAIN = 2000;

export class Connection {
  status: SessionStatus = "syncing";
  private readonly options: ConnectionOptions;
  private readonly adaptor: DocumentAdaptor;
  private client: Client | undefined;
  private isClosed = false;
  private whenSynced: () => void = () => {};

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.adaptor = new DocumentAdaptor(options.doc, {
      receive: (updates) => options.receive(updates),
      rejected: () =>
        options.failed(
          new RelayGoneError(
            `The relay did not take an edit in ${options.room}: it runs another version of loro-crdt, or the edit is too large. Join again.`,
            { subject: options.room },
          ),
        ),
      synced: () => {
        this.set("online");
        this.whenSynced();
      },
    });
  }

  /** Whether another member is about to fill the room. */
  get mustWait(): boolean {
    return this.adaptor.mustWait;
  }

  /** Joins, and receives the content of the room. @throws JoinRefusedError, RelayGoneError */
  async join(timeout: number): Promise<void> {
    const { url, room, token = "", presence, doc } = this.options;
    const synced = new Promise<void>((resolve) => {
      this.whenSynced = resolve;
    });
    const client = new Client({ url, onError: () => {}, onWsClose: () => this.set("offline") });
    this.client = client;
    const auth = new TextEncoder().encode(token);
    const join = async () => {
      await client.join({
        roomId: room,
        crdtAdaptor: this.adaptor,
        auth,
        onStatusChange: (status) => this.follow(status),
      });
      await client.join({ roomId: room, crdtAdaptor: new PresenceAdaptor(presence, doc.peerIdStr), auth });
      await synced;
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new RelayGoneError(
              `Cannot join ${room}: the relay at ${url} did not answer within ${timeout} ms. Start it, or check the address.`,
              { subject: room, limit: timeout },
            ),
          ),
        timeout,
      );
    });
    try {
      await Promise.race([join(), late]);
    } catch (error) {
      this.close();
      throw error instanceof RelayGoneError ? error : refusal(room, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private follow(status: string): void {
    if (status === "reconnecting") this.set("offline");
    else if (status === "joined" && this.status === "offline") this.set("syncing");
    else if (status === "error" && this.whenSynced !== undefined && this.status !== "syncing")
      this.options.failed(refusal(this.options.room, new Error("the relay refused to let it come back")));
  }

  private set(status: SessionStatus): void {
    if (this.isClosed || status === this.status) return;
    this.status = status;
    this.options.changed(status);
  }

  /** Resolves when the relay has received everything, or is not reachable. */
  async drain(): Promise<void> {
    // The relay answers in the order of the messages.
    if (this.status !== "offline") await this.client?.ping(DRAIN).catch(() => {});
  }

  /** Ends the connection. */
  close(): void {
    this.set("offline");
    this.isClosed = true;
    this.adaptor.destroy();
    // In Node a socket that is closed while it connects emits an error, and an unhandled one ends the program.
    this.client?.socket?.addEventListener("error", () => {});
    this.client?.destroy();
  }
}

function refusal(room: string, error: unknown): CollabError {
  const reason = error instanceof Error ? error.message : String(error);
  return new JoinRefusedError(
    `Cannot join ${room}: ${reason}. Check the token, and that the address is that of a relay.`,
    { subject: room, cause: error },
  );
}
