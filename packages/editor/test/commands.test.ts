import { bundle, type Entity } from "espalier";
import { printTree } from "espalier/hierarchy";
import { instanceOf } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { addBundle } from "../src/commands/components/add-bundle.ts";
import { addComponent } from "../src/commands/components/add-component.ts";
import { removeComponent } from "../src/commands/components/remove-component.ts";
import { setField } from "../src/commands/components/set-field.ts";
import { instantiatePrefab } from "../src/commands/scene/instantiate-prefab.ts";
import { reloadScene } from "../src/commands/scene/reload-scene.ts";
import { replaceEntities } from "../src/commands/scene/replace-entities.ts";
import { revertOverride } from "../src/commands/scene/revert-override.ts";
import { unpack } from "../src/commands/scene/unpack-instance.ts";
import { toggleLock } from "../src/commands/state/toggle-lock.ts";
import { isOwnHidden, toggleVisibility } from "../src/commands/state/toggle-visibility.ts";
import { nudgeEntities } from "../src/commands/transform/nudge-entities.ts";
import { setInherit } from "../src/commands/transform/set-inherit.ts";
import { setWorldValue } from "../src/commands/transform/set-world-value.ts";
import {
  around,
  startTransform,
  transformEntities,
  translation,
} from "../src/commands/transform/transform-entities.ts";
import { createEntity } from "../src/commands/tree/create-entity.ts";
import { deleteEntities } from "../src/commands/tree/delete-entities.ts";
import { duplicateEntities } from "../src/commands/tree/duplicate-entities.ts";
import { groupEntities } from "../src/commands/tree/group-entities.ts";
import { moveEntities, whyNotMove } from "../src/commands/tree/move-entities.ts";
import { pasteEntities } from "../src/commands/tree/paste-entities.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { reorderEntities } from "../src/commands/tree/reorder-entities.ts";
import { sortChildren } from "../src/commands/tree/sort-children.ts";
import { ungroupEntities } from "../src/commands/tree/ungroup-entities.ts";
import { bundleLabel, componentsIn } from "../src/document/bundles.ts";
import { copyText, isSceneText } from "../src/document/clipboard.ts";
import type { EditorDocument } from "../src/document/document.ts";
import { seal } from "../src/document/edit.ts";
import { Aim, at, Health, names, open, Rusty } from "./open.ts";

/** Every command, once: what it does is checked below, that undo takes it back here. */
const commands: { readonly [name: string]: (document: EditorDocument) => unknown } = {
  create: (d) => createEntity(d, { parent: at(d, "house"), name: "window" }),
  delete: (d) => deleteEntities(d, [at(d, "level"), at(d, "door"), at(d, "unit")]),
  duplicate: (d) => duplicateEntities(d, [at(d, "house"), at(d, "unit")]),
  group: (d) => groupEntities(d, [at(d, "house"), at(d, "sky")]),
  ungroup: (d) => ungroupEntities(d, [at(d, "level")]),
  instantiate: (d) => instantiatePrefab(d, "tank", { parent: at(d, "house"), x: 1, y: 2 }),
  move: (d) => moveEntities(d, [at(d, "sky"), at(d, "door")], { parent: at(d, "tree") }),
  "move local": (d) => moveEntities(d, [at(d, "sky")], { parent: at(d, "tree") }, { keep: "local" }),
  nudge: (d) => nudgeEntities(d, [at(d, "folder"), at(d, "level")], 1, -1),
  paste: (d) => pasteEntities(d, copyText(d, [at(d, "level"), at(d, "unit")])!, at(d, "folder")),
  replace: (d) => replaceEntities(d, [at(d, "house"), at(d, "sky")], "tank"),
  rename: (d) => renameEntity(d, at(d, "sky"), "heaven"),
  front: (d) => reorderEntities(d, [at(d, "level"), at(d, "sky")], "front"),
  back: (d) => reorderEntities(d, [at(d, "unit"), at(d, "folder")], "back"),
  forward: (d) => reorderEntities(d, [at(d, "level")], "forward"),
  backward: (d) => reorderEntities(d, [at(d, "folder")], "backward"),
  "set field": (d) => setField(d, [at(d, "unit")], Health, "hp", 1),
  "set inherit": (d) => setInherit(d, [at(d, "house")], "position", false),
  "set world": (d) => setWorldValue(d, [at(d, "door")], "x", 500),
  sort: (d) => sortChildren(d, null),
  "toggle lock": (d) => toggleLock(d, [at(d, "level")]),
  "toggle visibility": (d) => toggleVisibility(d, [at(d, "level")]),
  transform: (d) =>
    transformEntities(
      d,
      "Rotate",
      startTransform(d, [at(d, "house"), at(d, "sky")]),
      around(5, 5, 0, 1, -1, 0),
    ),
  "add component": (d) => addComponent(d, [at(d, "sky"), at(d, "unit")], Rusty),
  "add bundle": (d) => addBundle(d, [at(d, "sky"), at(d, "unit")], bundle("Hulk", Health({ hp: 7 }), Rusty)),
  "remove component": (d) => removeComponent(d, [at(d, "unit"), at(d, "tree")], Health),
  unpack: (d) => unpack(d, at(d, "unit")),
  revert: (d) => {
    const instance = instanceOf(d.tree, at(d, "unit"))!;
    revertOverride(d, instance, instance.overrides()[0]);
  },
  reload: (d) => reloadScene(d, d.scene!.save().replace('"heaven"', '"x"').replace('"coin"', '"money"')),
};

