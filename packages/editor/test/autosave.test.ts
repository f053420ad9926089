import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { startAutosave } from "../src/files/autosave.ts";
import { type Recovery, type RecoveryStorage, RecoveryStore } from "../src/files/recovery.ts";
import { startPlaying } from "../src/play/play-session.ts";
import { showPrefab } from "../src/shell/actions/prefab-actions.ts";
import { App } from "../src/shell/app.ts";
import { tankPrefab } from "./open.ts";

/** A browser's storage, with the names that its pages hold. */
class Storage implements RecoveryStorage {
  readonly kept = new Map<string, Recovery>();
  readonly alive = new Set<string>();
  writes: number[] = [];
  async set(session: string, work: Recovery): Promise<void> {
    this.writes.push(Date.now());
    this.kept.set(session, work);
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
  it("is kept within a second while edits go on without a pause", async () => {
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

  it("of a scene that takes long to write waits for a pause, and no longer than a second after it", async () => {
    let clock = 0;
    const slow = new App();
    const own = new Storage();
    const endSlow = startAutosave(slow, new RecoveryStore(own), () => Date.now() + clock);
    const entity = createEntity(slow.document);
    // Each time it is written takes a second more of the clock than has passed.
    const save = slow.document.save.bind(slow.document);
    slow.document.save = () => {
      clock += 1000;
      return save();
    };
    await vi.advanceTimersByTimeAsync(1000);
    expect(own.writes).toHaveLength(1);
    for (let k = 0; k < 40; k++) {
      renameEntity(slow.document, entity, `name ${k}`);
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(own.writes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(own.writes).toHaveLength(2);
    endSlow();
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
    app.play = play;
    app.swap(play.document);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([[edited.save()]]);
  });

  it("holds the prefab that is edited in place, too", async () => {
    const scene = app.document.save();
    const prefab = showPrefab(app, "tank.prefab.json", tankPrefab)!;
    createEntity(prefab);
    await vi.advanceTimersByTimeAsync(1000);
    expect(texts()).toEqual([[scene, prefab.save()]]);
  });

  it("is offered to the next page when its own is gone, and not before", async () => {
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
