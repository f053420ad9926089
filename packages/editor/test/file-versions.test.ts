import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setField } from "../src/commands/components/set-field.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { type EditorDocument, openDocument } from "../src/document/document.ts";
import { startAutosave } from "../src/files/autosave.ts";
import { type Recovery, type RecoveryStorage, RecoveryStore } from "../src/files/recovery.ts";
import { changedOnDisk, openFromProject, save } from "../src/shell/actions/file-actions.ts";
import { applyMerge, cancelMerge } from "../src/shell/actions/merge-actions.ts";
import { openPrefab, savePrefab } from "../src/shell/actions/prefab-actions.ts";
import { offerRecovery } from "../src/shell/actions/recovery-actions.ts";
import { App } from "../src/shell/app.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Health } from "./open.ts";

const scene = `{
  "version": 1,
  "entities": [
    { "id": "rock", "name": "rock", "components": { "Health": { "hp": 5 } } },
    { "id": "bush", "name": "bush", "components": { "Health": { "hp": 7 } } },
    { "id": "cart", "prefab": "cart" }
  ]
}
`;
const prefab = `{ "entities": [{ "id": "cart", "name": "cart", "components": { "Health": { "hp": 2 } } }] }`;

/** What one browser keeps; each page takes its work over from the others. */
class Storage implements RecoveryStorage {
  readonly kept = new Map<string, Recovery>();
  alive = new Set<string>();
  set = async (session: string, work: Recovery) => void this.kept.set(session, structuredClone(work));
  setChanges = async () => {};
  delete = async (session: string) => void this.kept.delete(session);
  all = async () => [...this.kept];
  hold = (session: string) => void this.alive.add(session);
  held = async () => [...this.alive];
}

let files: MemoryFiles;
let storage: Storage;
let ends: (() => void)[];

beforeEach(() => {
  vi.stubGlobal("confirm", () => true);
  files = new MemoryFiles({ "level.scene.json": scene, "cart.prefab.json": prefab });
  storage = new Storage();
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  vi.unstubAllGlobals();
});

/** A page of the editor on the folder. */
async function page(open = true): Promise<{ app: App; recovery: RecoveryStore }> {
  const app = new App({ files, components: [Health] });
  app.project = { ...(await files.project()), isServed: true };
  const recovery = new RecoveryStore(storage);
  app.documents.recovery = recovery;
  if (open) await openFromProject(app, "level.scene.json");
  ends.push(startAutosave(app, recovery));
  return { app, recovery };
}

const entity = (document: EditorDocument, id: string) => document.scene!.entity(id);
const setHealth = (app: App, id: string, hp: number) =>
  setField(app.document, [entity(app.document, id)], Health, "hp", hp);
const healthOf = (document: EditorDocument, id: string) =>
  document.world.get(entity(document, id), Health)?.hp;
const said = (app: App) => app.notes.messages.map(({ text }) => text);
const onDisk = (path = "level.scene.json") => files.texts.get(path) as string;

/** The file, as saving would write its scene: files keep a form of their own. */
const sceneOnDisk = ({ document: { format, prefabs, file } }: App) =>
  openDocument(format, onDisk(), { prefabs, ...(file === undefined ? {} : { file }) }).save();

/** Runs what a message offers. */
async function press(app: App, label: string): Promise<void> {
  const message = [...app.notes.messages]
    .reverse()
    .find(({ actions }) => actions.some((action) => action.label === label));
  if (message === undefined) throw new Error(`No message offers ${label}: ${said(app).join(" | ")}`);
  app.notes.dismiss(message.id);
  message.actions.find((action) => action.label === label)!.run();
  for (let k = 0; k < 10; k++) await Promise.resolve();
  await new Promise((done) => setTimeout(done));
}

/** Another program changes the file. */
function changeFile(from: string, to: string, path = "level.scene.json"): void {
  const text = onDisk(path);
  expect(text).toContain(from);
  files.texts.set(path, text.replace(from, to));
}