describe("every command", () => {
  it.each(Object.entries(commands))(
    "%s is one step: undo gives the same file, redo the same again",
    (_name, run) => {
      const document = open();
      const start = document.save();
      const shape = printTree(document.tree);
      run(document);
      expect(document.history.undoLabels).toHaveLength(1);
      expect(document.history.undoLabels[0]).not.toBe("");
      const changed = document.save();
      expect(document.isDirty).toBe(true);
      document.undo();
      expect(document.save()).toBe(start);
      expect(printTree(document.tree)).toBe(shape);
      expect(document.isDirty).toBe(false);
      document.redo();
      // Entities that were part of an instance get ids of their own whenever it is saved unpacked.
      expect(document.save().replace("turret-2", "turret")).toBe(changed);
    },
  );
});

describe("adding a bundle", () => {
  it("gives its values, and leaves those that exist", () => {
    const document = open();
    const [sky, unit] = [at(document, "sky"), at(document, "unit")];
    addBundle(document, [sky, unit], bundle("Hulk", Health({ hp: 7 }), Rusty));
    expect([sky, unit].map((entity) => document.world.get(entity, Health)?.hp)).toEqual([7, 250]);
    expect([sky, unit].every((entity) => document.world.has(entity, Rusty))).toBe(true);
  });

  it("needs no list of its components beside it, and keeps the library's as they are", () => {
    const Tank = bundle("Tank", Health({ hp: 5 }), Transform2D);
    expect(componentsIn([Tank])).toEqual([Health]);
    expect(bundleLabel(Tank)).toBe("Tank: Health, Transform2D");
  });
});

describe("moving in the tree", () => {
  it("keeps the world transform, and with keep local the values", () => {
    const document = open();
    const door = at(document, "door");
    const before = document.space.worldPosition(door);
    moveEntities(document, [door], { parent: at(document, "tree") });
    expect(document.tree.parentOf(door)).toBe(at(document, "tree"));
    expect(document.space.worldPosition(door).x).toBeCloseTo(before.x, 3);
    expect(document.space.worldPosition(door).y).toBeCloseTo(before.y, 3);
    const local = document.space.localOf(door);
    moveEntities(document, [door], { parent: null }, { keep: "local" });
    expect(document.space.localOf(door)).toEqual(local);
  });

  it("moves each of several once, beside each other, to the requested position", () => {
    const document = open();
    const moving = [at(document, "unit"), at(document, "house"), at(document, "door")];
    moveEntities(document, moving, { parent: null, before: at(document, "sky") });
    expect(names(document, document.tree.roots())).toEqual(["level", "house", "unit", "sky", "folder"]);
  });

  it("takes a position next to an entity that moves too", () => {
    const document = open();
    const { tree } = document;
    moveEntities(document, [at(document, "sky"), at(document, "unit")], {
      parent: null,
      after: at(document, "unit"),
    });
    expect(names(document, tree.roots())).toEqual(["level", "sky", "unit", "folder"]);
    moveEntities(document, [at(document, "level")], { parent: null, before: at(document, "level") });
    expect(names(document, tree.roots())).toEqual(["level", "sky", "unit", "folder"]);
  });

  it("refuses a cycle with the reason, and changes nothing", () => {
    const document = open();
    const start = document.save();
    const target = { parent: at(document, "door") };
    expect(whyNotMove(document, [at(document, "level")], target)).toContain("its own ancestor");
    expect(whyNotMove(document, [at(document, "door")], target)).toContain("its own parent");
    expect(whyNotMove(document, [at(document, "sky")], target)).toBeUndefined();
    expect(() => moveEntities(document, [at(document, "level")], target)).toThrow("its own ancestor");
    expect(document.save()).toBe(start);
    expect(document.history.canUndo).toBe(false);
  });
});

