import { Transform2D } from "espalier/transform";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setField } from "../src/commands/components/set-field.ts";
import { changePrefab } from "../src/commands/scene/change-prefab.ts";
import { instantiatePrefab } from "../src/commands/scene/instantiate-prefab.ts";
import { unpack } from "../src/commands/scene/unpack-instance.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { moveEntities } from "../src/commands/tree/move-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { copyText } from "../src/document/clipboard.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { startAutosave } from "../src/files/autosave.ts";
import { applyChanges } from "../src/files/changes-since.ts";
import {
  type KeptChanges,
  type Recovery,
  type RecoveryStorage,
  RecoveryStore,
} from "../src/files/recovery.ts";
import { startPlaying } from "../src/play/play-session.ts";
import { showPrefab } from "../src/shell/actions/prefab-actions.ts";
import { App } from "../src/shell/app.ts";
import { names, tankPrefab } from "./open.ts";

/** A browser's storage, with the names that its pages hold. */
class Storage implements RecoveryStorage {
  readonly kept = new Map<string, Recovery>();
  readonly alive = new Set<string>();
  /** When the text was written, and when changes were. */
  writes: number[] = [];
  changes: number[] = [];
  async set(session: string, work: Recovery): Promise<void> {
    this.writes.push(Date.now());
    this.kept.set(session, work);
  }
  async setChanges(session: string, changes: KeptChanges): Promise<void> {
    this.changes.push(Date.now());
    this.kept.set(session, { ...this.kept.get(session)!, ...JSON.parse(JSON.stringify(changes)) });
  }
  async delete(session: string): Promise<void> {
    this.kept.delete(session);
  }
  async all(): Promise<readonly (readonly [string, Recovery])[]> {
    return [...this.kept];
  }
  hold(session: string): void {
    this.alive.add(session);
  }
  async held(): Promise<readonly string[]> {
    return [...this.alive];
  }
}

const yard = `{ "entities": [
  { "id": "yard", "name": "yard", "components": { "Transform2D": {} }, "children": [
    { "id": "gate", "name": "gate", "components": { "Transform2D": {} } },
    { "id": "bush", "name": "bush", "components": { "Transform2D": {} } } ] },
  { "id": "rock", "name": "rock", "components": { "Transform2D": { "x": 3 } } } ] }`;

interface Values {
  readonly Transform2D?: { readonly x?: number };
}

const openYard = (text: string, tank = tankPrefab) =>
  openDocument(createEditorFormat([]), text, { prefabs: { tank } });

/** Ids of those that were made meanwhile are given when the text is written. */
function withoutIds(file: object): unknown {
  return JSON.parse(JSON.stringify(file, (key, value) => (key === "id" ? undefined : value)));
}

let storage: Storage;
let app: App;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  storage = new Storage();
  app = new App();
  end = startAutosave(app, new RecoveryStore(storage));
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

const texts = () => [...storage.kept.values()].map(({ documents }) => documents.map(({ text }) => text));

