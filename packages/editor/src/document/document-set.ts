/**
 * The documents that are open: one in front, and behind it the scenes whose prefabs are edited; the game that plays one of them;
 * and the files they came from.
 */
import type { SceneProblem } from "espalier/scene";
import type { FileNow } from "../files/origin-file.ts";
import type { RecoveryStore } from "../files/recovery.ts";
import type { PlaySession } from "../play/play-session.ts";
import type { Translate } from "../texts.ts";
import type { EditorDocument } from "./document.ts";
import type { FileOrigin } from "./file-origin.ts";
import type { MergeSession } from "./merge-session.ts";

/** The documents that are open. */
export class DocumentSet {
  /** The document in front. */
  current: EditorDocument;
  /** Documents that are open behind it, the outermost first: a scene whose prefab is edited. */
  readonly behind: EditorDocument[] = [];
  play: PlaySession | undefined;
  /** Whether the engine for playing the scene is being loaded. */
  isStarting = false;
  /** Two versions of a document that are being merged, while the user resolves their conflicts. */
  merge:
    | {
        readonly session: MergeSession;
        /** The content of the document's file after the merge; `undefined` when it does not change. */
        readonly now: FileNow | undefined;
        /** The version of the file that the document knew when the merge began. */
        readonly known: string | undefined;
        /** Called when the merge was applied, not when it was cancelled. */
        readonly done: () => void;
      }
    | undefined;
  recovery: RecoveryStore | undefined;
  /** How much of a large scene has been written while saving, from 0 to 1. */
  saving: number | undefined;
  /** Resolves when the files of prefabs are written. */
  writing: Promise<void> = Promise.resolve();
  /** The last result of the validator; `undefined` before it ran. */
  problems: readonly SceneProblem[] | undefined;
  private readonly t: Translate;
  private readonly changed: () => void;
  private readonly isSaved: boolean;
  private endCurrent: () => void;

  /** @param isSaved - Whether documents are files at all; a live world is not. */
  constructor(first: EditorDocument, t: Translate, changed: () => void, isSaved = true) {
    this.current = first;
    this.t = t;
    this.changed = changed;
    this.isSaved = isSaved;
    first.t = t;
    this.endCurrent = first.subscribe(changed);
  }

  /** Puts another document in front. */
  show(document: EditorDocument): void {
    this.endCurrent();
    this.current = document;
    document.t = this.t;
    this.endCurrent = document.subscribe(this.changed);
  }

  /** All open documents, the outermost first. The playing document is a copy and is not saved. */
  get all(): readonly EditorDocument[] {
    return [...this.behind, this.play?.edited ?? this.current];
  }

  /** The document that all others were opened from. */
  get outermost(): EditorDocument {
    return this.all[0] as EditorDocument;
  }

  /** The origin of the outermost document, which is saved there. */
  get origin(): FileOrigin {
    return this.outermost.origin;
  }

  /** Whether unsaved changes would be lost. */
  get isUnsaved(): boolean {
    return this.isSaved && this.all.some(({ isDirty }) => isDirty);
  }
}