describe("grouping", () => {
  it("puts entities under one parent in the middle of them, and ungrouping gives the tree back", () => {
    const document = open();
    const { tree, space } = document;
    const [house, sky] = [at(document, "house"), at(document, "sky")];
    const positions = [house, sky].map((entity) => space.worldPosition(entity));
    const group = groupEntities(document, [sky, house])!;
    expect(tree.childrenOf(group)).toEqual([house, sky]);
    expect(document.selection.entities).toEqual([group]);
    expect(space.worldPosition(sky).y).toBeCloseTo(positions[1]!.y, 3);
    ungroupEntities(document, [group]);
    expect(tree.parentOf(sky)).toBe(at(document, "level"));
    expect(space.worldPosition(house).x).toBeCloseTo(positions[0]!.x, 3);
  });
});

describe("transforming", () => {
  it("moves a parent without its children on request", () => {
    const document = open();
    const { space } = document;
    const [house, door] = [at(document, "house"), at(document, "door")];
    const [h, d] = [space.worldPosition(house), space.worldPosition(door)];
    transformEntities(document, "Move", startTransform(document, [house], true), translation(30, 0));
    expect(space.worldPosition(house).x).toBeCloseTo(h.x + 30, 3);
    expect(space.worldPosition(door).x).toBeCloseTo(d.x, 3);
    expect(space.worldPosition(door).y).toBeCloseTo(d.y, 3);
  });

  it("is one step for one gesture, and another for the next", () => {
    const document = open();
    const sky = at(document, "sky");
    const drag = () => {
      const start = startTransform(document, [sky]);
      for (let x = 1; x <= 20; x++) {
        transformEntities(document, "Move", start, translation(x, 0), { key: "drag" });
      }
      seal(document);
    };
    drag();
    drag();
    expect(document.space.worldPosition(sky).x).toBe(40);
    expect(document.history.undoLabels).toEqual(["Move", "Move"]);
    document.undo();
    expect(document.space.worldPosition(sky).x).toBe(20);
  });

  it("refuses an impossible transform below a parent of scale 0, and changes nothing", () => {
    const document = open();
    setField(document, [at(document, "house")], document.space.component, "scaleX", 0);
    const text = document.save();
    const start = startTransform(document, [at(document, "sky"), at(document, "door")]);
    expect(() => transformEntities(document, "Move", start, translation(1, 0))).toThrow(
      "scale of the parent is 0",
    );
    expect(document.save()).toBe(text);
  });
});

describe("own and effective state", () => {
  it("hides and shows again, with what is below", () => {
    const document = open();
    const [level, door] = [at(document, "level"), at(document, "door")];
    toggleVisibility(document, [level]);
    expect([isOwnHidden(document, level), isOwnHidden(document, door)]).toEqual([true, false]);
    expect(document.visible.of(door)).toBe(false);
    toggleVisibility(document, [level]);
    expect(document.visible.of(door)).toBe(true);
  });

  it("locks in the editor and never in the file", () => {
    const document = open();
    const start = document.save();
    toggleLock(document, [at(document, "level")]);
    expect(document.locked.of(at(document, "door"))).toBe(true);
    expect(document.save()).toBe(start);
  });
});

describe("the clipboard", () => {
  it("is a scene that another document can paste", () => {
    const [from, to] = [open(), open(`{ "entities": [] }`)];
    const text = copyText(from, [at(from, "house"), at(from, "unit")])!;
    expect(isSceneText(text)).toBe(true);
    const pasted = pasteEntities(to, text, null);
    expect(names(to, pasted)).toEqual(["house", "unit"]);
    expect(printTree(to.tree)).toContain("turret");
    expect(instanceOf(to.tree, pasted[1] as Entity)?.prefab).toBe("tank");
  });

  it("keeps references that lead out, within the same document", () => {
    const document = open();
    const [copy] = pasteEntities(document, copyText(document, [at(document, "tree")])!, null);
    expect(document.world.get(copy as Entity, Aim)?.at).toBe(at(document, "door"));
  });

  it("recognises what is not a scene", () => {
    expect(["", "hello", "{", `{ "entities": [] }`, "[1]"].map(isSceneText)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("dirty", () => {
  it("follows the position of the history, not the number of steps", () => {
    const document = open();
    renameEntity(document, at(document, "sky"), "a");
    document.marks.save();
    expect(document.isDirty).toBe(false);
    document.undo();
    expect(document.isDirty).toBe(true);
    renameEntity(document, at(document, "sky"), "b");
    expect(document.history.undoLabels).toHaveLength(1);
    expect(document.isDirty).toBe(true);
    document.undo();
    expect(document.isDirty).toBe(true);
  });

  it("jumps to a step and back", () => {
    const document = open();
    const texts = [document.save()];
    for (const name of ["a", "b", "c"]) {
      renameEntity(document, at(document, "sky"), name);
      texts.push(document.save());
    }
    document.jumpTo(1);
    expect(document.save()).toBe(texts[1]);
    document.jumpTo(3);
    expect(document.save()).toBe(texts[3]);
    document.jumpTo(0);
    expect(document.isDirty).toBe(false);
  });
});
