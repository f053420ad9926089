/**
 * Work that a page left behind when it was killed: shown with its date and what it would change, restored, or dropped for good.
 */
import { diffScenes } from "espalier/scene";
import { type EditorDocument, openDocument } from "../../document/document.ts";
import { createEditorFormat } from "../../document/format.ts";
import { readingOf } from "../../document/merge-session.ts";
import { applyChanges } from "../../files/changes-since.ts";
import { readOrigin } from "../../files/origin-file.ts";
import { prefabsOf } from "../../files/prefab-lookup.ts";
import type { LeftWork, RecoveryStore, UnsavedDocument } from "../../files/recovery.ts";
import type { App } from "../app.ts";
import { changedOnDisk, mayLeave, openFromProject, openText } from "./file-actions.ts";
import { mergeFromFile } from "./merge-actions.ts";
import { showPrefab } from "./prefab-actions.ts";

/** How many names of entities a message lists. */
const MOST_NAMES = 3;

/** Offers the newest work that a page left behind. `false` when there is none. */
export async function offerRecovery(app: App, recovery: RecoveryStore): Promise<boolean> {
  const left = await recovery.left();
  const [scene] = left?.documents ?? [];
  if (left === undefined || scene === undefined) return false;
  const name = left.documents.map((one) => one.name).join(", ");
  const time = new Date(left.time).toLocaleString();
  const what = await describe(app, left);
  app.notes.say(
    app.t("file.recover", { name, time, what }),
    "info",
    { label: app.t("file.restore"), run: () => void restore(app, recovery, left, time) },
    {
      label: app.t("file.decline"),
      run: () => void decline(app, recovery, left, time),
    },
  );
  return true;
}

/** Discards it for good after confirmation. Then older work is offered; work that was kept is offered again. */
async function decline(app: App, recovery: RecoveryStore, left: LeftWork, time: string): Promise<void> {
  const name = left.documents.map((one) => one.name).join(", ");
  if (confirm(app.t("file.declineSure", { name, time }))) await recovery.drop(left);
  await offerRecovery(app, recovery);
}

async function restore(app: App, recovery: RecoveryStore, left: LeftWork, time: string): Promise<void> {
  if (app.sharing !== undefined && left.documents[0]?.file !== undefined) {
    await restoreTogether(app, recovery, left, time);
    return;
  }
  const [scene, ...prefabs] = left.documents as [UnsavedDocument, ...UnsavedDocument[]];
  // Work on a file that was never read: everything in it is new.
  const { name, text, file: path, version, handle, base = `{ "entities": [] }` } = scene;
  if (!mayLeave(app) || !openText(app, { name, text, path, version, handle, base })) return;
  for (const prefab of prefabs) showPrefab(app, prefab.name, prefab.text, prefab.base);
  for (const [k, document] of app.documents.all.entries()) {
    const changes = left.changes?.[k];
    // Changes that cannot be applied are reported; the text kept before them is open.
    if (changes !== undefined) app.notes.attempt(() => applyChanges(document, changes));
    document.marks.touchUnsaved();
  }
  app.changed();
  app.notes.say(app.t("file.recovered", { time }));
  // The stored work is dropped only when it is stored under the name of this page.
  await recovery.keep(left).then(() => recovery.drop(left));
  // The file may have changed since.
  await changedOnDisk(app, undefined);
}

/**
 * Into a scene that others edit too: the recovered work is merged into it, since others may have gone on meanwhile. Prefabs
 * are not edited together, so recovered work on them stays stored.
 */
async function restoreTogether(
  app: App,
  recovery: RecoveryStore,
  left: LeftWork,
  time: string,
): Promise<void> {
  const [scene, ...prefabs] = left.documents as [UnsavedDocument, ...UnsavedDocument[]];
  const { file: path, base } = scene;
  if (prefabs.length > 0 || path === undefined || base === undefined) {
    app.notes.say(app.t("share.noRecovery", { name: scene.name }), "error");
    return;
  }
  if (app.documents.outermost.origin.path !== path) await openFromProject(app, path);
  await app.sharing?.settled();
  const { document } = app;
  if (document.origin.path !== path) return;
  app.notes.attempt(() => {
    // The document keeps its file: only the work comes from elsewhere.
    mergeFromFile(app, document, { base, theirs: openLeft(app, scene, left).save() }, undefined, () => {
      app.notes.say(app.t("file.recovered", { time }));
      void recovery.drop(left);
    });
  });
}

/** What restoring would change in the current file; empty if that is unknown. */
async function describe(app: App, left: LeftWork): Promise<string> {
  const [scene] = left.documents as [UnsavedDocument];
  try {
    const { file: path, version, handle, base: text } = scene;
    const now = (await readOrigin(app.files, { path, version, handle, text }))?.text ?? text;
    if (now === undefined) return "";
    const restored = openLeft(app, scene, left);
    const patch = diffScenes(restored.format, now, restored.save(), readingOf(restored));
    const ids = (...ops: readonly string[]) =>
      new Set(patch.filter(({ op }) => ops.includes(op)).map(({ id }) => String(id)));
    const changed = ids("set");
    for (const id of ids("add")) changed.delete(id);
    const all = new Set([...ids("add"), ...changed, ...ids("move", "reorder"), ...ids("remove")]);
    const names = [...all].slice(0, MOST_NAMES).map((id) => {
      const entity = restored.scene?.find(id);
      return entity === undefined ? id : restored.label(entity);
    });
    return app.t(all.size === 0 ? "file.recoverNothing" : "file.recoverWhat", {
      added: ids("add").size,
      removed: ids("remove").size,
      moved: ids("move", "reorder").size,
      changed: changed.size,
      names: all.size > MOST_NAMES ? `${names.join(", ")}, …` : names.join(", "),
    });
  } catch {
    return "";
  }
}

function openLeft(app: App, { name, text, file }: UnsavedDocument, left: LeftWork): EditorDocument {
  const prefabs = prefabsOf(() => app.project);
  const document = openDocument(createEditorFormat(app.components), text, { file: file ?? name, prefabs });
  const changes = left.changes?.[0];
  if (changes !== undefined) applyChanges(document, changes);
  return document;
}
