/**
 * What the editor needs from `@espalier/collab`. That is a separate package, because its engine has some megabytes that people
 * who edit alone do not need.
 */
import type { Entity } from "espalier";
import type { UndoStack } from "espalier/history";
import type { Prefabs, Scene, SceneFormat } from "espalier/scene";

/** Another person who edits the scene. */
export interface OtherUser {
  /** The id of the member: the same person in two windows is two members. */
  readonly id: string;
  readonly name: string;
  /** A CSS colour. */
  readonly color: string;
  readonly selection: readonly Entity[];
  /** The position of the pointer in the scene; `null` if it is outside the viewport. */
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

/** The content of a file when all pages that edit it together last agreed on it. */
export interface SharedBase {
  readonly text: string;
  readonly version: string | undefined;
}

/** The server of a project that is edited together. */
export interface ShareService {
  /** The address of its relay. */
  readonly url: string;
  readonly token: string;
  load(): Promise<Collab>;
  /** The file that a room came from or was last saved to; `undefined` while that is unknown. */
  base(path: string, beginning: string): Promise<SharedBase | undefined>;
  setBase(path: string, beginning: string, base: SharedBase): Promise<void>;
  /** Calls `changed` when another page has written a file, or loaded it from the disk. */
  onBase(changed: (path: string) => void): void;
}
