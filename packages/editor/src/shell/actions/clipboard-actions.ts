/**
 * Copy and paste through the clipboard of the system, so that they work between windows.
 */
import { deleteEntities } from "../../commands/tree/delete-entities.ts";
import { pasteEntities } from "../../commands/tree/paste-entities.ts";
import { copyText, cutOut, isSceneText } from "../../document/clipboard.ts";
import { whyLocked } from "../../document/require-unlocked.ts";
import type { App } from "../app.ts";

/** For pages that may not use the clipboard of the system. */
let fallback = "";

export async function copySelection(app: App, cut: boolean): Promise<void> {
  const { document } = app;
  const { entities } = document.selection;
  const locked = cut ? whyLocked(document, entities) : undefined;
  if (locked !== undefined) {
    app.notes.say(locked, "error");
    return;
  }
  const taken = app.notes.attempt(() => (cut ? cutOut(document, entities) : undefined));
  const text = cut ? taken?.text : app.notes.attempt(() => copyText(document, entities));
  if (text === undefined) return;
  fallback = text;
  if (cut) {
    // Before the clipboard answers, because the selection may change until then.
    app.notes.attempt(() => deleteEntities(document, entities));
    document.cutOut = taken;
  }
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Not allowed here: the fallback serves this window.
  }
}

export async function pasteClipboard(app: App, where: "beside" | "below"): Promise<void> {
  let text = fallback;
  try {
    const there = await navigator.clipboard.readText();
    if (isSceneText(there)) text = there;
  } catch {
    // As above.
  }
  if (!isSceneText(text)) return;
  const { document } = app;
  const { primary } = document.selection;
  const parent = primary === undefined ? null : where === "below" ? primary : document.tree.parentOf(primary);
  app.notes.attempt(() => pasteEntities(document, text, parent, document.cutOut));
  if (parent !== null) app.view.setExpanded([parent], true);
}
