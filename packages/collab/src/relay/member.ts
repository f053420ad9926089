/**
 * One connection to the relay: reads messages of loro-protocol, puts the parts of large ones together, and sends large ones in parts.
 */
import { randomBytes } from "node:crypto";
import {
  decode,
  encode,
  type HexString,
  MAX_MESSAGE_SIZE,
  MessageType,
  type ProtocolMessage,
  UpdateStatusCode,
} from "loro-protocol";
import type { WebSocket } from "ws";
import type { Kind } from "./room.ts";

/** Bytes of one part of a large update; the rest of a message is its header. */
const PART = MAX_MESSAGE_SIZE - 4096;
/** The largest update that is put together from parts. */
const LARGEST = 256 * 2 ** 20;

/** Bytes that wait for a connection that does not read. It is ended then: the program behind it comes back and takes a snapshot. */
const MOST_WAITING = LARGEST;

interface Assembly {
  readonly batchId: HexString;
  readonly parts: (Uint8Array | undefined)[];
  missing: number;
  /** Bytes that are still to come. */
  bytes: number;
}

export class Member {
  /** The keys of the rooms that it is in. */
  readonly rooms = new Set<string>();
  private readonly socket: WebSocket;
  /** One at a time: what was begun and never ended is let go of. */
  private assembly: Assembly | undefined;
  /** The last update in parts that was refused: its parts are still on their way. */
  private refused: HexString | undefined;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  send(message: ProtocolMessage): void {
    if (!this.isOpen) return;
    if (this.socket.bufferedAmount > MOST_WAITING) this.socket.terminate();
    else this.socket.send(encode(message));
  }

  /** Sends updates, each in as many messages as it takes. */
  sendUpdates(crdt: Kind, roomId: string, updates: readonly Uint8Array[]): void {
    for (const update of updates) {
      const batchId: HexString = `0x${randomBytes(8).toString("hex")}`;
      const about = { crdt, roomId, batchId };
      if (update.length <= PART) {
        this.send({ type: MessageType.DocUpdate, ...about, updates: [update] });
        continue;
      }
      const fragmentCount = Math.ceil(update.length / PART);
      this.send({
        type: MessageType.DocUpdateFragmentHeader,
        ...about,
        fragmentCount,
        totalSizeBytes: update.length,
      });
      for (let index = 0; index < fragmentCount; index++) {
        const fragment = update.subarray(index * PART, (index + 1) * PART);
        this.send({ type: MessageType.DocUpdateFragment, ...about, index, fragment });
      }
    }
  }

  /** @returns The message; nothing where it is a part of one. @throws for what is not a message, or is too large */
  read(data: Uint8Array): ProtocolMessage | undefined {
    const message = decode(data);
    if (message.type === MessageType.DocUpdateFragmentHeader) {
      const { batchId, fragmentCount, totalSizeBytes } = message;
      this.assembly = undefined;
      // The relay keeps nothing for a connection that is not in the room.
      if (!this.rooms.has(keyOf(message.crdt, message.roomId))) {
        this.refused = batchId;
        const { crdt, roomId } = message;
        const status = UpdateStatusCode.PermissionDenied;
        this.send({ type: MessageType.Ack, crdt, roomId, refId: batchId, status });
        return undefined;
      }
      if (
        totalSizeBytes > LARGEST ||
        fragmentCount < 1 ||
        fragmentCount > Math.ceil(totalSizeBytes / 1024) + 1
      )
        throw new RangeError(`An update of ${totalSizeBytes} bytes in ${fragmentCount} parts.`);
      this.assembly = {
        batchId,
        parts: new Array(fragmentCount),
        missing: fragmentCount,
        bytes: totalSizeBytes,
      };
      return undefined;
    }
    if (message.type !== MessageType.DocUpdateFragment) return message;
    const { crdt, roomId, batchId, index, fragment } = message;
    if (batchId === this.refused) return undefined;
    const { assembly } = this;
    if (
      assembly?.batchId !== batchId ||
      index >= assembly.parts.length ||
      assembly.parts[index] !== undefined ||
      fragment.length > assembly.bytes
    )
      throw new RangeError("A part of an update that was not announced.");
    assembly.parts[index] = fragment;
    assembly.bytes -= fragment.length;
    assembly.missing--;
    if (assembly.missing > 0) return undefined;
    this.assembly = undefined;
    if (assembly.bytes > 0) throw new RangeError("An update of another size than announced.");
    const update = Buffer.concat(assembly.parts as Uint8Array[]);
    return { type: MessageType.DocUpdate, crdt, roomId, batchId, updates: [update] };
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }
}

/** Under which the relay and its members know a room. */
export function keyOf(crdt: string, room: string): string {
  return `${crdt}${room}`;
}
