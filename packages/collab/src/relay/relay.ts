/**
 * The relay: rooms by name, on a WebSocket server. It speaks loro-protocol, as the client of loro-websocket does.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CrdtType,
  type DocUpdate,
  JoinErrorCode,
  type JoinRequest,
  MessageType,
  UpdateStatusCode,
} from "loro-protocol";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { RelayGoneError } from "../errors.ts";
import { keyOf, Member } from "./member.ts";
import { type RelayOptions, requireOptions } from "./relay-options.ts";
import { DocumentRoom, isKind, type Kind, PresenceRoom, type RoomContent } from "./room.ts";

/** A relay that runs. */
export interface Relay {
  /** The port it listens on. */
  readonly port: number;
  /** The address to join: `ws://127.0.0.1:4000`. */
  readonly url: string;
  /** Saves what is to be saved, and ends all connections. */
  close(): Promise<void>;
}

interface Room {
  readonly id: string;
  readonly kind: Kind;
  readonly content: RoomContent;
  readonly members: Set<Member>;
  /** Who fills it with a scene, while it is empty. */
  founder: Member | undefined;
  /** Set while there is something to save. */
  timer: ReturnType<typeof setTimeout> | undefined;
  /** One save at a time, so that the last one wins. */
  saved: Promise<void>;
  /** It was forgotten: the next join opens it again. */
  isReleased: boolean;
}

/** Milliseconds between two looks at whether connections still answer. */
const BEAT = 30_000;

/**
 * Opens a relay, at which the programs of a session meet. It holds the rooms in memory; `load` and `save` keep them longer.
 *
 * @throws InvalidOptionError, InvalidCollabError for options that cannot work; RelayGoneError when it cannot listen.
 *
 * @example
 * ```ts
 * import { openRelay } from "@espalier/collab/relay";
 *
 * const relay = await openRelay({ token: "secret" });
 * relay.url.startsWith("ws://127.0.0.1:"); // → true
 * await relay.close();
 * ```
 */
