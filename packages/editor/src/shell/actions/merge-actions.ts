/**
 * Merges a document with unsaved edits and its changed file, field by field; asks where both changed the same value.
 */
import { diffScenes } from "espalier/scene";
import { followOrigin, mergeScene } from "../../commands/scene/merge-scene.ts";
import { reloadScene } from "../../commands/scene/reload-scene.ts";
import type { EditorDocument } from "../../document/document.ts";
import type { FileOrigin } from "../../document/file-origin.ts";
import { MergeSession, readingOf } from "../../document/merge-session.ts";
import type { FileNow } from "../../files/origin-file.ts";
import type { App } from "../app.ts";
import { stopPlay } from "./play-actions.ts";

/** Takes over the content of a file: as it is if the document has no unsaved edits, merged otherwise. */
export function takeFromFile(app: App, document: EditorDocument, now: FileNow): void {
  stopPlay(app);
  const { text: base } = document.origin;
  app.notes.attempt(() => {
    if (document.isDirty && base !== undefined) mergeFromFile(app, document, { base, theirs: now.text }, now);
    else reloadFromFile(app, document, now);
  });
}

function reloadFromFile(app: App, document: EditorDocument, now: FileNow): void {
  const { current } = document.marks;
  const summary = reloadScene(document, now.text);
  followOrigin(document, current, originOf(document, now), () => noteFile(app, document));
  noteFile(app, document);
  document.marks.save();
  document.touch();
  if (summary === undefined) return;
  const { added, removed, moved, changed } = summary;
  app.notes.say(
    app.t("file.reloaded", {
      added: added.length,
      removed: removed.length,
      moved: moved.length,
      changed: changed.length,
    }),
  );
}

/**
 * Merges at once when there is no conflict, and asks otherwise.
 *
 * @param now - The content of the document's file from then on; `undefined` when that does not change.
 * @param done - Called when the merge was applied: now, or once the user has answered.
 */
export function mergeFromFile(
  app: App,
  document: EditorDocument,
  { base, theirs }: { readonly base: string; readonly theirs: string },
  now: FileNow | undefined,
  done: () => void = () => {},
): void {
  const session = new MergeSession(document, base, theirs);
  if (session.conflicts.length === 0) {
    finishMerge(app, session, now);
    done();
  } else {
    app.documents.merge = { session, now, known: document.origin.version, done };
    app.view.open("merge");
  }
}

/** Applies the merge that the user was asked about. */
export function applyMerge(app: App): void {
  const { merge } = app.documents;
  if (merge === undefined) return;
  const { session, known, done } = merge;
  const { isShared, origin } = session.document;
  app.notes.attempt(() => {
    if (isShared && !session.update()) {
      app.notes.say(app.t("merge.more"));
      app.changed();
      return;
    }
    cancelMerge(app);
    // Another page took over the file or saved meanwhile: its content is known already, and may be newer.
    const isTaken = isShared && origin.version !== known;
    finishMerge(app, session, isTaken ? undefined : merge.now);
    done();
  });
}

/** Leaves the document as it is. Saving is refused as before. */
export function cancelMerge(app: App): void {
  app.documents.merge = undefined;
  app.view.open("none");
}

function finishMerge(app: App, session: MergeSession, now: FileNow | undefined): void {
  const { document } = session;
  const origin = now === undefined ? document.origin : originOf(document, now);
  mergeScene(document, session.text, origin, () => noteFile(app, document));
  if (now !== undefined) noteFile(app, document);
  const left = diffScenes(
    document.format,
    origin.text ?? session.theirs,
    document.save(),
    readingOf(document),
  );
  if (left.length === 0) document.marks.save();
  document.touch();
  app.notes.say(app.t(left.length === 0 ? "merge.same" : "merge.done", { name: document.title }));
}

/** Notifies others who edit the document of the content of its file. */
function noteFile(app: App, document: EditorDocument): void {
  app.sharing?.noteFile(document).catch((error: unknown) => app.notes.fail(error));
}

function originOf(document: EditorDocument, { text, version }: FileNow): FileOrigin {
  return { ...document.origin, text, version };
}
