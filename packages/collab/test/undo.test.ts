import { HistoryConflictError } from "espalier/history";
import { describe, expect, it } from "vitest";
import { Aim, createPeer, faultsOf, format, Health, level, prefabs, sync, syncAll } from "./peers.ts";

describe("undo in a shared scene", () => {
  it("undoes only own edits", () => {
    const a = createPeer();
    const b = createPeer(a);
    const before = a.scene.save();
    expect(before).toBe(format.load(createPeer().tree, level, { prefabs }).save());
    a.undo.step("Damage", () => a.tree.world.set(a.scene.entity("ground"), Health, { hp: 5 }));
    b.undo.step("Rename", () => b.tree.setName(b.scene.entity("rock"), "stone"));
    syncAll([a, b]);
    expect(a.undo.undoLabels).toEqual(["Damage"]);
    expect(a.undo.undo()).toBe(true);
    syncAll([a, b]);
    expect(b.tree.world.get(b.scene.entity("ground"), Health)?.hp).toBe(1);
    expect(a.tree.nameOf(a.scene.entity("rock"))).toBe("stone");
    expect(a.undo.redoLabels).toEqual(["Damage"]);
    expect(a.undo.redo()).toBe(true);
    expect(a.tree.world.get(a.scene.entity("ground"), Health)?.hp).toBe(5);
    expect(a.undo.redo()).toBe(false);
  });

  it("skips to the step before when another member deleted the entities of a step", () => {
    const a = createPeer();
    const b = createPeer(a);
    const { world } = a.tree;
    a.undo.step("Damage", () => world.set(a.scene.entity("ground"), Health, { hp: 5 }));
    a.undo.step("Rename", () => a.tree.setName(a.scene.entity("rock"), "stone"));
    sync(a, b);
    b.undo.step("Delete", () => b.tree.destroy(b.scene.entity("rock")));
    sync(b, a);
    expect(a.undo.undo()).toBe(true);
    expect(world.get(a.scene.entity("ground"), Health)?.hp).toBe(1);
    expect(a.undo.undo()).toBe(false);
    b.undo.undo();
    syncAll([a, b]);
    expect(a.tree.nameOf(a.scene.entity("rock"))).toBe("rock");
    expect(a.scene.save()).toBe(b.scene.save());
    expect(a.undo.redoLabels).toEqual(["Damage", "Rename"]);
    expect(a.undo.redo()).toBe(true);
    expect(a.undo.redo()).toBe(true);
    expect(a.tree.nameOf(a.scene.entity("rock"))).toBe("stone");
    expect(faultsOf(a)).toEqual([]);
  });

  it("refuses a step that would now put an entity below itself, and continues when others have moved away", () => {
    const a = createPeer();
    const b = createPeer(a);
    const rock = a.scene.entity("rock");
    a.undo.step("Hurt", () => a.tree.world.add(rock, Health({ hp: 3 })));
    const take = () => {
      a.scene.add(rock);
      a.tree.attach(rock, null);
    };
    a.undo.step("Take out", take, { key: "take" });
    a.undo.step("Take out", () => a.tree.setName(rock, "stone"), { key: "take" });
    sync(a, b);
    b.tree.attach(b.scene.entity("ground"), b.scene.entity("rock"));
    sync(b, a);
    const before = a.scene.save();
    expect(() => a.undo.undo()).toThrow(HistoryConflictError);
    expect(() => a.undo.undo()).toThrow('Cannot undo "Take out": others moved entities meanwhile');
    expect(a.scene.save()).toBe(before);
    expect(a.undo.undoLabels).toEqual(["Take out", "Hurt"]);
    expect(a.undo.redoLabels).toEqual([]);
    syncAll([a, b]);
    expect(b.scene.save()).toBe(before);

    b.tree.attach(b.scene.entity("ground"), null);
    sync(b, a);
    expect(a.undo.undo()).toBe(true);
    expect(a.tree.pathOf(rock)).toBe("/ground/rock");
    expect(a.undo.undo()).toBe(true);
    expect(a.tree.world.has(rock, Health)).toBe(false);
    syncAll([a, b]);
    expect(b.scene.save()).toBe(a.scene.save());
    expect([...faultsOf(a), ...faultsOf(b)]).toEqual([]);
  });

  it("joins steps with the same key, also around edits of other members", () => {
    const a = createPeer();
    const b = createPeer(a);
    const ground = a.scene.entity("ground");
    for (let hp = 10; hp < 30; hp++) {
      a.undo.step("Drag", () => a.tree.world.set(ground, Health, { hp }), { key: "drag" });
      if (hp === 20) {
        b.tree.setName(b.scene.entity("rock"), "stone");
        sync(b, a);
      }
    }
    expect(a.undo.undoLabels).toEqual(["Drag"]);
    a.undo.undo();
    expect(a.tree.world.get(ground, Health)?.hp).toBe(1);
  });

  it("restores a deleted entity with the references to it", () => {
    const a = createPeer();
    const b = createPeer(a);
    const rock = a.scene.entity("rock");
    a.tree.world.add(a.scene.entity("ground"), Aim({ at: rock }));
    syncAll([a, b]);
    a.undo.step("Delete", () => a.tree.destroy(rock));
    syncAll([a, b]);
    expect(b.tree.world.get(b.scene.entity("ground"), Aim)?.at).toBe(null);
    // Another entity gets the index of the one that went.
    b.tree.world.spawn();
    b.tree.world.spawn();
    a.undo.undo();
    syncAll([a, b]);
    expect(a.tree.world.get(a.scene.entity("ground"), Aim)?.at).toBe(a.scene.entity("rock"));
    expect(b.tree.world.get(b.scene.entity("ground"), Aim)?.at).toBe(b.scene.entity("rock"));
    expect(a.scene.save()).toBe(b.scene.save());
  });
});
