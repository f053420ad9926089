/**
 * The editor's side: a copy that follows a remote world, and whose edits are sent there.
 */
import { createWorld } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createTransforms2D } from "espalier/transform";
import { componentFrom } from "../document/described-components.ts";
import { EditorDocument } from "../document/document.ts";
import { createEditorFormat } from "../document/format.ts";
import { translator } from "../texts.ts";
import type { Channel } from "./channel.ts";
import { ownNotes } from "./live-document.ts";
import type { Pausable } from "./live-session.ts";
import type { Hello, Report, Wish } from "./share-world.ts";

/** Options of `watchWorld`. */
export interface WatchOptions {
  /** Called when the game refuses an edit. */
  readonly onProblem?: (message: string) => void;
  /** Called when no game answers (`"absent"`), when one does (`"there"`), and when it stops answering (`"gone"`). */
  readonly onStatus?: (status: WatchStatus) => void;
  /** Called when another game answers on the channel, or the same one with more components: call `watchWorld` again to see it. */
  readonly onOtherGame?: () => void;
}

/** Whether a game answers: not yet, now, or no longer. */
export type WatchStatus = "absent" | "there" | "gone";

/** A running world that the editor looks at. */
export interface WatchedWorld {
  /** A copy of the world, which can be edited. */
  readonly document: EditorDocument;
  /** Pauses the game, when it allows editors to. */
  readonly pausable: Pausable | undefined;
  /** Ends watching. */
  close(): void;
}

/** Milliseconds between two requests to the game to go on sending. */
const REPEAT = 1000;
/** A game that sends nothing for this many milliseconds is considered gone. */
const PATIENCE = 4000;

/** Watches the world that is shared on the channel. The promise resolves with its first snapshot. */
export function watchWorld(channel: Channel, options: WatchOptions = {}): Promise<WatchedWorld> {
  const { onProblem = () => {}, onStatus = () => {}, onOtherGame = () => {} } = options;
  return new Promise((resolve, reject) => {
    let watched: WatchedGame | undefined;
    let status: WatchStatus | undefined;
    let heard = Date.now();
    const become = (next: WatchStatus) => {
      if (next === status) return;
      status = next;
      onStatus(next);
    };
    const wish = (message: Wish) => channel.send(JSON.stringify(message));
    const timer = setInterval(() => {
      wish({ type: "watch" });
      if (Date.now() - heard > PATIENCE) become(watched === undefined ? "absent" : "gone");
    }, REPEAT);
    const begin = (hello: Hello) => {
      const game = new WatchedGame(hello, wish);
      watched = game;
      resolve({
        document: game.document,
        pausable: hello.canPause ? game : undefined,
        close() {
          wish({ type: "leave" });
          clearInterval(timer);
          stop();
          game.close();
        },
      });
    };
    const receive = (message: string) => {
      const value = JSON.parse(message) as Hello | Report;
      if (value.type === "refused") onProblem(value.message);
      else if (value.type === "bye") become("gone");
      else if (value.type === "state") watched?.stateChanged(value.isPaused);
      else if (value.type !== "hello") return;
      else if (watched === undefined) begin(value);
      else if (!watched.isOf(value)) onOtherGame();
    };
    const stop = channel.listen((message) => {
      try {
        if (typeof message === "string") receive(message);
        else {
          watched?.document.receive(message);
          if (watched !== undefined) become("there");
        }
        heard = Date.now();
      } catch (error) {
        // Before the first snapshot only the promise can report the error.
        if (watched === undefined) reject(error);
        else onProblem((error as Error).message);
      }
    });
    wish({ type: "watch" });
  });
}

/** A game elsewhere: the copy of its world, and its pause. */
class WatchedGame implements Pausable {
  readonly document: WatchedDocument;
  private readonly hello: Hello;
  isPaused = false;
  private readonly wish: (message: Wish) => void;
  private readonly stop: () => void;

  constructor(hello: Hello, wish: (message: Wish) => void) {
    this.hello = hello;
    this.wish = wish;
    this.document = new WatchedDocument(hello, (patch) => wish({ type: "patch", patch }));
    this.stop = this.document.subscribe(() => this.document.sendEdits());
  }

  /** Whether the message is from the same game, with the components that the copy knows. */
  isOf({ session, components }: Hello): boolean {
    return session === this.hello.session && components.length === this.hello.components.length;
  }

  pause(): void {
    this.wish({ type: "pause" });
  }

  resume(): void {
    this.wish({ type: "resume" });
  }

  step(): void {
    this.wish({ type: "step" });
  }

  /** Takes over the state that the game reports. */
  stateChanged(isPaused: boolean): void {
    if (isPaused === this.isPaused) return;
    this.isPaused = isPaused;
    this.document.touch();
  }

  close(): void {
    this.stop();
    this.document.close();
  }
}

/** The copy. Whatever differs from the last snapshot is an edit made here. */
class WatchedDocument extends EditorDocument {
  private last: ArrayBuffer | undefined;
  private isReceiving = false;
  private readonly send: (patch: ReturnType<typeof diff>) => void;

  constructor({ components, tree: name }: Hello, send: (patch: ReturnType<typeof diff>) => void) {
    const known = createEditorFormat([]);
    const own = components.map((one) => known.component(one.name) ?? componentFrom(one));
    const world = createWorld({ generate: false });
    const tree = createHierarchy(world, { name });
    const space = createTransforms2D(tree);
    super({ world, tree, space, format: createEditorFormat(own), title: translator()("app.remote") });
    this.send = send;
  }

  /** Becomes equal to the game's snapshot. */
  receive(snapshot: ArrayBuffer): void {
    this.isReceiving = true;
    try {
      const components = [...this.components, ...ownNotes];
      restoreSnapshot(this.world, snapshot, { trees: [this.tree], components });
      this.last = snapshot;
      this.settle();
    } finally {
      this.isReceiving = false;
    }
  }

  /** Sends what the user changed since the last snapshot. */
  sendEdits(): void {
    if (this.isReceiving || this.last === undefined) return;
    const trees = [this.tree];
    const patch = diff(this.last, { world: this.world, trees });
    if (patch.length === 0) return;
    this.send(patch);
    this.last = takeSnapshot(this.world, { trees });
  }
}
