/**
 * The text of a document for its file, in the formatting of that file.
 */
import { type EditorDocument, openDocument } from "../document/document.ts";
import { hasComments, type KeptForm, keepForm } from "./keep-form.ts";

/** The options for reading a file. */
export type Reading = Pick<EditorDocument, "format" | "file" | "prefabs">;

/**
 * @param text - The file as it was read; `undefined` for a new one.
 * @param saved - The document as `save()` writes it.
 */
export function formedText(reading: Reading, text: string | undefined, saved: string): KeptForm {
  if (text === undefined || text === saved || isLargeAndPlain(text))
    return { text: saved, areCommentsLost: false };
  const formed = keepForm(text, canonical(reading, text), saved);
  // The formatting is for people; it matters more that the text is the scene.
  if (formed.text === saved || canonical(reading, formed.text) === saved) return formed;
  return { text: saved, areCommentsLost: hasComments(text) };
}

/** Reading a file with more characters again, to compare, would be noticeable. */
const LARGE_TEXT = 1_000_000;

/** Whether a large file is flat and has no comments, so that there is only its spacing to keep. */
function isLargeAndPlain(text: string): boolean {
  return text.length > LARGE_TEXT && !/"children"\s*:/.test(text) && !hasComments(text);
}

/** The text as saving would write it. */
function canonical({ format, file, prefabs }: Reading, text: string): string {
  return openDocument(format, text, { prefabs, ...(file === undefined ? {} : { file }) }).save();
}
