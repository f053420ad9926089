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
  /** The one in front. */
  current: EditorDocument;
  /** Documents that are open behind it, the outermost first: a scene whose prefab is edited. */
  readonly behind: EditorDocument[] = [];
  play: PlaySession | undefined;
  /** The engine of the scene is being loaded. */
  isStarting = false;
  /** Two versions of a document that are being merged, while the user resolves their conflicts. */
  merge:
    | {
        readonly session: MergeSession;
        /** What is in the file of the document afterwards; nothing when that does not change. */
        readonly now: FileNow | undefined;
        /** The version of the file that the document knew when it began. */
        readonly known: string | undefined;
        /** Called when it was made, and not when it was given up. */
        readonly done: () => void;
      }
    | undefined;
  recovery: RecoveryStore | undefined;
  /** The share that is written of a large scene which is being saved, from 0 to 1. */
  saving: number | undefined;
  /** Ends when the files of prefabs are written. */
  writing: Promise<void> = Promise.resolve();
  /** What the validator found last; nothing before it ran. */
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

  /** All that are open, the outermost first. What plays is a copy, which is not saved. */
  get all(): readonly EditorDocument[] {
    return [...this.behind, this.play?.edited ?? this.current];
  }

  /** The one that all others were opened from. */
  get outermost(): EditorDocument {
    return this.all[0] as EditorDocument;
  }

  /** Where the outermost document came from, for saving it there. */
  get origin(): FileOrigin {
    return this.outermost.origin;
  }

  /** Something would be lost. */
  get isUnsaved(): boolean {
    return this.isSaved && this.all.some(({ isDirty }) => isDirty);
  }
}
