/** Editors that edit one scene together, each with its own world, through a real relay. */

import { checkTree } from "espalier/hierarchy";
import { instancesIn } from "espalier/scene";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocket as NodeWebSocket } from "ws";
import { joinScene } from "../../collab/src/index.ts";
import { openRelay, type Relay } from "../../collab/src/relay/index.ts";
import { setField } from "../src/commands/components/set-field.ts";
import { instantiatePrefab } from "../src/commands/scene/instantiate-prefab.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { moveEntities } from "../src/commands/tree/move-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { type Recovery, type RecoveryStorage, RecoveryStore } from "../src/files/recovery.ts";
import { problemsOf } from "../src/panels/problems-panel.tsx";
import { SharedBases } from "../src/server/share.ts";
import type { Collab, ShareService } from "../src/share/collab.ts";
import { actions } from "../src/shell/actions/actions.ts";
import { changedOnDisk, openFromProject, save } from "../src/shell/actions/file-actions.ts";
import { applyMerge, cancelMerge } from "../src/shell/actions/merge-actions.ts";
import { openPrefab } from "../src/shell/actions/prefab-actions.ts";
import { offerRecovery } from "../src/shell/actions/recovery-actions.ts";
import { App } from "../src/shell/app.ts";
import { startSharing } from "../src/shell/start-sharing.ts";
import { MemoryFiles } from "./memory-files.ts";
import { Aim, at, Health, level, Rusty, tankPrefab } from "./open.ts";
import { random, randomGesture } from "./random-session.ts";

globalThis.WebSocket ??= NodeWebSocket as never;

const path = "level.scene.json";
let relay: Relay;
let files: MemoryFiles;
let bases: SharedBases;
let pages: { app: App; basesChanged: Set<(path: string) => void> }[] = [];

beforeEach(async () => {
  vi.stubGlobal("confirm", () => true);
  relay = await openRelay({ token: "secret", load: () => undefined, save: () => {} });
  files = new MemoryFiles({ [path]: level, "tank.prefab.json": tankPrefab });
  bases = new SharedBases();
});

