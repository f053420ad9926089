import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { startPlaying } from "../src/play/play-session.ts";
import { at, Health, open } from "./open.ts";

describe("the document of a game that plays", () => {
  it("shows what is selected and called as in the scene, and is as saved as the scene is", async () => {
    const document = open();
    renameEntity(document, at(document, "door"), "");
    document.selection.replace([at(document, "sky"), at(document, "door")]);
    const session = await startPlaying(document);
    const { document: played } = session;
    expect(played.selection.entities).toEqual(document.selection.entities);
    expect(played.label(at(document, "door"))).toBe("door");
    expect(played.label(at(document, "sky"))).toBe("sky");
    expect([played.isDirty, played.isPlaying, played.undo(), played.redo()]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    session.stop();
    expect(document.history.undoLabels).toHaveLength(1);
  });

  it("says which entities are instances of prefabs", async () => {
    const document = openDocument(
      createEditorFormat(),
      `{ "entities": [{ "id": "a", "prefab": "p" }, { "id": "b" }] }`,
      { prefabs: { p: { entities: [{ id: "root", children: [{ id: "part" }] }] } } },
    );
    const session = await startPlaying(document);
    const instance = session.document.instanceOf(at(document, "a"));
    expect([instance?.prefab, instance?.root]).toEqual(["p", at(document, "a")]);
    expect(session.document.instanceOf(at(document, "a/part"))?.root).toBe(at(document, "a"));
    expect(session.document.instanceOf(at(document, "b"))).toBeUndefined();
    // What is made while it plays is of no prefab.
    expect(session.document.instanceOf(session.document.world.spawn())).toBeUndefined();
    session.stop();
  });

  it("takes edits that end with it, or become one step when they are kept", async () => {
    const document = open();
    const start = document.save();
    for (const keep of [false, true]) {
      const session = await startPlaying(document);
      session.pause();
      session.document.world.set(at(document, "sky"), Transform2D, { x: 77 });
      session.document.world.add(at(document, "sky"), Health({ hp: 5 }));
      session.stop(keep);
      expect(document.world.get(at(document, "sky"), Transform2D)?.x).toBe(keep ? 77 : 0);
    }
    expect(document.world.get(at(document, "sky"), Health)?.hp).toBe(5);
    expect(document.history.undoLabels).toHaveLength(1);
    document.undo();
    expect(document.save()).toBe(start);
  });

  it("without changes is not a step when it is kept", async () => {
    const document = open();
    const session = await startPlaying(document);
    session.stop(true);
    session.stop(true);
    expect(document.history.undoLabels).toEqual([]);
    expect(document.isDirty).toBe(false);
  });
});
