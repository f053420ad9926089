/** Edits that verbs wrote to the open file: following them, undoing one, and accepting branches. */
import { MergeSession } from "../../document/merge-session.ts";
import type { EditKeeper } from "../../edits/listed-edits.ts";
import { readOrigin } from "../../files/origin-file.ts";
import type { App } from "../app.ts";
import { takeFromFile } from "./merge-actions.ts";

/**
 * Takes over the current content of the file, if no question is needed.
 *
 * @returns whether it did, or there was nothing to take over.
 */
export async function followFile(app: App): Promise<boolean> {
  const { outermost } = app.documents;
  const now = await readOrigin(app.files, outermost.origin);
  const { text } = outermost.origin;
  if (now === undefined || now.text === text) return true;
  if (outermost.isDirty) {
    if (text === undefined || new MergeSession(outermost, text, now.text).conflicts.length > 0) return false;
  }
  takeFromFile(app, outermost, now);
  return true;
}

export function undoEdit(app: App, token: string): Promise<void> {
  return ask(app, (keeper, path) => keeper.undo(path, token));
}

export function acceptBranch(app: App, branch: string, entities: readonly string[]): Promise<void> {
  return ask(app, (keeper, path) => keeper.accept(path, branch, entities));
}

async function ask(app: App, work: (keeper: EditKeeper, path: string) => Promise<void>): Promise<void> {
  const { outermost } = app.documents;
  const { keeper } = app.edits;
  const { path } = outermost.origin;
  if (keeper === undefined || path === undefined) return;
  if (outermost.isDirty) {
    app.notes.say(app.t("edits.saveFirst"), "error");
    return;
  }
  try {
    await work(keeper, path);
    await app.edits.refresh();
    await followFile(app);
  } catch (error) {
    app.notes.say((error as Error).message, "error");
  }
}