afterEach(async () => {
  for (const { app } of pages) app.sharing?.leave();
  pages = [];
  await relay.close();
  whenJoining = () => {};
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let whenJoining = () => {};
const joining: typeof joinScene = (...options) => {
  whenJoining();
  return joinScene(...options);
};

/** A page of the editor, with the scene open. */
async function page(name: string, token = "secret", of = path): Promise<App> {
  const basesChanged = new Set<(path: string) => void>();
  const note = (changed: string) => {
    for (const other of pages)
      if (other.basesChanged !== basesChanged) for (const listener of other.basesChanged) listener(changed);
  };
  const service: ShareService = {
    url: relay.url,
    token,
    load: async () => ({ joinScene: joining }) as unknown as Collab,
    base: async (of, beginning) => bases.of(of, beginning),
    setBase: async (of, beginning, base) => {
      bases.set(of, { beginning, ...base });
      note(of);
    },
    onBase: (changed) => void basesChanged.add(changed),
  };
  const store = Object.create(files, {
    write: {
      value: async (of: string, text: string, version: string | undefined, beginning?: string) => {
        const written = await files.write(of, text, version);
        if (beginning !== undefined) {
          bases.set(of, { beginning, text, version: written });
          note(of);
        }
        return written;
      },
    },
  }) as MemoryFiles;
  const app = new App({ components: [Health, Aim, Rusty], files: store });
  app.project = { ...(await files.project()), isServed: true };
  app.view.settings = { ...app.view.settings, userName: name };
  startSharing(app, service, (of) => void openFromProject(app, of));
  pages.push({ app, basesChanged });
  await openFromProject(app, of);
  await app.sharing?.settled();
  return app;
}

const until = (test: () => boolean) => expect.poll(test, { timeout: 20_000, interval: 10 }).toBe(true);
const isSame = (a: App, b: App) => until(() => a.document.save() === b.document.save());
const said = (app: App) => app.notes.messages.map(({ text }) => text).join("\n");

describe("editors that share a scene", () => {
  it("have the same entities, also new ones, and undo their own edits only", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    expect([ada.sharing?.state, bob.sharing?.state]).toEqual(["shared", "shared"]);
    expect([ada.document.isDirty, bob.document.isDirty]).toEqual([false, false]);

    const root = createEntity(ada.document);
    moveEntities(bob.document, [at(bob.document, "tree")], { parent: at(bob.document, "house") });
    await isSame(ada, bob);
    expect([...bob.document.tree.roots()].length).toBe(5);
    expect(ada.document.tree.parentOf(at(ada.document, "tree"))).toBe(at(ada.document, "house"));
    expect([ada.document.isDirty, bob.document.isDirty]).toEqual([true, true]);

    expect(ada.document.undo()).toBe(true);
    expect(ada.document.world.isAlive(root)).toBe(false);
    await until(() => [...bob.document.tree.roots()].length === 4);
    expect(bob.document.tree.parentOf(at(bob.document, "tree"))).toBe(at(bob.document, "house"));
    expect(ada.document.history.canUndo).toBe(false);
    expect(bob.document.undo()).toBe(true);
    await isSame(ada, bob);
    expect(ada.document.tree.parentOf(at(ada.document, "tree"))).toBe(at(ada.document, "level"));
  });

  it("find prefabs beside a scene in a folder of its own, even where only one of them knows a component", async () => {
    const folder = "levels/one";
    const other = `${folder}/level.scene.json`;
    files.texts.set(
      `${folder}/rock.prefab.json`,
      `{ "entities": [{ "id": "rock", "components": { "Ore": { "left": 3 } }, "children": [{ "id": "moss", "name": "moss" }] }] }`,
    );
    files.texts.set(
      other,
      `{ "entities": [{ "id": "ground" }, { "id": "stone", "prefab": "./rock.prefab.json" }] }`,
    );
    const ada = await page("Ada", "secret", other);
    instantiatePrefab(ada.document, "./rock.prefab.json", { parent: at(ada.document, "ground") });
    const bob = await page("Bob", "secret", other);
    await isSame(ada, bob);
    expect([ada.sharing?.problems, bob.sharing?.problems]).toEqual([[], []]);
    instantiatePrefab(bob.document, "./rock.prefab.json", { parent: null });
    await isSame(ada, bob);
    expect([ada, bob].map(({ document }) => instancesIn(document.tree).length)).toEqual([3, 3]);
    expect(ada.sharing?.problems).toEqual([]);
  });

  it("see the other members, what each has selected, and where the pointers are", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    await until(() => said(ada).includes("Bob has joined."));
    bob.document.selection.replace([at(bob.document, "door")]);
    bob.sharing?.pointAt({ x: 3, y: 4 });
    await until(() => ada.sharing?.others[0]?.cursor?.x === 3);
    expect(ada.sharing?.selectedBy.get(at(ada.document, "door"))?.map(({ name }) => name)).toEqual(["Bob"]);
    bob.sharing?.pointAt(null);
    await until(() => ada.sharing?.others[0]?.cursor === null);
    bob.sharing?.leave();
    await until(() => ada.sharing?.others.length === 0);
    expect(said(ada)).toContain("Bob has left.");
    expect(bob.document.isShared).toBe(false);
    createEntity(bob.document);
    expect(bob.document.undo()).toBe(true);
  });

  it("know that the file is saved when one of them saves it, and not when it was edited meanwhile", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 9);
    await isSame(ada, bob);
    await until(() => bob.document.isDirty);
    await save(ada);
    await until(() => !bob.document.isDirty);
    await changedOnDisk(bob, path);
    expect(said(bob)).not.toContain("changed on disk");

    setField(bob.document, [at(bob.document, "sky")], bob.document.space.component, "x", 12);
    await save(bob);
    await until(() => !ada.document.isDirty);
    expect(files.texts.get(path)).toContain(`"x": 12`);
  });

  it("may save at the same time: the second one is not refused", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 9);
    await isSame(ada, bob);
    setField(bob.document, [at(bob.document, "house")], bob.document.space.component, "x", 4);
    // Bob has not heard of it when he saves.
    const bobHears = pages[1]?.basesChanged;
    const listeners = [...(bobHears ?? [])];
    bobHears?.clear();
    await save(ada);
    await save(bob);
    for (const listener of listeners) bobHears?.add(listener);
    expect(said(bob)).toContain("Saved");
    await isSame(ada, bob);
    await until(() => !ada.document.isDirty && !bob.document.isDirty);
    expect(files.texts.get(path)).toContain(`"x": 9`);
    expect(files.texts.get(path)).toContain(`"x": 4`);
  });

  it("keep edits of the others made while one was resolving conflicts with a file", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    const { component } = ada.document.space;
    setField(ada.document, [at(ada.document, "sky")], component, "x", 9);
    await isSame(ada, bob);
    const { text: before = "" } = ada.document.origin;
    files.texts.set(path, withX(before, { sky: 5, unit: 6 }));
    await changedOnDisk(ada, path);
    ada.notes.messages.find(({ actions: [first] }) => first?.label === "Merge")?.actions[0]?.run();
    await until(() => ada.documents.merge !== undefined);
    const { merge } = ada.documents;
    expect(merge?.session.conflicts.length).toBe(1);
    merge?.session.chooseAll("theirs");

    setField(bob.document, [at(bob.document, "tree")], bob.document.space.component, "x", 7);
    setField(bob.document, [at(bob.document, "unit")], bob.document.space.component, "x", 8);
    await isSame(ada, bob);
    // Bob brought about another conflict: it is shown before anything is merged.
    applyMerge(ada);
    expect(ada.documents.merge?.session.conflicts.length).toBe(2);
    applyMerge(ada);
    expect(ada.documents.merge).toBeUndefined();
    const xOf = (id: string) => ada.document.world.get(at(ada.document, id), component)?.x;
    expect([xOf("sky"), xOf("tree"), xOf("unit")]).toEqual([5, 7, 8]);
    await isSame(ada, bob);
  });

  it("take a file that changed outside once, by a merge that one of them requests", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 9);
    await isSame(ada, bob);
    files.texts.set(path, level.replace(`"id": "sky"`, `"id": "moon" }, { "id": "sky"`));
    for (const app of [ada, bob]) {
      await changedOnDisk(app, path);
      expect(said(app)).toContain(`${path} changed on disk`);
    }
    ada.notes.messages.find(({ actions: [first] }) => first?.label === "Merge")?.actions[0]?.run();
    await isSame(ada, bob);
    await until(() => bob.document.scene?.find("moon") !== undefined);
    expect(bob.document.save().match(/"moon"/g)).toHaveLength(1);
    // Bob knows the file, too: saving is not refused.
    await until(() => bob.document.origin.text === files.texts.get(path));
    await save(bob);
    expect(said(bob)).toContain("Saved");
    expect(files.texts.get(path)).toContain(`"x": 9`);

    // What Bob's page still offers changes nothing any more.
    const old = bob.notes.messages.find(({ text }) => text.includes("changed on disk"))?.actions[0];
    deleteEntities(ada.document, [at(ada.document, "moon")]);
    await save(ada);
    await isSame(ada, bob);
    old?.run();
    await until(() => said(bob).includes("in the scene already"));
    expect(bob.document.scene?.find("moon")).toBeUndefined();
  });

  it("are asked to merge again when the merge with a file was undone", async () => {
    const ada = await page("Ada");
    const bob = await page("Bob");
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 9);
    await isSame(ada, bob);
    files.texts.set(path, level.replace(`"id": "sky"`, `"id": "moon" }, { "id": "sky"`));
    await changedOnDisk(ada, path);
    ada.notes.messages.find(({ actions: [first] }) => first?.label === "Merge")?.actions[0]?.run();
    await until(() => bob.document.origin.text === files.texts.get(path));
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 10);
    ada.document.undo();
    expect(ada.document.origin.text).toBe(files.texts.get(path));
    ada.document.undo();
    await until(() => bob.document.scene?.find("moon") === undefined);
    await until(() => bob.document.origin.text === level);
    for (const app of [ada, bob]) {
      await save(app);
      expect(said(app)).toContain("changed on disk");
      expect(files.texts.get(path)).toContain("moon");
    }
    ada.document.redo();
    await until(() => bob.document.origin.text === files.texts.get(path));
    await isSame(ada, bob);
    await save(bob);
    expect(said(bob)).toContain("Saved");
    expect(files.texts.get(path)).toContain("moon");
    expect(files.texts.get(path)).toContain(`"x": 9`);
  });

  it("leave one file before they join another", async () => {
    const ada = await page("Ada");
    createEntity(ada.document);
    const { history } = ada.document;
    expect(history.canUndo).toBe(true);
    whenJoining = () => expect(history.canUndo).toBe(false);
    const saved = save(ada, { asNew: true });
    await until(() => ada.view.asked !== undefined);
    ada.view.asked?.answer("other.scene.json");
    await saved;
    await ada.sharing?.settled();
    expect([ada.sharing?.state, ada.sharing?.reason]).toEqual(["shared", ""]);
    expect(ada.document.origin.path).toBe("other.scene.json");
  });

  it("that come later get the unsaved edits, and know the file that these are based on", async () => {
    const ada = await page("Ada");
    setField(ada.document, [at(ada.document, "sky")], ada.document.space.component, "x", 9);
    files.texts.set(path, level.replace(`"id": "sky"`, `"id": "moon" }, { "id": "sky"`));
    const bob = await page("Bob");
    await isSame(ada, bob);
    expect(bob.document.scene?.find("moon")).toBeUndefined();
    expect(bob.document.isDirty).toBe(true);
    await save(bob);
    expect(said(bob)).toContain("changed on disk");
    expect(files.texts.get(path)).toContain("moon");
  });

  it("begin from the file again when all have left", async () => {
    const ada = await page("Ada");
    deleteEntities(ada.document, [at(ada.document, "sky")]);
    ada.sharing?.leave();
    await expect
      .poll(
        async () => {
          const bob = await page("Bob");
          const isThere = bob.document.scene?.find("sky") !== undefined;
          bob.sharing?.leave();
          return isThere;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
  });

  it("refuse what the others would not receive: prefabs, and played states", async () => {
    const ada = await page("Ada");
    openPrefab(ada, "tank");
    expect(said(ada)).toContain("Prefabs are not edited together");
    expect(ada.documents.behind).toEqual([]);
    const reasonOf = (id: string) => actions.find((action) => action.id === id)?.whyNot?.(ada);
    expect(reasonOf("make-prefab")).toContain("Prefabs are not edited together");
    expect(reasonOf("stop-keep")).toContain("Others are editing the scene");
  });

  it("stay alone when the relay refuses them, and may try again", async () => {
    const ada = await page("Ada", "wrong");
    expect(ada.sharing?.state).toBe("failed");
    expect(ada.sharing?.reason).not.toBe("");
    expect(ada.sharing?.isJoining).toBe(true);
    // On the way it cannot be given up: edits would be lost when the scene becomes that of the others.
    const again = ada.sharing?.connect();
    ada.sharing?.stayAlone();
    expect(ada.sharing?.state).toBe("joining");
    await again;
    expect(ada.sharing?.state).toBe("failed");
    ada.sharing?.stayAlone();
    expect([ada.sharing?.state, ada.document.isShared]).toEqual(["off", false]);
    createEntity(ada.document);
    expect(ada.document.undo()).toBe(true);
  });

  it("stay alone when what is in the file cannot be agreed on, and may try again", async () => {
    vi.spyOn(bases, "set").mockImplementationOnce(() => {
      throw new Error("The file is too large.");
    });
    const ada = await page("Ada");
    expect([ada.sharing?.state, ada.document.isShared]).toEqual(["failed", false]);
    expect(ada.sharing?.reason).toBe("The file is too large.");
    await ada.sharing?.connect();
    expect([ada.sharing?.state, ada.document.isShared]).toEqual(["shared", true]);
    const bob = await page("Bob");
    createEntity(ada.document);
    await isSame(ada, bob);
  });

  it("are asked for a name first", async () => {
    const joined = page("");
    await until(() => pages[0]?.app.sharing?.state === "asking");
    const { app } = pages[0] as { app: App };
    app.view.settings = { ...app.view.settings, userName: "Ada" };
    await app.sharing?.connect();
    await joined;
    expect(app.sharing?.state).toBe("shared");
  });

  it("continue alone when the session ends by itself, with what they have", async () => {
    const ada = await page("Ada");
    createEntity(ada.document);
    const shared = ada.document.history;
    const { port } = relay;
    // The client of loro-websocket prints why it could not come back.
    vi.spyOn(console, "error").mockImplementation(() => {});
    await relay.close();
    await until(() => ada.sharing?.status === "offline");
    expect(problemsOf(ada)).toEqual([]);
    relay = await openRelay({ port, token: "other" });
    await until(() => ada.sharing?.state === "off");
    expect(said(ada)).toContain("You are editing alone now.");
    // The session is given back, too.
    await until(() => !shared.canUndo);
    expect([...ada.document.tree.roots()].length).toBe(5);
    createEntity(ada.document);
    expect(ada.document.undo()).toBe(true);
    // The way back asks first: the room has the file, and not what was done here.
    const question = vi.fn(() => false);
    vi.stubGlobal("confirm", question);
    ada.notes.messages.find(({ text }) => text.includes("You are editing alone"))?.actions[0]?.run();
    await until(() => question.mock.calls.length === 1);
    expect([...ada.document.tree.roots()].length).toBe(5);
  });

  it("restore work that a page left behind, merged with the edits of the others", async () => {
    const left = new App({ components: [Health, Aim, Rusty], files });
    left.project = { ...(await files.project()), isServed: true };
    await openFromProject(left, path);
    setField(left.document, [at(left.document, "sky")], left.document.space.component, "x", 9);
    const storage = memoryStorage();
    await new RecoveryStore(storage).keep({
      documents: [
        { name: path, file: path, text: left.document.save(), base: level, version: "1", handle: undefined },
      ],
    });

    const bob = await page("Bob");
    setField(bob.document, [at(bob.document, "house")], bob.document.space.component, "x", 4);
    const ada = await page("Ada");
    await offerRecovery(ada, new RecoveryStore(storage));
    ada.notes.messages.at(-1)?.actions[0]?.run();
    await until(() => said(ada).includes("restored") || said(ada).includes("Restored"));
    await isSame(ada, bob);
    const world = bob.document.space;
    expect(world.worldPosition(at(bob.document, "sky")).x).toBe(9);
    expect(bob.document.world.get(at(bob.document, "house"), world.component)).toMatchObject({ x: 4 });
    expect(ada.document.isDirty).toBe(true);
    expect(await storage.all()).toEqual([]);
  });

  it("keep work that was left behind until the merge with it was made", async () => {
    const left = level.replace(`"name": "sky"`, `"name": "Left"`);
    const storage = memoryStorage();
    await new RecoveryStore(storage).keep({
      documents: [{ name: path, file: path, text: left, base: level, version: "1", handle: undefined }],
    });
    const ada = await page("Ada");
    renameEntity(ada.document, at(ada.document, "sky"), "Ada's");
    await offerRecovery(ada, new RecoveryStore(storage));
    const restore = ada.notes.messages.at(-1)?.actions[0];
    restore?.run();
    await until(() => ada.documents.merge !== undefined);
    cancelMerge(ada);
    expect((await storage.all()).length).toBe(1);
    restore?.run();
    await until(() => ada.documents.merge !== undefined);
    ada.documents.merge?.session.chooseAll("theirs");
    applyMerge(ada);
    expect(ada.document.tree.nameOf(at(ada.document, "sky"))).toBe("Left");
    await expect.poll(async () => (await storage.all()).length).toBe(0);
  });
});

