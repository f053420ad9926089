/**
 * Opening and saving: through the server that serves the editor, or through the file pickers of the browser.
 */
import { fileOpen, fileSave } from "browser-fs-access";
import { parseScene, printScene, SceneError, toFlat, toNested } from "espalier/scene";
import { reloadScene } from "../../commands/scene/reload-scene.ts";
import { openDocument } from "../../document/document.ts";
import { createEditorFormat } from "../../document/format.ts";
import { prefabsOf } from "../../files/prefab-lookup.ts";
import { rememberFile } from "../../files/recent.ts";
import { refreshProject } from "../../files/refresh-project.ts";
import type { App } from "../app.ts";
import type { Action } from "./actions-type.ts";
import { stopPlay } from "./play-actions.ts";
import { prefabChangedOnDisk, savePrefab } from "./prefab-actions.ts";

const extensions = [".json", ".jsonc"];

/** Asks whether unsaved changes may go. */
export function mayLeave(app: App): boolean {
  if (!app.isUnsaved) return true;
  const [name = ""] = app.openDocuments.filter(({ isDirty }) => isDirty).map(({ title }) => title);
  return confirm(app.t("file.discard", { name }));
}

export interface OpenedFile {
  readonly name: string;
  readonly text: string;
  /** Its path on the server. */
  readonly path?: string | undefined;
  readonly version?: string | undefined;
  readonly handle?: FileSystemFileHandle | undefined;
}

/** Shows a scene. What is wrong with it is listed; when it is not a scene at all, nothing changes. */
export function openText(app: App, { name, text, path, version, handle }: OpenedFile): boolean {
  stopPlay(app);
  const opened = app.attempt(() =>
    openDocument(createEditorFormat(app.components), text, {
      title: name,
      file: path ?? name,
      prefabs: prefabsOf(() => app.project),
    }),
  );
  if (opened === undefined) return false;
  app.origin = { path, version, handle };
  app.behind.length = 0;
  app.overlay = "none";
  app.show(opened);
  void rememberFile(name, text);
  return true;
}

export async function openFromDisk(app: App): Promise<void> {
  if (!mayLeave(app)) return;
  try {
    const file = await fileOpen({ extensions, description: app.t("file.kind") });
    openText(app, { name: file.name, text: await file.text(), handle: file.handle });
  } catch (error) {
    if ((error as Error).name !== "AbortError") app.say((error as Error).message, "error");
  }
}

export async function openFromProject(app: App, path: string): Promise<void> {
  if (app.files === undefined || !mayLeave(app)) return;
  try {
    const { text, version } = await app.files.read(path);
    openText(app, { name: path, text, path, version });
  } catch (error) {
    app.say((error as Error).message, "error");
  }
}

/** Writes the scene to where it came from, or asks where. A prefab that is edited in place becomes part of its scene. */
export async function save(app: App, asNew = false): Promise<void> {
  stopPlay(app);
  if (app.behind.length > 0 && !asNew) {
    savePrefab(app);
    return;
  }
  const { document } = app;
  const text = app.attempt(() => document.save());
  if (text === undefined) return;
  try {
    const { path, version, handle } = app.origin;
    if (app.files !== undefined && path !== undefined && !asNew) {
      app.origin = { ...app.origin, version: await app.files.write(path, text, version) };
    } else {
      const blob = new Blob([text], { type: "application/json" });
      const fileName = document.title.endsWith(".json") ? document.title : `${document.title}.scene.json`;
      const next = await fileSave(
        blob,
        { fileName, extensions, description: app.t("file.kind") },
        asNew ? null : (handle ?? null),
      );
      // A copy of a prefab: the scene behind it stays where it is.
      if (app.behind.length > 0) return;
      app.origin = { path: undefined, version: undefined, handle: next ?? undefined };
    }
    document.marks.save();
    await app.recovery?.clear();
    app.say(app.t("file.saved", { name: document.title }));
    document.touch();
  } catch (error) {
    if ((error as Error).name !== "AbortError") app.say((error as Error).message, "error");
  }
}

async function exportAs(app: App, form: "nested" | "flat"): Promise<void> {
  stopPlay(app);
  const text = app.attempt(() => {
    const file = parseScene(app.document.save());
    return printScene(form === "nested" ? toNested(file) : toFlat(file));
  });
  if (text === undefined) return;
  try {
    await fileSave(new Blob([text], { type: "application/json" }), {
      fileName: `${app.document.title.replace(/\.(scene\.)?json$/, "")}.${form}.scene.json`,
      extensions,
    });
  } catch (error) {
    if ((error as Error).name !== "AbortError") app.say((error as Error).message, "error");
  }
}

/** A file of the project changed on disk: ours is offered as a difference, one step of the history. */
export async function changedOnDisk(app: App, changed: string | undefined): Promise<void> {
  const there = await refreshProject(app);
  // Gone from the disk: it is written again when it is saved.
  if (changed !== undefined && there?.has(changed) === false) return;
  if (changed !== undefined && changed !== app.origin.path) await prefabChangedOnDisk(app, changed);
  const { path } = app.origin;
  if (app.files === undefined || path === undefined || (changed !== undefined && changed !== path)) return;
  const found = await app.files.read(path).catch(() => undefined);
  if (found === undefined || found.version === app.origin.version) return;
  const { text, version } = found;
  app.say(app.t("file.changedOnDisk", { name: path }), "info", {
    label: app.t("file.reload"),
    run: () => {
      stopPlay(app);
      try {
        const summary = reloadScene(app.document, text);
        app.origin = { ...app.origin, version };
        // Without edits of one's own the document is now what is in the file.
        if (app.document.save() === text) app.document.marks.save();
        app.document.touch();
        if (summary !== undefined) {
          const { added, removed, moved, changed } = summary;
          app.say(
            app.t("file.reloaded", {
              added: added.length,
              removed: removed.length,
              moved: moved.length,
              changed: changed.length,
            }),
          );
        }
      } catch (error) {
        app.say(error instanceof SceneError ? error.message : String(error), "error");
      }
    },
  });
}

export function newScene(app: App): void {
  if (mayLeave(app))
    openText(app, { name: app.t("app.untitled"), text: `{ "version": 1, "entities": [] }\n` });
}

export const fileActions: readonly Action[] = [
  { id: "new", group: "File", run: newScene },
  {
    id: "open",
    group: "File",
    shortcut: "Mod+O",
    isEnabled: (app) => !app.isLive,
    run: (app) => void openFromDisk(app),
  },
  {
    id: "save",
    group: "File",
    shortcut: "Mod+S",
    whileTyping: true,
    isEnabled: (app) => !app.isLive,
    run: (app) => void save(app),
  },
  {
    id: "save-as",
    group: "File",
    shortcut: "Mod+Shift+S",
    whileTyping: true,
    run: (app) => void save(app, true),
  },
  {
    id: "export-nested",
    group: "File",
    run: (app) => void exportAs(app, "nested"),
  },
  { id: "export-flat", group: "File", run: (app) => void exportAs(app, "flat") },
];