export async function openRelay(options: RelayOptions = {}): Promise<Relay> {
  requireOptions(options);
  const { port = 0, host = "127.0.0.1", server, path, accept } = options;
  const where = server === undefined ? { port, host } : { server };
  const sockets = new WebSocketServer({
    ...where,
    ...(path === undefined ? {} : { path }),
    ...(accept === undefined ? {} : { verifyClient: ({ req }: { req: IncomingMessage }) => accept(req) }),
    maxPayload: 2 ** 20,
  });
  const rooms = new Rooms(options);
  sockets.on("connection", (socket) => rooms.welcome(socket));
  if (server === undefined) {
    try {
      await once(sockets, "listening");
    } catch (error) {
      throw new RelayGoneError(
        `Cannot open a relay on ${host}:${port}: ${(error as Error).message}. Choose another port, or end the program that has it.`,
        { option: "port", value: port, cause: error },
      );
    }
  }
  const address = (server ?? sockets).address() as AddressInfo;
  const answered = new WeakSet<WebSocket>();
  sockets.on("connection", (socket) => {
    answered.add(socket);
    socket.on("pong", () => answered.add(socket));
  });
  // A machine that went to sleep says no goodbye.
  const beat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (answered.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, BEAT);
  beat.unref();
  return {
    port: address.port,
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${address.port}${path ?? ""}`,
    async close() {
      clearInterval(beat);
      for (const socket of sockets.clients) socket.terminate();
      await new Promise<void>((resolve) => sockets.close(() => resolve()));
      await rooms.close();
    },
  };
}

class Rooms {
  private readonly options: RelayOptions;
  private readonly digest: Buffer | undefined;
  private readonly rooms = new Map<string, Promise<Room>>();
  /** Rooms with a document. */
  private count = 0;
  private isClosing = false;

  constructor(options: RelayOptions) {
    this.options = options;
    this.digest = options.token === undefined ? undefined : digestOf(Buffer.from(options.token));
  }

  welcome(socket: WebSocket): void {
    const member = new Member(socket);
    // Messages are answered in their order, also where a room has to be loaded first.
    let last = Promise.resolve();
    socket.on("message", (data, isBinary) => {
      last = last
        .then(() => this.receive(member, socket, data, isBinary))
        .catch(() => member.close(1002, "protocol_error"));
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const key of member.rooms) this.leave(member, key);
    });
  }

  private leave(member: Member, key: string): void {
    member.rooms.delete(key);
    // It was opened, or there would be no member.
    void this.rooms.get(key)?.then((room) => {
      room.members.delete(member);
      const news = room.content.left(member);
      for (const other of room.members) other.sendUpdates(room.kind, room.id, news);
      return this.release(key, room);
    });
  }

  /** Forgets a room without members, where nothing is lost by that. */
  private async release(key: string, room: Room): Promise<void> {
    const { load, save } = this.options;
    if (room.members.size > 0 || this.isClosing) return;
    if (!room.content.isEmpty) {
      if (load === undefined || save === undefined) return;
      if (room.timer !== undefined) await this.save(room);
      await room.saved;
      // Not saved, or a member came back meanwhile.
      if (room.timer !== undefined || room.members.size > 0) return;
    }
    if (this.isClosing || room.isReleased) return;
    room.isReleased = true;
    this.forget(key, room.kind);
    room.content.close();
  }

  private async receive(member: Member, socket: WebSocket, data: RawData, isBinary: boolean): Promise<void> {
    if (!isBinary) {
      if (String(data) === "ping") socket.send("pong");
      return;
    }
    const message = member.read(data as Buffer);
    if (message === undefined) return;
    if (message.type === MessageType.JoinRequest) await this.join(member, socket, message);
    else if (message.type === MessageType.DocUpdate) await this.update(member, message);
    else if (message.type === MessageType.Leave) {
      const key = keyOf(message.crdt, message.roomId);
      if (member.rooms.has(key)) this.leave(member, key);
    }
  }

  private async join(
    member: Member,
    socket: WebSocket,
    { crdt, roomId, auth, version }: JoinRequest,
  ): Promise<void> {
    const refuse = (code: (typeof JoinErrorCode)[keyof typeof JoinErrorCode], message: string) =>
      member.send({ type: MessageType.JoinError, crdt, roomId, code, message });
    if (this.digest !== undefined && !timingSafeEqual(digestOf(auth), this.digest))
      return refuse(JoinErrorCode.AuthFailed, "the token is wrong");
    if (!isKind(crdt)) return refuse(JoinErrorCode.AppError, `it has no rooms of the kind ${crdt}`);
    if (Buffer.byteLength(roomId) > LONGEST_NAME) throw new RangeError("The name of the room is too long.");
    const key = keyOf(crdt, roomId);
    const { maxRooms = 1000 } = this.options;
    if (crdt === CrdtType.Loro && !this.rooms.has(key) && this.count >= maxRooms)
      return refuse(JoinErrorCode.AppError, `it holds ${maxRooms} rooms already, and no more fit`);
    let room: Room;
    // What comes meanwhile stays with the sender.
    socket.pause();
    try {
      do room = await this.roomOf(crdt, roomId);
      while (room.isReleased);
    } catch (error) {
      this.report(error);
      return refuse(JoinErrorCode.Unknown, "the room could not be loaded");
    } finally {
      socket.resume();
    }
    try {
      if (member.isOpen) this.enter(member, room, version);
    } finally {
      if (room.members.size === 0) await this.release(key, room);
    }
  }

  private enter(member: Member, room: Room, version: Uint8Array): void {
    const { id: roomId, kind: crdt, content, members } = room;
    if (room.founder === undefined || !members.has(room.founder)) room.founder = member;
    const isWaiting = content instanceof DocumentRoom && content.isEmpty && room.founder !== member;
    const updates = content.missing(version);
    member.rooms.add(keyOf(crdt, roomId));
    members.add(member);
    member.send({
      type: MessageType.JoinResponseOk,
      crdt,
      roomId,
      permission: "write",
      version: content.version(),
      extra: new Uint8Array([isWaiting ? WAIT : FOUND]),
    });
    member.sendUpdates(crdt, roomId, updates);
  }

  private async update(member: Member, { crdt, roomId, batchId, updates }: DocUpdate): Promise<void> {
    const key = keyOf(crdt, roomId);
    const room = member.rooms.has(key) ? await this.rooms.get(key) : undefined;
    const answer = (status: (typeof UpdateStatusCode)[keyof typeof UpdateStatusCode]) =>
      member.send({ type: MessageType.Ack, crdt, roomId, refId: batchId, status });
    if (room === undefined || room.isReleased) return answer(UpdateStatusCode.PermissionDenied);
    try {
      room.content.apply(updates, member);
    } catch {
      return answer(UpdateStatusCode.InvalidUpdate);
    }
    answer(UpdateStatusCode.Ok);
    for (const other of room.members) if (other !== member) other.sendUpdates(room.kind, roomId, updates);
    this.saveSoon(room);
  }

  private roomOf(kind: Kind, id: string): Promise<Room> {
    const key = keyOf(kind, id);
    let room = this.rooms.get(key);
    if (room === undefined) {
      room = this.open(kind, id);
      this.rooms.set(key, room);
      if (kind === CrdtType.Loro) this.count++;
      room.catch(() => this.forget(key, kind));
    }
    return room;
  }

  private forget(key: string, kind: Kind): void {
    this.rooms.delete(key);
    if (kind === CrdtType.Loro) this.count--;
  }

  private async open(kind: Kind, id: string): Promise<Room> {
    const isDocument = kind === CrdtType.Loro;
    const content = isDocument ? new DocumentRoom(await this.options.load?.(id)) : new PresenceRoom();
    const saved = Promise.resolve();
    return {
      id,
      kind,
      content,
      members: new Set(),
      founder: undefined,
      timer: undefined,
      saved,
      isReleased: false,
    };
  }

  private saveSoon(room: Room): void {
    if (this.options.save === undefined || room.kind !== CrdtType.Loro) return;
    room.timer ??= setTimeout(
      () => void this.save(room).then(() => this.release(keyOf(room.kind, room.id), room)),
      this.options.saveEvery ?? 10_000,
    );
  }

  private save(room: Room): Promise<void> {
    clearTimeout(room.timer);
    room.timer = undefined;
    room.saved = room.saved.then(async () => {
      try {
        await this.options.save?.(room.id, (room.content as DocumentRoom).bytes());
      } catch (error) {
        this.report(error);
        if (!this.isClosing) this.saveSoon(room);
      }
    });
    return room.saved;
  }

  private report(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    if (this.options.onError !== undefined) this.options.onError(known);
    else console.error(known);
  }

  async close(): Promise<void> {
    this.isClosing = true;
    for (const opened of await Promise.allSettled(this.rooms.values())) {
      if (opened.status === "rejected") continue;
      const room = opened.value;
      if (room.timer !== undefined) void this.save(room);
      await room.saved;
      room.content.close();
    }
    this.rooms.clear();
  }
}

/** Bytes of the name of a room, as the protocol has it. */
const LONGEST_NAME = 128;

/** What the answer to a join says of an empty room: another member is about to fill it, or this one may. */
const WAIT = 0;
const FOUND = 1;

/** Of one length, whatever was sent. */
function digestOf(token: Uint8Array): Buffer {
  return createHash("sha256").update(token).digest();
}