describe("references that lead nowhere", () => {
  it("keep their id in the file of everyone, even where the entity was deleted and came back", async () => {
    const [ada, bob] = [await page("Ada"), await page("Bob")];
    const text = `{ "entities": [{ "id": "gun", "components": { "Aim": { "at": "nowhere" }, "Fuel": { "left": 3 } } }] }`;
    pasteEntities(ada.document, text, at(ada.document, "sky"));
    await isSame(ada, bob);
    for (const part of [`"Aim": { "at": "nowhere" }`, `"Fuel": { "left": 3 }`])
      expect(bob.document.save()).toContain(part);
    const before = bob.document.save();
    deleteEntities(bob.document, [at(bob.document, "gun")]);
    await until(() => ada.document.scene?.find("gun") === undefined);
    bob.document.undo();
    await until(() => ada.document.save() === before);
    expect(bob.document.save()).toBe(before);
    expect((await page("Eve")).document.save()).toBe(before);
  });
});

describe("random editing by two who share a scene", () => {
  it.each([1, 2, 3])("ends with the same scene for both, in sound trees (seed %i)", async (seed) => {
    const [ada, bob] = [await page("Ada"), await page("Bob")];
    const next = random(seed);
    for (let k = 0; k < 150; k++) {
      const { document } = next() < 0.5 ? ada : bob;
      try {
        randomGesture(document, next);
      } catch (error) {
        if ((error as { code?: string }).code === undefined) throw error;
      }
      // Now and then what the others did arrives.
      if (k % 10 === 0) await new Promise((done) => setTimeout(done, 5));
    }
    await isSame(ada, bob);
    for (const { document, sharing } of [ada, bob]) {
      expect(sharing?.state).toBe("shared");
      expect(checkTree(document.tree)).toEqual([]);
    }
  });
});

/** The scene as text, with other positions of entities. */
function withX(text: string, positions: { readonly [id: string]: number }): string {
  const file = JSON.parse(text) as { entities: { id: string; components?: { [name: string]: object } }[] };
  for (const entity of file.entities) {
    const x = positions[entity.id];
    if (x === undefined) continue;
    const { components = {} } = entity;
    entity.components = { ...components, Transform2D: { ...components.Transform2D, x } };
  }
  return JSON.stringify(file);
}

function memoryStorage(): RecoveryStorage {
  const kept = new Map<string, Recovery>();
  return {
    set: async (session, work) => void kept.set(session, work),
    setChanges: async () => {},
    delete: async (session) => void kept.delete(session),
    all: async () => [...kept],
    hold: () => {},
    held: async () => [],
  };
}
