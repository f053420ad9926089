/**
 * The side of the editor: a copy of a world elsewhere, which follows it, and whose edits are sent there.
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
import type { Hello, Wish } from "./share-world.ts";

/** A running world that the editor looks at. */
export interface WatchedWorld {
  /** A copy of the world, which can be edited. */
  readonly document: EditorDocument;
  /** Ends watching. */
  close(): void;
}

/** How often the game is told that somebody still watches, in milliseconds. */
const REPEAT = 2000;

/**
 * Watches the world that is shared on the channel. The promise is kept once it has been seen.
 *
 * @param onProblem - Told when the game refuses an edit.
 */
export function watchWorld(
  channel: Channel,
  onProblem: (message: string) => void = () => {},
): Promise<WatchedWorld> {
  return new Promise((resolve) => {
    let watched: { document: WatchedDocument; stop: () => void } | undefined;
    const wish = (message: Wish) => channel.send(JSON.stringify(message));
    const timer = setInterval(() => wish({ type: "watch" }), REPEAT);
    const stop = channel.listen((message) => {
      if (typeof message !== "string") {
        watched?.document.receive(message);
        return;
      }
      const value = JSON.parse(message) as Hello | { readonly type: "refused"; readonly message: string };
      if (value.type === "refused") onProblem(value.message);
      else if (value.type === "hello" && watched === undefined) {
        const document = new WatchedDocument(value, (patch) => wish({ type: "patch", patch }));
        watched = { document, stop: document.subscribe(() => document.sendEdits()) };
        resolve({
          document,
          close() {
            wish({ type: "leave" });
            clearInterval(timer);
            stop();
            watched?.stop();
            document.close();
          },
        });
      }
    });
    wish({ type: "watch" });
  });
}

/** The copy. What differs from the last snapshot is an edit of ours. */
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

  /** Becomes what the game is now. */
  receive(snapshot: ArrayBuffer): void {
    this.isReceiving = true;
    try {
      restoreSnapshot(this.world, snapshot, { trees: [this.tree], components: this.components });
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
