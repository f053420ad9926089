/**
 * Merging a document with its file after both changed: the conflicts, and the choices made.
 */
import {
  type MergeChoice,
  type MergeConflict,
  type MergeSide,
  mergeScenes,
  printScene,
  type ReadOptions,
  type SceneMerge,
} from "espalier/scene";
import type { EditorDocument } from "./document.ts";

/** Merges `ours`, the document, with `theirs`, the file as it is now. */
export class MergeSession {
  readonly document: EditorDocument;
  /** The text that both versions started from. */
  readonly base: string;
  /** What is in the file now. */
  readonly theirs: string;
  private ours: string;
  private choices: { readonly [key: string]: MergeChoice } = {};
  private merged: SceneMerge;

  /** @throws SceneError when one of the texts is not a scene. */
  constructor(document: EditorDocument, base: string, theirs: string) {
    this.document = document;
    this.base = base;
    this.theirs = theirs;
    this.ours = document.save();
    this.merged = this.merge();
  }

  get conflicts(): readonly MergeConflict[] {
    return this.merged.conflicts;
  }

  /** The result as text. */
  get text(): string {
    return printScene(this.merged.file);
  }

  /** Resolves one conflict. */
  choose(key: string, choice: MergeChoice): void {
    this.choices = { ...this.choices, [key]: choice };
    this.merged = this.merge();
  }

  /** Resolves all conflicts in favour of one side. */
  chooseAll(side: MergeSide): void {
    this.choices = Object.fromEntries(this.conflicts.map(({ key }) => [key, side]));
    this.merged = this.merge();
  }

  /** The label of the entity of a conflict: its name, or else its id. */
  labelOf({ entity }: MergeConflict): string {
    const found = entity === null ? undefined : this.document.scene?.find(entity);
    return found === undefined ? (entity ?? this.document.title) : this.document.label(found);
  }

  /**
   * Merges the current document again: others may have edited it while the user was choosing.
   *
   * @returns Whether the user has seen all current conflicts.
   */
  update(): boolean {
    const ours = this.document.save();
    if (ours === this.ours) return true;
    const seen = new Set(this.conflicts.map(({ key }) => key));
    this.ours = ours;
    this.merged = this.merge();
    return this.conflicts.every(({ key }) => seen.has(key));
  }

  private merge(): SceneMerge {
    return mergeScenes(this.document.format, this.base, this.ours, this.theirs, {
      ...readingOf(this.document),
      resolve: this.choices,
    });
  }
}

/** The options for reading the texts of a document. */
export function readingOf({ file, prefabs }: EditorDocument): ReadOptions {
  return { prefabs, lenient: true, unknown: "keep", ...(file === undefined ? {} : { file }) };
}
