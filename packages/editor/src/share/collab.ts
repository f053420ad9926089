/**
 * What the editor needs of `@espalier/collab`. It is a package of its own, with an engine of some megabytes: people who edit alone have no use for it.
 */
import type { Entity } from "espalier";
import type { UndoStack } from "espalier/history";
import type { Prefabs, Scene, SceneFormat } from "espalier/scene";

/** Another person who edits the scene. */
export interface OtherUser {
  /** Which of the members it is: the same person in two windows is two. */
  readonly id: string;
  readonly name: string;
  /** As CSS writes it. */
  readonly color: string;
  readonly selection: readonly Entity[];
  /** Where the pointer is in the scene; `null` when it is elsewhere. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/** A scene that is edited together with others. */
export interface SharedSession {
  readonly undo: UndoStack;
  readonly beginning: string;
  readonly isBeginner: boolean;
  readonly edits: number;
  readonly failure: Error | undefined;
  readonly status: "online" | "offline" | "syncing";
  readonly problems: readonly {
    readonly code: string;
    readonly entities: readonly Entity[];
    readonly message: string;
  }[];
  readonly others: readonly OtherUser[];
  setPresence(state: { readonly selection?: readonly Entity[]; readonly cursor?: OtherUser["cursor"] }): void;
  onChange(listener: () => void): () => void;
  leave(): Promise<void>;
}

/** The package. */
export interface Collab {
  joinScene(
    scene: Scene,
    options: {
      readonly format: SceneFormat;
      readonly prefabs: Prefabs;
      readonly file: string;
      readonly unknown: "keep";
      readonly url: string;
      readonly token: string;
      readonly room: string;
      readonly user: { readonly name: string };
    },
  ): Promise<SharedSession>;
}

/** What stood in a file when all who edit it together last agreed on that. */
export interface SharedBase {
  readonly text: string;
  readonly version: string | undefined;
}

/** The server of a project that is edited together. */
export interface ShareService {
  /** Where its relay is. */
  readonly url: string;
  readonly token: string;
  load(): Promise<Collab>;
  /** The file that a room came from or was saved to last; nothing while that is not known. */
  base(path: string, beginning: string): Promise<SharedBase | undefined>;
  setBase(path: string, beginning: string, base: SharedBase): Promise<void>;
  /** Calls `changed` when another page has written a file, or taken it from the disk. */
  onBase(changed: (path: string) => void): void;
}
