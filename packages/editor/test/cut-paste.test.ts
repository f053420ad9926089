import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { setField } from "../src/commands/components/set-field.ts";
import { setWorldValue } from "../src/commands/transform/set-world-value.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { copyText, cutOut } from "../src/document/clipboard.ts";
import type { EditorDocument } from "../src/document/document.ts";
import { namesOf, referencesInto } from "../src/document/outside-references.ts";
import { Aim, at, open } from "./open.ts";

/** Cuts, and gives what `paste` needs. */
function cut(document: EditorDocument, ...ids: string[]): void {
  const entities = ids.map((id) => at(document, id));
  const taken = cutOut(document, entities);
  deleteEntities(document, entities);
  document.cutOut = taken;
}

function paste(document: EditorDocument, parent: string | null) {
  const { text } = document.cutOut!;
  return pasteEntities(document, text, parent === null ? null : at(document, parent), document.cutOut);
}

describe("cut and paste", () => {
  it("moves an entity: its ids stay, and references to it and from it", () => {
    const document = open();
    const start = document.save();
    // tree refers to door.
    cut(document, "house");
    expect(document.world.get(at(document, "tree"), Aim)?.at).toBeNull();
    paste(document, "sky");
    expect(document.tree.parentOf(at(document, "house"))).toBe(at(document, "sky"));
    expect(document.world.get(at(document, "tree"), Aim)?.at).toBe(at(document, "door"));
    const moved = document.save();
    document.undo();
    document.undo();
    expect(document.save()).toBe(start);
    document.redo();
    document.redo();
    expect(document.save()).toBe(moved);
    cut(document, "tree");
    paste(document, null);
    expect(document.world.get(at(document, "tree"), Aim)?.at).toBe(at(document, "door"));
  });

  it("keeps the ids of instances of prefabs, with what is inside and what was changed there", () => {
    const document = open();
    setField(document, [at(document, "unit/turret")], Transform2D, "y", 99);
    const before = document.save();
    cut(document, "unit");
    paste(document, null);
    const entry = (text: string) =>
      (JSON.parse(text) as { entities: { id: string }[] }).entities.find(({ id }) => id === "unit");
    expect(entry(document.save())).toEqual(entry(before));
    expect(document.tree.parentOf(at(document, "unit/turret"))).toBe(at(document, "unit"));
  });

  it("pastes a part of an instance that was cut, which has no id of its own", () => {
    const document = open();
    cut(document, "unit/turret");
    const [pasted] = paste(document, "sky");
    expect(document.tree.nameOf(pasted!)).toBe("turret");
  });

  it("gives new ids where they are taken", () => {
    const document = open();
    cut(document, "house");
    paste(document, null);
    const [again] = paste(document, null);
    document.save();
    expect(document.scene!.idOf(again!)).toBe("house-2");
    const copied = copyText(document, [at(document, "sky")])!;
    const [copy] = pasteEntities(document, copied, null);
    document.save();
    expect(document.scene!.idOf(copy!)).toBe("sky-2");
  });

  it("leaves a reference alone that was set to something else meanwhile", () => {
    const document = open();
    cut(document, "house");
    setField(document, [at(document, "tree")], Aim, "at", at(document, "sky"));
    paste(document, null);
    expect(document.world.get(at(document, "tree"), Aim)?.at).toBe(at(document, "sky"));
  });
});

describe("references into what is deleted", () => {
  it("are found from outside of it, and named", () => {
    const document = open();
    const found = referencesInto(document, [at(document, "house")]);
    expect(namesOf(document, found)).toBe("tree (Aim.at)");
    expect(referencesInto(document, [at(document, "level")])).toEqual([]);
    expect(referencesInto(document, [at(document, "sky")])).toEqual([]);
    expect(namesOf(document, [...found, ...found, ...found, ...found])).toBe(
      "tree (Aim.at), tree (Aim.at), tree (Aim.at), …",
    );
  });
});

describe("a world value of a child and its parent", () => {
  it.each([
    ["child", "parent"],
    ["parent", "child"],
  ])("is what was typed for both when %s is selected before %s", (...order) => {
    const document = open();
    const ids: { [name: string]: string } = { parent: "house", child: "door" };
    const entities = order.map((name) => at(document, ids[name]!));
    setWorldValue(document, entities, "x", 100);
    for (const entity of entities) expect(document.space.worldOf(entity).x).toBeCloseTo(100, 4);
  });
});
