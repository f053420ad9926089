/**
 * Joins a room with a scene.
 */
import { checkOptions } from "espalier";
import type { Scene } from "espalier/scene";
import { LoroDoc } from "loro-crdt";
import { Connection } from "./connection/connection.ts";
import { SharedDocument } from "./document/shared-document.ts";
import { type SharedSchema, sharedSchemaOf } from "./document/shared-schema.ts";
import { InvalidCollabError, RelayGoneError, UnknownComponentError, VersionMismatchError } from "./errors.ts";
import { Presence, type SharedUser } from "./presence.ts";
import { SharedSession } from "./session.ts";
import { giveScene, takeScene } from "./shared-scenes.ts";
import { Binding } from "./world/binding.ts";
import type { SharedSceneOptions } from "./world/shared-world.ts";

/** Options of `joinScene`. */
export interface JoinOptions extends SharedSceneOptions {
  /** The address of the relay: `ws://127.0.0.1:4000`, or `wss://` through a proxy with TLS. */
  readonly url: string;
  /** All programs that join the same room edit the same scene. */
  readonly room: string;
  /** The user of this program. */
  readonly user: SharedUser;
  /** The token that the relay requires. */
  readonly token?: string;
  /** Milliseconds until the relay must have answered: 10,000 if left out. */
  readonly timeout?: number;
}

const optionKinds = {
  url: "anything",
  room: "anything",
  user: "anything",
  token: "anything",
  timeout: "anything",
  format: "anything",
  prefabs: "anything",
  file: "anything",
  unknown: ["refuse", "keep"],
  codecs: "anything",
} as const;

/** The version of the document layout. It changes when older layouts can no longer be read. */
const LAYOUT = 1;

/**
 * Edits a scene together with everyone else in the room. The first one fills the room with the scene; for all others the scene
 * is replaced by the content of the room. From then on edit the world as usual.
 *
 * @throws InvalidOptionError, InvalidCollabError, JoinRefusedError, RelayGoneError, VersionMismatchError,
 * UnknownComponentError; the scene is unchanged then.
 */
export async function joinScene(scene: Scene, options: JoinOptions): Promise<SharedSession> {
  checkOptions(true, "join a scene", options, optionKinds);
  requireOptions(scene, options);
  const { url, room, token, user, timeout = 10_000, format } = options;
  const schema = sharedSchemaOf(format, options.codecs);
  const doc = new LoroDoc();
  const presence = new Presence(doc.peerIdStr, user);
  let session: SharedSession | undefined;
  let whenFilled: () => void = () => {};
  const connection = new Connection({
    url,
    room,
    token,
    doc,
    presence: presence.store as never,
    receive(updates) {
      if (session === undefined) doc.importBatch(updates);
      else session.receive(updates);
      if (seedOf(doc) !== undefined) whenFilled();
      if (session !== undefined && seedOf(doc) !== seed) session.fail(foundedTwice(room));
    },
    changed: () => session?.changed(),
    failed: (error) => session?.fail(error),
  });
  let seed: string | undefined;
  let binding: Binding | undefined;
  takeScene(scene);
  try {
    await connection.join(timeout);
    if (seedOf(doc) === undefined && connection.mustWait)
      await within(timeout, room, (resolve) => {
        whenFilled = resolve;
      });
    seed = seedOf(doc);
    const isNew = seed === undefined;
    if (seed === undefined) seed = found(doc, schema);
    else requireSame(doc, schema, room);
    binding = new Binding(scene, new SharedDocument(doc, `scene-${seed}`, schema), options);
    if (isNew) binding.publish();
    else binding.adopt();
    session = new SharedSession(doc, binding, connection, presence, { seed, isOwn: isNew });
    return session;
  } catch (error) {
    giveScene(scene);
    connection.close();
    presence.close();
    binding?.close();
    throw error;
  }
}

/** Writes the header of a room. Returns the name of its beginning: a room that was begun twice has two. */
function found(doc: LoroDoc, schema: SharedSchema): string {
  const about = doc.getMap("espalier");
  const seed = doc.peerIdStr;
  about.set("layout", LAYOUT);
  about.set("version", schema.version);
  about.set("components", JSON.stringify(schema.signatures));
  about.set("seed", seed);
  return seed;
}

function seedOf(doc: LoroDoc): string | undefined {
  return doc.getMap("espalier").get("seed") as string | undefined;
}