describe("a file that changed on disk", () => {
  it("is not written over, and is merged on request", async () => {
    const { app } = await page();
    setHealth(app, "rock", 50);
    changeFile(`"hp": 7`, `"hp": 70`);
    const changed = onDisk();
    await save(app);
    expect(onDisk()).toBe(changed);
    expect(said(app)).toEqual(["level.scene.json was not saved: it changed on disk meanwhile."]);
    await press(app, "Merge");
    expect(app.view.overlay).toBe("none");
    expect([healthOf(app.document, "rock"), healthOf(app.document, "bush")]).toEqual([50, 70]);
    expect(app.document.history.undoLabels).toEqual(["Merge with disk", "Set Health.hp"]);
    await save(app);
    expect(said(app)).toContain("Saved level.scene.json.");
    expect(onDisk()).toMatch(/"hp": 50[\s\S]*"hp": 70/);
    expect(app.document.isDirty).toBe(false);
  });

  it("is written over only when that is chosen", async () => {
    const { app } = await page();
    setHealth(app, "rock", 50);
    changeFile(`"hp": 7`, `"hp": 70`);
    await save(app);
    await press(app, "Overwrite");
    expect(sceneOnDisk(app)).toBe(app.document.save());
    expect(onDisk()).not.toContain("70");
  });

  it("shows conflicts, which are resolved one by one or by side, and cancelling leaves everything", async () => {
    const { app } = await page();
    setHealth(app, "rock", 50);
    setHealth(app, "bush", 51);
    changeFile(`"hp": 5`, `"hp": 500`);
    changeFile(`"hp": 7`, `"hp": 700`);
    await changedOnDisk(app, "level.scene.json");
    const mine = app.document.save();
    await press(app, "Merge");
    expect(app.view.overlay).toBe("merge");
    const { session } = app.documents.merge!;
    expect(session.conflicts.map(({ key, ours, theirs }) => [key, ours, theirs])).toEqual([
      ["value rock Health.hp", 50, 500],
      ["value bush Health.hp", 51, 700],
    ]);
    expect(session.labelOf(session.conflicts[0]!)).toBe("rock");
    cancelMerge(app);
    expect(app.document.save()).toBe(mine);
    await save(app);
    expect(onDisk()).toContain("500");
    await press(app, "Merge");
    app.documents.merge!.session.chooseAll("theirs");
    app.documents.merge!.session.choose("value rock Health.hp", "ours");
    applyMerge(app);
    expect([healthOf(app.document, "rock"), healthOf(app.document, "bush")]).toEqual([50, 700]);
    await save(app);
    expect(app.document.isDirty).toBe(false);
    expect(sceneOnDisk(app)).toBe(app.document.save());
  });

  it("is refused again when the merge is undone", async () => {
    const { app } = await page();
    setHealth(app, "rock", 50);
    changeFile(`"hp": 7`, `"hp": 70`);
    await save(app);
    await press(app, "Merge");
    app.document.undo();
    await save(app);
    expect(onDisk()).toContain("70");
    expect(said(app)).toContain("level.scene.json was not saved: it changed on disk meanwhile.");
    app.document.redo();
    await save(app);
    expect(app.document.isDirty).toBe(false);
  });

  it("is reloaded where there are no edits, even while a prefab is open in front of the scene", async () => {
    const { app } = await page();
    openPrefab(app, "cart");
    changeFile(`"hp": 7`, `"hp": 70`);
    await changedOnDisk(app, "level.scene.json");
    await press(app, "Reload");
    expect(app.document.title).toBe("cart.prefab.json");
    expect(healthOf(app.documents.outermost, "bush")).toBe(70);
    expect(app.documents.isUnsaved).toBe(false);
  });

  it("is reported when it is deleted, and written again", async () => {
    const { app } = await page();
    files.texts.delete("level.scene.json");
    await changedOnDisk(app, "level.scene.json");
    expect(said(app)).toEqual(["level.scene.json was deleted on disk. Saving writes it again."]);
    expect(app.document.isDirty).toBe(true);
    await save(app);
    expect(sceneOnDisk(app)).toBe(app.document.save());
  });
});

