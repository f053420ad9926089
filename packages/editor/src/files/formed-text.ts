/**
 * The text of a document for its file, in the form that the file has.
 */
import { type EditorDocument, openDocument } from "../document/document.ts";
import { hasComments, type KeptForm, keepForm } from "./keep-form.ts";

/** How a file is read. */
export type Reading = Pick<EditorDocument, "format" | "file" | "prefabs">;

/**
 * @param text - The file as it was read; nothing for a new one.
 * @param saved - The document as `save()` writes it.
 */
export function formedText(reading: Reading, text: string | undefined, saved: string): KeptForm {
  if (text === undefined || text === saved || isLargeAndPlain(text))
    return { text: saved, areCommentsLost: false };
  const formed = keepForm(text, canonical(reading, text), saved);
  // The form is for people; what counts is that it is the scene.
  if (formed.text === saved || canonical(reading, formed.text) === saved) return formed;
  return { text: saved, areCommentsLost: hasComments(text) };
}

/** Reading a file of more characters than this again, to compare, would be felt. */
const LARGE_TEXT = 1_000_000;

/** A large file that is flat and has no comments has nothing but its spacing to keep. */
function isLargeAndPlain(text: string): boolean {
  return text.length > LARGE_TEXT && !/"children"\s*:/.test(text) && !hasComments(text);
}

/** As saving would write it. */
function canonical({ format, file, prefabs }: Reading, text: string): string {
  return openDocument(format, text, { prefabs, ...(file === undefined ? {} : { file }) }).save();
}
