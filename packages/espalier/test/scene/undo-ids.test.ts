import type { Entity } from "espalier";
import { createWorld } from "espalier";
import { checkTree, createHierarchy } from "espalier/hierarchy";
import { applyPatch, createHistory, diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { clone, instanceOf, instancesIn, type Scene, sceneComponents } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { createFormat, emptyTree, Health, Label, Position, shape } from "./scenes.ts";

const format = createFormat();
const prefabText = `{ "entities": [{ "id": "root", "name": "Tank", "children": [{ "id": "gun", "components": { "Health": {} } }] }] }`;
const prefab = format.prefab(prefabText, { file: "tank" });
const prefabs = { tank: prefabText };

/** Numbers that are the same every time. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

function requireAgreement(scene: Scene): void {
  const { tree } = scene;
  for (const root of scene.roots()) {
    for (const entity of tree.descendants(root, { includeSelf: true })) {
      const id = scene.idOf(entity);
      if (id !== undefined) expect(scene.find(id), `find and idOf of ${id}`).toBe(entity);
    }
  }
}

/** One edit of a scene, of any kind. */
function edit(scene: Scene, next: (below: number) => number): void {
  const { tree } = scene;
  const { world } = tree;
  const all = scene.roots().flatMap((root) => [...tree.descendants(root, { includeSelf: true })]);
  const pick = () => all[next(all.length)] as Entity;
  if (all.length === 0) {
    scene.add(world.spawn(), `new-${next(1000)}`);
    return;
  }
  const entity = pick();
  switch (next(9)) {
    case 0:
      if (all.length > 3) tree.destroy(entity);
      break;
    case 1:
      tree.setName(tree.attachNew(entity, Health), `thing ${next(3)}`);
      break;
    case 2:
      tree.attachNew(entity, Label({ text: String(next(9)) }));
      break;
    case 3: {
      const parent = pick();
      if (![...tree.ancestors(parent)].includes(entity) && parent !== entity) tree.attach(entity, parent);
      break;
    }
    case 4:
      if (world.has(entity, Position)) world.remove(entity, Position);
      else world.add(entity, Position({ x: next(50) }));
      break;
    case 5:
      prefab.instantiate(tree, { parent: entity });
      break;
    case 6:
      clone(tree, entity);
      break;
    case 7: {
      const id = `renamed-${next(1000)}`;
      // The entities of an instance are named after it.
      if (scene.find(id) === undefined && !(scene.idOf(entity) ?? "/").includes("/")) scene.add(entity, id);
      break;
    }
    default:
      tree.setName(entity, next(2) === 0 ? undefined : `name ${next(4)}`);
  }
}

describe("ids of a scene", () => {
  it("come back with an undone destroy, although others were saved meanwhile", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s", "children": [{ "id": "x" }] }] }`);
    const history = createHistory(tree.world);
    const x = scene.entity("x");
    history.step("Destroy", () => tree.destroy(x));
    history.step("Attach", () => tree.attachNew(scene.entity("s")));
    expect(shape(scene)).toBe("s(?)");
    const saved = scene.save();
    expect(shape(scene)).toBe("s(entity-1)");
    expect(history.undoLabels).toEqual(["Attach", "Destroy"]);
    history.undo();
    history.undo();
    expect(shape(scene)).toBe("s(x)");
    expect(scene.find("x")).toBe(x);
    expect(scene.find("entity-1")).toBeUndefined();
    scene.save();
    expect(history.redoLabels).toEqual(["Destroy", "Attach"]);
    history.redo();
    history.redo();
    expect(scene.save()).toBe(saved);
  });

  it("do not pass to another entity that gets the handle of one that was undone", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s" }] }`, { prefabs });
    const history = createHistory(tree.world);
    history.step("Instantiate", () => prefab.instantiate(tree, { parent: scene.entity("s") }));
    scene.save();
    history.undo();
    history.step("Attach", () => tree.setName(tree.attachNew(scene.entity("s")), "plain"));
    expect(instancesIn(tree)).toEqual([]);
    scene.save();
    expect(shape(scene)).toBe("s(plain)");
  });

  it("are taken back with the step that gave them", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s" }] }`);
    const history = createHistory(tree.world);
    const s = scene.entity("s");
    history.step("Rename", () => scene.add(s, "t"));
    expect([scene.find("s"), scene.find("t")]).toEqual([undefined, s]);
    history.undo();
    expect([scene.find("s"), scene.find("t"), scene.idOf(s)]).toEqual([s, undefined, "s"]);
    history.step("Give away", () => {
      scene.add(s, "old");
      scene.add(tree.attachNew(s), "s");
    });
    expect(shape(scene)).toBe("old(s)");
    history.undo();
    expect(shape(scene)).toBe("s");
    expect(scene.find("s")).toBe(s);
  });

  it.each(Array.from({ length: 150 }, (_, seed) => seed))(
    "are the same at equal positions (session %i)",
    (seed) => {
      const next = random(seed);
      const tree = emptyTree();
      const text = `{ "entities": [
      { "id": "a", "children": [{ "id": "b" }, { "id": "t", "prefab": "tank" }] }, { "id": "c", "name": "c" }] }`;
      const scene = format.load(tree, text, { prefabs });
      const history = createHistory(tree.world);
      /** By position: what was saved there. A new step forgets what lay behind it. */
      const saved: (string | undefined)[] = [];
      let position = 0;
      const save = () => {
        const file = scene.save();
        requireAgreement(scene);
        if (saved[position] !== undefined) expect(file).toBe(saved[position]);
        saved[position] = file;
        expect(format.check(file, { prefabs })).toEqual([]);
      };
      for (let k = 0; k < 80; k++) {
        const choice = next(10);
        if (choice < 4) {
          const before = history.version;
          history.step(`step ${k}`, () => edit(scene, next));
          if (history.version === before) continue;
          position++;
          saved.length = position;
        } else if (choice < 6) {
          if (history.undo()) position--;
        } else if (choice < 8) {
          if (history.redo()) position++;
        } else {
          save();
        }
      }
      while (history.undo()) {
        position--;
        save();
      }
      expect(position).toBe(0);
      while (history.redo()) {
        position++;
        save();
      }
      expect(checkTree(tree)).toEqual([]);
    },
  );

  it("do not pass to another entity that gets the handle of one that undo removed from an instance", () => {
    const tree = emptyTree();
    const prefabs = { tank: { entities: [{ id: "tank", children: [{ id: "turret" }] }] } };
    const scene = format.load(tree, { entities: [{ id: "s" }, { id: "a", prefab: "tank" }] }, { prefabs });
    const history = createHistory(tree.world);
    const instance = instanceOf(tree, scene.entity("a"));
    history.step("destroy", () => tree.destroy(scene.entity("a/turret")));
    const saved = scene.save();
    history.step("bring back", () => instance?.revert());
    const [turret] = tree.childrenOf(scene.entity("a"));
    history.undo();
    expect(scene.save()).toBe(saved);
    history.undo();
    expect(scene.toFile().entities[1]).toEqual({ id: "a", prefab: "tank" });
    history.redo();
    expect(scene.save()).toBe(saved);
    const other = tree.attachNew(scene.entity("s"));
    expect(other).toBe(turret);
    scene.save();
    expect(scene.idOf(other)).toBe("entity-1");
    expect(instance?.find("turret")).toBeUndefined();
  });

  it("are those of the prefab again for what undo brings back after a reload", () => {
    const tree = emptyTree();
    const prefabs = { tank: { entities: [{ id: "tank", children: [{ id: "turret" }] }] } };
    const file = { entities: [{ id: "a", prefab: "tank" }] };
    const scene = format.load(tree, file, { prefabs });
    const history = createHistory(tree.world);
    history.step("destroy", () => tree.destroy(scene.entity("a/turret")));
    scene.reload({ entities: [...file.entities, { id: "b" }] });
    expect(scene.find("a/turret")).toBeUndefined();
    while (history.undo()) {}
    expect(scene.toFile().entities).toEqual(file.entities);
    expect(scene.idOf(scene.entity("a/turret"))).toBe("a/turret");
  });

  it("are carried by snapshots, in the same world and into another", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s", "children": [{ "id": "x" }] }] }`);
    tree.setName(tree.attachNew(scene.entity("x")), "new one");
    const saved = scene.save();
    const snapshot = takeSnapshot(tree.world, { trees: [tree] });
    scene.add(scene.entity("s"), "renamed");
    tree.destroy(scene.entity("x"));
    restoreSnapshot(tree.world, snapshot, { trees: [tree] });
    expect(scene.save()).toBe(saved);

    const other = createHierarchy(createWorld());
    restoreSnapshot(other.world, snapshot, { trees: [other], components: sceneComponents });
    const again = format.createScene(other, { key: scene.key });
    expect(again.save()).toBe(saved);
    expect(again.find("new-one")).toBe(scene.find("new-one"));
    expect(again.add(other.attachNew(again.entity("s")))).toBe("entity-1");
    expect(format.createScene(other).key).not.toBe(scene.key);
  });

  it("are carried by differences between two worlds", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s" }] }`);
    const other = createHierarchy(createWorld());
    const patch = diff({ world: other.world, trees: [other] }, { world: tree.world, trees: [tree] });
    applyPatch(other.world, patch, { trees: [other], components: sceneComponents });
    const again = format.createScene(other, { key: scene.key });
    expect(again.save()).toBe(scene.save());
    const before = takeSnapshot(tree.world, { trees: [tree] });
    scene.add(tree.attachNew(scene.entity("s")), "late");
    applyPatch(other.world, diff(before, { world: tree.world, trees: [tree] }), { trees: [other] });
    expect(again.entity("late")).toBe(scene.entity("late"));
    expect(again.save()).toBe(scene.save());
  });

  it("come and go with entities that steps bring into the scene, also with a generated id", () => {
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "s" }] }`);
    const history = createHistory(tree.world);
    const outside = tree.world.spawn();
    history.clear();
    const before = scene.save();
    history.step("Bring in", () => scene.add(outside));
    const after = scene.save();
    expect(after).toContain("entity-1");
    history.undo();
    expect([scene.save(), scene.idOf(outside)]).toEqual([before, undefined]);
    history.redo();
    expect([scene.save(), scene.idOf(outside)]).toEqual([after, "entity-1"]);
    // What belongs to the scene already only gets an id.
    const below = tree.attachNew(outside);
    history.clear();
    history.step("Nothing", () => expect(scene.add(below)).toBe("entity-2"));
    expect(history.canUndo).toBe(false);
  });
});