describe("saving", () => {
  it("keeps comments, nesting and spacing of the file, also of prefabs", async () => {
    const commented = `// The yard.\n${scene.replace(`{ "id": "bush"`, `// Green.\n    { "id": "bush"`)}`;
    files.texts.set("level.scene.json", commented);
    files.texts.set("cart.prefab.json", `// On wheels.\n${prefab}`);
    const { app } = await page();
    setHealth(app, "bush", 8);
    await save(app);
    expect(onDisk()).toBe(commented.replace(`"hp": 7`, `"hp": 8`));
    openPrefab(app, "cart");
    setHealth(app, "cart", 3);
    expect(savePrefab(app)).toBe(true);
    await app.documents.writing;
    expect(onDisk("cart.prefab.json")).toBe(`// On wheels.\n${prefab.replace(`"hp": 2`, `"hp": 3`)}`);
  });

  it("asks before comments are lost", async () => {
    const depth = 8000;
    const open = Array.from({ length: depth }, (_, k) => `{"id":"e${k}","children":[`).join("");
    const deep = `// deep\n{"entities":[${open}${"]}".repeat(depth)}]}`;
    files.texts.set("level.scene.json", deep);
    const { app } = await page();
    renameEntity(app.document, entity(app.document, "e1"), "one");
    const asked: string[] = [];
    vi.stubGlobal("confirm", (text: string) => asked.push(text) > 1);
    await save(app);
    expect([asked, onDisk() === deep]).toEqual([
      ["The comments of level.scene.json cannot be kept. Save it without them?"],
      true,
    ]);
    await save(app);
    expect(onDisk()).toBe(app.document.save());
  });

  it("leaves edits unsaved that are made while the file is written", async () => {
    const { app } = await page();
    setHealth(app, "rock", 50);
    const saving = save(app);
    setHealth(app, "rock", 51);
    await saving;
    expect(onDisk()).toContain("50");
    expect(app.document.isDirty).toBe(true);
    await save(app);
    expect(onDisk()).toContain("51");
    expect(app.document.isDirty).toBe(false);
  });
});

/** A page that is killed with unsaved work. */
async function crash(edit: (app: App) => void): Promise<void> {
  const { app } = await page();
  edit(app);
  await new Promise((done) => setTimeout(done, 400));
  expect(storage.kept.size).toBe(1);
  for (const end of ends.splice(0)) end();
  storage.alive = new Set();
}

describe("work that a page left behind", () => {
  it("is shown with its date and what it would change", async () => {
    await crash((app) => {
      setHealth(app, "rock", 50);
      renameEntity(app.document, entity(app.document, "bush"), "hedge");
    });
    const { app, recovery } = await page();
    expect(await offerRecovery(app, recovery)).toBe(true);
    const [{ time } = { time: 0 }] = storage.kept.values();
    expect(said(app)).toEqual([
      `There is unsaved work on level.scene.json from ${new Date(time).toLocaleString()}. It would change the file: 0 added, 0 removed, 0 moved, 2 changed (rock, hedge).`,
    ]);
  });

  it("does not overwrite a file that changed meanwhile: saving it is refused, and merged on request", async () => {
    await crash((app) => setHealth(app, "rock", 50));
    changeFile(`"hp": 7`, `"hp": 70`);
    const pulled = onDisk();
    const { app, recovery } = await page();
    await offerRecovery(app, recovery);
    await press(app, "Restore");
    expect(healthOf(app.document, "rock")).toBe(50);
    expect(said(app)).toContain("level.scene.json changed on disk.");
    await save(app);
    expect(onDisk()).toBe(pulled);
    await press(app, "Merge");
    await save(app);
    expect(onDisk()).toMatch(/"hp": 50[\s\S]*"hp": 70/);
  });

  it("is dropped for good when it is declined, and older work is offered then", async () => {
    await crash((app) => setHealth(app, "rock", 50));
    const { app, recovery } = await page();
    await offerRecovery(app, recovery);
    await press(app, "Discard");
    expect([storage.kept.size, app.notes.messages]).toEqual([0, []]);
    expect(await offerRecovery(app, recovery)).toBe(false);
  });

  it("does not overwrite a prefab that changed meanwhile", async () => {
    await crash((app) => {
      openPrefab(app, "cart");
      setHealth(app, "cart", 20);
    });
    changeFile(`"name": "cart"`, `"name": "wagon"`, "cart.prefab.json");
    const pulled = onDisk("cart.prefab.json");
    const { app, recovery } = await page();
    await offerRecovery(app, recovery);
    await press(app, "Restore");
    expect(savePrefab(app)).toBe(false);
    await app.documents.writing;
    expect(onDisk("cart.prefab.json")).toBe(pulled);
    await press(app, "Merge");
    expect(savePrefab(app)).toBe(true);
    await app.documents.writing;
    expect(onDisk("cart.prefab.json")).toMatch(/"wagon"[\s\S]*"hp": 20/);
  });
});
