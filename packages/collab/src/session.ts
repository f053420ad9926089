/**
 * A scene that is edited together with others.
 */
import { describeValue } from "espalier";
import type { UndoStack } from "espalier/history";
import type { Scene } from "espalier/scene";
import type { LoroDoc } from "loro-crdt";
import type { Connection, SessionStatus } from "./connection/connection.ts";
import { InvalidCollabError } from "./errors.ts";
import { type OtherUser, type Presence, type PresenceState, requirePresence } from "./presence.ts";
import { giveScene } from "./shared-scenes.ts";
import { SharedUndo } from "./shared-undo.ts";
import type { Binding, SharedProblem } from "./world/binding.ts";

/** Milliseconds between two checks for changes of this program. */
const LOOK = 50;

/** A scene that is edited together with others. Created by `joinScene`. */
export class SharedSession {
  /** The scene: edit its world as usual. */
  readonly scene: Scene;
  /** Undo of the edits of this program. Edits of others stay. */
  readonly undo: UndoStack;
  /** Identifies the beginning of the room: the same for all members, different when a room was begun again. */
  readonly beginning: string;
  /** Whether this program began the room, with its own scene. */
  readonly isBeginner: boolean;
  /** Incremented whenever status, problems, others or, by an edit of another member, the scene changed. */
  version = 0;
  /** Incremented whenever others changed the scene. */
  edits = 0;
  /** Why the session ended unexpectedly: it is offline for good then, and the scene stays as it is. */
  failure: Error | undefined = undefined;
  private readonly binding: Binding;
  private readonly connection: Connection;
  private readonly presence: Presence;
  private readonly undoStack: SharedUndo;
  private readonly listeners = new Set<() => void>();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly unsubscribe: () => void;
  private isLeft = false;
  private isOver = false;

  /** @internal Use `joinScene()`. */
  constructor(
    doc: LoroDoc,
    binding: Binding,
    connection: Connection,
    presence: Presence,
    beginning: { readonly seed: string; readonly isOwn: boolean },
  ) {
    this.beginning = beginning.seed;
    this.isBeginner = beginning.isOwn;
    this.scene = binding.shared.scene;
    this.binding = binding;
    this.connection = connection;
    this.presence = presence;
    this.undoStack = new SharedUndo(doc, binding);
    this.undo = this.undoStack;
    binding.failed = (error) => {
      this.undoStack.close();
      this.fail(error);
    };
    presence.start(binding.shared);
    this.unsubscribe = presence.store.subscribe(({ by }) => {
      if (by !== "local") this.changed();
    });
    this.timer = setInterval(() => this.look(), LOOK);
    (this.timer as { unref?: () => void }).unref?.();
  }

  /** The state of the connection. Edits made offline are merged when it is restored. */
  get status(): SessionStatus {
    return this.isLeft || this.failure !== undefined ? "offline" : this.connection.status;
  }

  /** Merged changes that violate a rule of this world: a constraint, `maxChildren`, `uniqueNames`, a missing prefab. */
  get problems(): readonly SharedProblem[] {
    return this.binding.problems;
  }

  /** The other members, with what they have selected. */
  get others(): readonly OtherUser[] {
    return this.isLeft ? [] : this.presence.others(this.binding.shared);
  }

  /**
   * Shows your cursor and selection to the others. Members that are left out stay as they are.
   *
   * @throws InvalidCollabError for an invalid selection or cursor.
   */
  setPresence(state: Partial<PresenceState>): void {
    requirePresence(state);
    if (!this.isLeft) this.presence.set(state, this.binding.shared);
  }

  /** Sends changes of this program now, instead of within 50 milliseconds. The end of a step does so automatically. */
  flush(): void {
    if (!this.isLeft && this.failure === undefined) this.binding.flush();
  }

  /** Creates the instances whose prefabs were missing, if these exist now. */
  retry(): void {
    if (this.isLeft || this.failure !== undefined) return;
    try {
      this.binding.retry();
    } catch (error) {
      this.stop(error as Error);
      return;
    }
    this.changed();
  }

  /** Calls `listener` after changes from elsewhere: of the scene, `status`, `problems`, `others`. Returns the function that removes it. */
  onChange(listener: () => void): () => void {
    if (typeof listener !== "function") {
      throw new InvalidCollabError(
        `Cannot listen to a session: the listener is a function, got ${describeValue(listener)}.`,
        { value: listener },
      );
    }
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Sends pending changes and leaves. The scene stays as it is and is no longer shared. */
  async leave(): Promise<void> {
    if (this.failure === undefined && !this.isLeft) this.look();
    if (this.isLeft) return;
    this.presence.leave();
    this.isLeft = true;
    await this.connection.drain();
    this.end();
    this.changed();
  }

  /** @internal */
  receive(updates: Uint8Array[]): void {
    if (this.scene.tree.world.isDisposed) {
      this.end();
      return;
    }
    try {
      this.binding.flush();
      this.binding.shared.document.doc.importBatch(updates);
      this.binding.receive();
      this.edits++;
    } catch (error) {
      // A skipped update would be missing for good.
      this.stop(error as Error);
      return;
    }
    this.changed();
  }

  /** @internal */
  fail(error: Error): void {
    if (this.isLeft || this.failure !== undefined) return;
    this.failure = error;
    giveScene(this.scene);
    clearInterval(this.timer);
    this.presence.leave();
    this.connection.close();
    this.changed();
  }

  /** @internal */
  changed(): void {
    this.version++;
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        this.scene.tree.world.onError(error as Error);
      }
    }
  }

  private look(): void {
    const { world } = this.scene.tree;
    if (world.isDisposed) {
      this.end();
      return;
    }
    try {
      const before = this.binding.problems;
      this.binding.flush();
      const isBehind = this.binding.shared.document.hasPending;
      if (isBehind && this.binding.receive()) this.edits++;
      if (isBehind || before !== this.binding.problems) this.changed();
    } catch (error) {
      this.stop(error as Error);
    }
  }

  private stop(error: Error): void {
    this.fail(error);
    this.scene.tree.world.onError(error);
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.isLeft = true;
    // A failed session has released its scene, which may be in another session now.
    if (this.failure === undefined) giveScene(this.scene);
    clearInterval(this.timer);
    this.unsubscribe();
    this.presence.leave();
    this.connection.close();
    this.presence.close();
    this.undoStack.close();
    this.binding.close();
  }
}