/** @throws VersionMismatchError, UnknownComponentError */
function requireSame(doc: LoroDoc, schema: SharedSchema, room: string): void {
  const about = doc.getMap("espalier");
  const there = about.get("version") as number;
  const here = schema.version;
  const mismatch = (why: string, components: readonly string[]) =>
    new VersionMismatchError(
      `Cannot join ${room}: ${why}. Use the same version of the program everywhere; to bring a scene to a new version, load its file there and open a new room.`,
      { subject: room, here, there, components },
    );
  if (about.get("layout") !== LAYOUT)
    throw mismatch("it was made by another version of @espalier/collab", []);
  if (here !== there)
    throw mismatch(`it holds a scene of version ${there}, and this program has version ${here}`, []);
  const theirs = signaturesIn(about.get("components"));
  if (theirs === undefined) throw mismatch("what it says of its components cannot be read", []);
  const unknown = Object.keys(theirs).filter((name) => schema.signatures[name] === undefined);
  if (unknown.length > 0) {
    throw new UnknownComponentError(
      `Cannot join ${room}: it uses ${unknown.join(", ")}, which the format here does not list. Use the same components everywhere.`,
      { subject: room, components: unknown },
    );
  }
  const others = Object.keys(schema.signatures).filter((name) => schema.signatures[name] !== theirs[name]);
  if (others.length > 0) throw mismatch(`it has ${others.join(", ")} in another form, or not at all`, others);
}

function signaturesIn(text: unknown): { readonly [component: string]: string } | undefined {
  try {
    const found: unknown = JSON.parse(String(text));
    return typeof found === "object" && found !== null
      ? (found as { [component: string]: string })
      : undefined;
  } catch {
    return undefined;
  }
}

function within(timeout: number, room: string, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new RelayGoneError(
            `Cannot join ${room}: the member that was to fill the room did not within ${timeout} ms. Join again.`,
            { subject: room, limit: timeout },
          ),
        ),
      timeout,
    );
    start(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function foundedTwice(room: string): RelayGoneError {
  return new RelayGoneError(
    `The room ${room} was begun a second time while this program was away: the relay had lost it. The scene here is as it was; join again to take what the room holds now.`,
    { subject: room },
  );
}

/** @throws InvalidCollabError */
function requireOptions(scene: unknown, options: JoinOptions): void {
  const refuse = (why: string, option: string, value?: unknown): never => {
    throw new InvalidCollabError(`Cannot join a scene: ${why}.`, { option, value });
  };
  if (typeof Object(scene).idOf !== "function")
    refuse("it takes a scene that format.load() or format.createScene() gave", "scene", scene);
  const given = Object(options) as Partial<JoinOptions>;
  if (typeof given.url !== "string" || !/^wss?:\/\//.test(given.url))
    refuse('url is an address that begins with "ws://" or "wss://"', "url", given.url);
  if (
    typeof given.room !== "string" ||
    given.room === "" ||
    new TextEncoder().encode(given.room).length > 128
  )
    refuse("room is a string of 1 to 128 bytes", "room", given.room);
  const { name, color } = Object(given.user) as Partial<SharedUser>;
  if (typeof name !== "string" || (color !== undefined && typeof color !== "string"))
    refuse("user is { name, color }, both strings", "user", given.user);
  if (given.token !== undefined && typeof given.token !== "string")
    refuse("token is a string", "token", given.token);
  if (typeof Object(given.format).component !== "function")
    refuse("format is the scene format that the scene was loaded with", "format", given.format);
  if (given.timeout !== undefined && !(given.timeout > 0))
    refuse("timeout is a number above 0", "timeout", given.timeout);
  const { tree } = scene as Scene;
  const below = (scene as Scene).roots().find((root) => tree.parentOf(root) !== null);
  if (below !== undefined) {
    throw new InvalidCollabError(
      `Cannot join a scene: ${tree.label(below)} hangs below an entity that is not part of the scene. Load the scene without a parent.`,
      { option: "scene", entities: [below] },
    );
  }
  if (typeof WebSocket === "undefined") {
    throw new InvalidCollabError(
      'Cannot join a scene: this program has no WebSocket, as Node has none before version 22. Install "ws" and set globalThis.WebSocket to its WebSocket.',
      { option: "WebSocket" },
    );
  }
}
