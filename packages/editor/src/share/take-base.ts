/** The state of a file that others save too. */
import { diffScenes } from "espalier/scene";
import type { EditorDocument } from "../document/document.ts";
import { readingOf } from "../document/merge-session.ts";
import { isLarge } from "../files/save-text.ts";
import type { SharedBase } from "./collab.ts";

/** A version that no file has: saving is refused and a merge offered until the content of the file is known. */
const UNKNOWN = "unknown";

/** Takes over the content of the document's file, and whether the document is saved. */
export function takeBase(document: EditorDocument, base: SharedBase | undefined): void {
  if (base === undefined) {
    document.origin = { ...document.origin, version: UNKNOWN };
    document.marks.touchUnsaved();
    return;
  }
  document.origin = { ...document.origin, text: base.text, version: base.version };
  markSaved(document);
}

/** Marks the document as saved if it equals its file. */
export function markSaved(document: EditorDocument): void {
  if (isSaved(document)) document.marks.save();
  else document.marks.touchUnsaved();
}

function isSaved(document: EditorDocument): boolean {
  const { text } = document.origin;
  // Comparing a large scene would take noticeable time; treating it as unsaved costs a question at worst.
  if (text === undefined || isLarge(document)) return false;
  return diffScenes(document.format, text, document.save(), readingOf(document)).length === 0;
}