describe("unsaved work", () => {
  it("is kept within a second while edits continue without a pause", async () => {
    const entity = createEntity(app.document);
    for (let k = 0; k < 100; k++) {
      renameEntity(app.document, entity, `name ${k}`);
      await vi.advanceTimersByTimeAsync(50);
    }
    const gaps = storage.writes.slice(1).map((time, k) => time - storage.writes[k]!);
    expect(storage.writes.length).toBeGreaterThan(5);
    expect(Math.max(...gaps)).toBeLessThan(1000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([[app.document.save()]]);
  });

  describe("of a scene that takes long to write", () => {
    let clock: number;
    let slow: App;
    let own: Storage;
    let endSlow: () => void;
    beforeEach(() => {
      clock = 0;
      slow = new App();
      slow.show(openYard(yard));
      own = new Storage();
      endSlow = startAutosave(slow, new RecoveryStore(own), () => Date.now() + clock);
      // Each time its text is written takes a second more of the clock than has passed.
      const { document } = slow;
      const save = document.save.bind(document);
      document.save = () => {
        clock += 1000;
        return save();
      };
    });
    afterEach(() => endSlow());

    /** The work that would be found after a crash, as a document. */
    const recovered = (tank?: string) => {
      const [work] = own.kept.values();
      const again = openYard(work!.documents[0]!.text, tank);
      if (work!.changes !== undefined) applyChanges(again, work!.changes[0]!);
      return again.save();
    };

    it("is kept within a second by what changed, and as text when a pause comes", async () => {
      const { tree } = slow.document;
      const rock = tree.find("/rock")!;
      renameEntity(slow.document, tree.find("/yard")!, "garden");
      await vi.advanceTimersByTimeAsync(1000);
      expect(own.writes).toHaveLength(1);
      const begin = Date.now();
      for (let k = 0; k < 80; k++) {
        setField(slow.document, [rock], Transform2D, "x", k, { key: "drag" });
        await vi.advanceTimersByTimeAsync(50);
      }
      expect(own.writes).toHaveLength(1);
      const times = [begin, ...own.changes, Date.now()];
      expect(Math.max(...times.slice(1).map((time, k) => time - times[k]!))).toBeLessThan(1000);
      const { entities } = JSON.parse(recovered()) as { entities: { id: string; components: Values }[] };
      expect(entities.find(({ id }) => id === "rock")?.components.Transform2D?.x).toBeGreaterThan(65);
      await vi.advanceTimersByTimeAsync(1000);
      expect(own.writes).toHaveLength(2);
      expect([...own.kept.values()][0]!.changes).toBeUndefined();
    });

    it("comes back with everything that was done meanwhile", async () => {
      const { tree } = slow.document;
      const [yardRoot, rock, gate, bush] = ["/yard", "/rock", "/yard/gate", "/yard/bush"].map(
        (path) => tree.find(path)!,
      );
      renameEntity(slow.document, yardRoot!, "garden");
      await vi.advanceTimersByTimeAsync(1000);
      const steps: (() => void)[] = [
        () => void moveEntities(slow.document, [rock!], { parent: yardRoot! }),
        () => void deleteEntities(slow.document, [gate!]),
        () => void createEntity(slow.document, { parent: rock! }),
        () => void renameEntity(slow.document, rock!, "boulder"),
        () => void setField(slow.document, [bush!], Transform2D, "y", 7),
        () => void slow.document.undo(),
        () => void setField(slow.document, [bush!], Transform2D, "x", 9),
      ];
      for (const step of steps) {
        step();
        await vi.advanceTimersByTimeAsync(100);
      }
      // Edits go on without a pause, as long as it takes.
      for (let k = 0; k < 8; k++) {
        setField(slow.document, [yardRoot!], Transform2D, "x", k, { key: "drag" });
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(own.writes).toHaveLength(1);
      expect(own.changes.length).toBeGreaterThan(2);
      const again = JSON.parse(recovered());
      const now = JSON.parse(slow.document.save());
      // The last moves of the drag are those of the last moment.
      for (const file of [again, now]) delete file.entities[0].components.Transform2D;
      expect(withoutIds(again)).toEqual(withoutIds(now));
    });

    /** Does something after the text was kept, and then drags something else without a pause. */
    const whileDragging = async (act: () => void) => {
      const root = slow.document.tree.find("/yard")!;
      renameEntity(slow.document, root, "garden");
      await vi.advanceTimersByTimeAsync(1000);
      act();
      for (let k = 0; k < 20; k++) {
        setField(slow.document, [root], Transform2D, "x", k, { key: "drag" });
        await vi.advanceTimersByTimeAsync(100);
      }
      const again = JSON.parse(recovered());
      const now = JSON.parse(slow.document.save());
      for (const file of [again, now]) delete file.entities[0].components.Transform2D;
      expect(withoutIds(again)).toEqual(withoutIds(now));
      return JSON.stringify(again);
    };

    it("comes back with an instance of a prefab that was added meanwhile", async () => {
      const text = await whileDragging(() => void instantiatePrefab(slow.document, "tank", { x: 5, y: 6 }));
      expect(text).toContain('"prefab":"tank"');
      // Its text was kept once more, and the drag after that as changes again.
      expect(own.writes).toHaveLength(2);
      expect([...own.kept.values()][0]!.changes).toBeDefined();
    });

    it("comes back with a copy of an instance that was pasted meanwhile", async () => {
      const tank = instantiatePrefab(slow.document, "tank");
      const copied = copyText(slow.document, [tank])!;
      const text = await whileDragging(() => void pasteEntities(slow.document, copied, null));
      expect(text.split('"prefab":"tank"')).toHaveLength(3);
    });

    it("comes back without the link of an instance that was unpacked meanwhile", async () => {
      const tank = instantiatePrefab(slow.document, "tank");
      const text = await whileDragging(() => unpack(slow.document, tank));
      expect(text).not.toContain('"prefab"');
    });

    it("comes back with the unknown data of entities that were pasted meanwhile", async () => {
      const copied = `{ "entities": [{ "id": "mill", "name": "mill", "components": { "Sails": { "count": 4 } } }] }`;
      const text = await whileDragging(() => void pasteEntities(slow.document, copied, null));
      expect(text).toContain('"Sails":{"count":4}');
    });

    it("comes back once with what a prefab got meanwhile", async () => {
      instantiatePrefab(slow.document, "tank");
      const taller = tankPrefab.replace(
        '"children": [',
        '"children": [{ "id": "mast", "name": "mast", "components": { "Transform2D": {} } }, ',
      );
      let text = tankPrefab;
      const prefabs = () => text;
      const root = slow.document.tree.find("/yard")!;
      renameEntity(slow.document, root, "garden");
      await vi.advanceTimersByTimeAsync(1000);
      const write = (next: string) => {
        text = next;
      };
      changePrefab(slow.document, { label: "taller", before: tankPrefab, after: taller, write, prefabs });
      for (let k = 0; k < 20; k++) {
        setField(slow.document, [root], Transform2D, "x", k, { key: "drag" });
        await vi.advanceTimersByTimeAsync(100);
      }
      const again = openYard(recovered(taller), taller);
      expect(names(again, again.tree.descendants(again.tree.find("/tank")!))).toEqual(["mast", "turret"]);
    });
  });

  describe("of a large scene", () => {
    let large: App;
    let own: Storage;
    let endLarge: () => void;
    let saves = 0;

    /** More than three thousand entities, flat as it is saved. */
    const largeText = () => {
      const entities = Array.from({ length: 3100 }, (_, k) => ({
        id: `e${k}`,
        name: `e${k}`,
        components: { Transform2D: { x: k + 1 } },
      }));
      return openYard(JSON.stringify({ entities })).save();
    };

    /** @param isFile - Whether the scene is in a file. */
    const start = (isFile: boolean) => {
      const document = openYard(largeText());
      if (isFile) document.origin = { ...document.origin, path: "large.scene.json", text: document.save() };
      saves = 0;
      const saving = document.saving.bind(document);
      // Long enough for edits to come in between.
      document.saving = function* () {
        saves++;
        for (let k = 0; k < 40; k++) yield 0;
        return yield* saving();
      };
      large = new App();
      large.show(document);
      own = new Storage();
      // Every look at the clock is later, so that each part of the text is a slice of its own.
      let time = 0;
      vi.spyOn(performance, "now").mockImplementation(() => (time += 100));
      endLarge = startAutosave(large, new RecoveryStore(own), () => Date.now());
      return document;
    };
    afterEach(() => {
      endLarge();
      vi.restoreAllMocks();
    });

    const recovered = () => {
      const [work] = own.kept.values();
      const again = openYard(work!.documents[0]!.text);
      if (work!.changes !== undefined) applyChanges(again, work!.changes[0]!);
      return withoutIds(JSON.parse(again.save()));
    };
    const drag = async (moves: number, path = "/e7") => {
      const entity = large.document.tree.find(path)!;
      for (let k = 0; k < moves; k++) {
        setField(large.document, [entity], Transform2D, "y", k + 1, { key: "drag" });
        await vi.advanceTimersByTimeAsync(20);
      }
    };
    /** What is kept is at most a second old. */
    const expectKept = () => {
      const y = (file: unknown) =>
        (file as { entities: { components: { Transform2D: { y?: number } } }[] }).entities[7]!.components
          .Transform2D.y ?? 0;
      const now = withoutIds(JSON.parse(large.document.save()));
      const again = recovered();
      expect(y(again)).toBeGreaterThan(y(now) - 50);
      for (const file of [now, again])
        delete (file as { entities: { components: { Transform2D: { y?: number } } }[] }).entities[7]!
          .components.Transform2D.y;
      expect(again).toEqual(now);
    };

    it("is kept as the text of its file with what changed, and in slices when a pause comes", async () => {
      const document = start(true);
      large.changed();
      await vi.advanceTimersByTimeAsync(500);
      expect(own.kept.size).toBe(0);
      await drag(90);
      expect(saves).toBe(0);
      expect(own.writes).toHaveLength(1);
      expect([...own.kept.values()][0]!.documents[0]!.text).toBe(document.origin.text);
      const gaps = own.changes.slice(1).map((at, k) => at - own.changes[k]!);
      expect(Math.max(...gaps)).toBeLessThan(1000);
      expectKept();
      await vi.advanceTimersByTimeAsync(3000);
      expect(saves).toBe(1);
      const [work] = own.kept.values();
      expect(work!.changes).toBeUndefined();
      expect(work!.documents[0]!.text).toBe(document.save());
    });

    it("is written once, whatever else the page does meanwhile", async () => {
      const document = start(true);
      renameEntity(document, document.tree.find("/e1")!, "first");
      for (let k = 0; k < 200; k++) {
        large.changed();
        await vi.advanceTimersByTimeAsync(5);
      }
      await vi.advanceTimersByTimeAsync(2000);
      expect(saves).toBe(1);
      expect([...own.kept.values()][0]!.documents[0]!.text).toBe(document.save());
    });

    it("is kept in the middle of edits even where only the text has what was done", async () => {
      const document = start(true);
      large.changed();
      await vi.advanceTimersByTimeAsync(500);
      instantiatePrefab(document, "tank", { x: 5, y: 6 });
      await drag(90);
      expectKept();
      expect(JSON.stringify(recovered())).toContain('"prefab":"tank"');
    });

    it("is kept in the middle of edits even when it never was in a file", async () => {
      start(false);
      await drag(90);
      expectKept();
    });

    it("is counted from the file as it was when something is saved at once", async () => {
      const document = start(true);
      large.changed();
      await vi.advanceTimersByTimeAsync(500);
      createEntity(document, { name: "late" });
      document.origin = { ...document.origin, text: document.save() };
      document.marks.save();
      large.changed();
      await vi.advanceTimersByTimeAsync(20);
      await drag(60);
      expectKept();
    });

    it("is forgotten when undo leads back to the file, and kept again after the next edit", async () => {
      const document = start(true);
      large.changed();
      await vi.advanceTimersByTimeAsync(500);
      await drag(60);
      await vi.advanceTimersByTimeAsync(3000);
      document.undo();
      await vi.advanceTimersByTimeAsync(1000);
      expect(own.kept.size).toBe(0);
      await drag(60);
      expectKept();
    });
  });

  it("is written once for one edit, and forgotten when undo leads back to what is saved", async () => {
    createEntity(app.document);
    await vi.advanceTimersByTimeAsync(2000);
    expect(storage.writes).toHaveLength(1);
    app.document.undo();
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([]);
  });

  it("stays while the scene plays", async () => {
    createEntity(app.document);
    const edited = app.document;
    const play = await startPlaying(edited);
    app.documents.play = play;
    app.swap(play.document);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([[edited.save()]]);
  });

  it("includes the prefab that is edited in place", async () => {
    const scene = app.document.save();
    const prefab = showPrefab(app, "tank.prefab.json", tankPrefab)!;
    createEntity(prefab);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([[scene, prefab.save()]]);
  });

  it("is offered to the next page only when its own page was closed", async () => {
    createEntity(app.document);
    await vi.advanceTimersByTimeAsync(1000);
    const next = new RecoveryStore(storage);
    expect(await next.left()).toBeUndefined();
    storage.alive.clear();
    const left = (await next.left())!;
    expect(left.documents.map(({ text }) => text)).toEqual([app.document.save()]);
    await next.drop(left);
    expect(await next.left()).toBeUndefined();
  });
});
