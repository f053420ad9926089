/** The relay against what members send that is not as it should be, and what it keeps of rooms. */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { CrdtType, decode, encode, MessageType, type ProtocolMessage, UpdateStatusCode } from "loro-protocol";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { joinScene, type SharedSession } from "../src/index.ts";
import { openRelay, type Relay, type RelayOptions } from "../src/relay/index.ts";
import { format, level, prefabs } from "./peers.ts";

globalThis.WebSocket ??= NodeWebSocket as never;

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function relay(options: RelayOptions = {}): Promise<Relay> {
  const opened = await openRelay(options);
  open.push(opened);
  return opened;
}

async function join(url: string, room = "level", text = level): Promise<SharedSession> {
  const scene = format.load(createHierarchy(createWorld()), text, { prefabs });
  const session = await joinScene(scene, { format, prefabs, url, room, user: { name: "Ada" } });
  open.push({ close: () => session.leave() });
  return session;
}

/** The sockets of a session, to cut them as a dead network does. */
function socketsOf(session: SharedSession): { terminate(): void }[] {
  const { client } = (session as unknown as { connection: { client: { socket: { terminate(): void } } } })
    .connection;
  return [client.socket];
}

const until = (test: () => boolean) => expect.poll(test, { timeout: 20_000, interval: 10 }).toBe(true);

interface Raw {
  send(message: ProtocolMessage): void;
  next(): Promise<ProtocolMessage>;
  readonly closed: Promise<number>;
}

async function connect(url: string): Promise<Raw> {
  const socket = new NodeWebSocket(url);
  const arrived: ProtocolMessage[] = [];
  const waiting: ((message: ProtocolMessage) => void)[] = [];
  socket.on("message", (data: Buffer) => {
    const message = decode(data);
    const first = waiting.shift();
    if (first === undefined) arrived.push(message);
    else first(message);
  });
  const closed = new Promise<number>((resolve) => void socket.on("close", resolve));
  await new Promise((resolve) => void socket.on("open", resolve));
  open.push({ close: () => socket.terminate() });
  return {
    send: (message) => socket.send(encode(message)),
    next: () =>
      new Promise((resolve) => {
        const message = arrived.shift();
        if (message === undefined) waiting.push(resolve);
        else resolve(message);
      }),
    closed,
  };
}

const crdt = CrdtType.Loro;
const roomId = "level";
const request = {
  type: MessageType.JoinRequest,
  crdt,
  roomId,
  auth: new Uint8Array(),
  version: new Uint8Array(),
} as const;
const header = (fragmentCount: number, totalSizeBytes: number) =>
  ({
    type: MessageType.DocUpdateFragmentHeader,
    crdt,
    roomId,
    batchId: "0x0000000000000001",
    fragmentCount,
    totalSizeBytes,
  }) as const;
const part = (index: number, size: number) =>
  ({
    type: MessageType.DocUpdateFragment,
    crdt,
    roomId,
    batchId: "0x0000000000000001",
    index,
    fragment: new Uint8Array(size),
  }) as const;

describe("the relay", () => {
  it("keeps no parts of an update for a connection that has not joined, and lets it join then", async () => {
    const raw = await connect((await relay()).url);
    raw.send(header(2, 2000));
    raw.send(part(0, 1000));
    raw.send(part(1, 1000));
    expect(await raw.next()).toMatchObject({
      type: MessageType.Ack,
      status: UpdateStatusCode.PermissionDenied,
    });
    raw.send(request);
    expect(await raw.next()).toMatchObject({ type: MessageType.JoinResponseOk });
  });

  it.each([
    ["more bytes than announced", [header(3, 3000), part(0, 1000), part(1, 2500)]],
    ["fewer bytes than announced", [header(2, 3000), part(0, 1000), part(1, 1000)]],
    ["the same part twice", [header(3, 3000), part(0, 1000), part(0, 1000)]],
    ["no parts", [header(0, 3000)]],
    ["more than fits into memory", [header(1000, 2 ** 30)]],
    ["parts of nothing", [part(0, 10)]],
  ] as const)("ends a connection that sends %s", async (_, messages) => {
    const raw = await connect((await relay()).url);
    raw.send(request);
    await raw.next();
    for (const message of messages) raw.send(message);
    expect(await raw.closed).toBe(1002);
  });

  it("answers an update that it cannot read, and continues", async () => {
    const { url } = await relay();
    const ada = await join(url);
    const raw = await connect(url);
    raw.send(request);
    raw.send({
      type: MessageType.DocUpdate,
      crdt,
      roomId,
      batchId: "0x0000000000000002",
      updates: [new Uint8Array(64)],
    });
    let answer = await raw.next();
    while (answer.type !== MessageType.Ack) answer = await raw.next();
    expect(answer).toMatchObject({ status: UpdateStatusCode.InvalidUpdate });
    const bob = await join(url, "level", `{ "entities": [] }`);
    expect(bob.scene.save()).toBe(ada.scene.save());
  });

  it("refuses a room beyond its limit, and accepts one again when a room is empty", async () => {
    const { url } = await relay({ maxRooms: 1 });
    const raw = await connect(url);
    raw.send(request);
    await raw.next();
    await expect(join(url, "other")).rejects.toMatchObject({ code: "collab/join-refused" });
    raw.send({ type: MessageType.Leave, crdt, roomId });
    const again = await join(url, "other");
    expect(again.status).toBe("online");
  });

  it("drops a member that left without a message, and keeps one that came back by another connection", async () => {
    const { url } = await relay();
    const ada = await join(url);
    const bob = await join(url);
    await until(() => ada.others.length === 1);
    const sockets = socketsOf(bob);
    for (const socket of sockets) socket.terminate();
    await until(() => ada.others.length === 0);
    // The client comes back by itself.
    await until(() => ada.others.length === 1 && bob.others.length === 1);
    bob.setPresence({ selection: [bob.scene.entity("rock")] });
    await until(() => ada.others[0]?.selection.length === 1);
  });

  it("saves a room when the last member leaves, forgets it, and loads it for the next", async () => {
    const saved = new Map<string, Uint8Array>();
    let loads = 0;
    const { url } = await relay({
      load: (room) => {
        loads++;
        return saved.get(room);
      },
      save: (room, bytes) => void saved.set(room, bytes),
    });
    const ada = await join(url);
    const text = ada.scene.save();
    await ada.leave();
    await until(() => saved.has("level"));
    const bob = await join(url, "level", `{ "entities": [] }`);
    expect(bob.scene.save()).toBe(text);
    expect(loads).toBe(2);
  });

  it("retries a failed save, and runs one save after the other", async () => {
    const errors: Error[] = [];
    let running = 0;
    let most = 0;
    let attempts = 0;
    const { url } = await relay({
      saveEvery: 1,
      onError: (error) => errors.push(error),
      async save() {
        attempts++;
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running--;
        if (attempts === 1) throw new Error("the disk is full");
      },
    });
    const ada = await join(url);
    await until(() => attempts >= 2);
    for (let k = 0; k < 5; k++) {
      ada.scene.tree.setName(ada.scene.entity("rock"), `rock${k}`);
      ada.flush();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await until(() => attempts >= 4);
    expect(most).toBe(1);
    expect(errors.map(({ message }) => message)).toEqual(["the disk is full"]);
  });

  it("is refused with invalid options", async () => {
    await expect(openRelay({ maxRooms: 0 })).rejects.toMatchObject({
      code: "collab/invalid-use",
      option: "maxRooms",
    });
    const { createServer } = await import("node:http");
    await expect(openRelay({ server: createServer() })).rejects.toMatchObject({ option: "server" });
  });
});
