import { type Entity, Transient } from "espalier";
import { HistoryConflictError } from "espalier/history";
import { describe, expect, it } from "vitest";
import {
  Aim,
  createPeer,
  faultsOf,
  format,
  Health,
  level,
  Party,
  type Peer,
  prefabs,
  sync,
  syncAll,
} from "./peers.ts";

const savesOf = (peers: readonly Peer[]) =>
  new Set(peers.map(({ scene }) => scene.save({ outside: "null" })));

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

  it("restores entities in object fields that another member changed while they were deleted", () => {
    const peers = [createPeer()];
    const a = peers[0] as Peer;
    const b = createPeer(a);
    peers.push(b, createPeer(a));
    const rock = a.scene.entity("rock");
    a.tree.world.add(a.scene.entity("ground"), Party({ members: new Set([rock]) }));
    syncAll(peers);
    a.undo.step("Delete", () => a.tree.destroy(rock));
    syncAll(peers);
    const ground = b.scene.entity("ground");
    const members = b.tree.world.get(ground, Party)?.members as Set<Entity>;
    b.tree.world.set(ground, Party, { members: new Set([...members, ground]) });
    syncAll(peers);
    a.undo.undo();
    syncAll(peers);
    for (const { tree, scene } of peers)
      expect(tree.world.get(scene.entity("ground"), Party)?.members).toEqual(
        new Set([scene.entity("rock"), scene.entity("ground")]),
      );
    expect(savesOf(peers).size).toBe(1);
    expect(peers.flatMap(faultsOf)).toEqual([]);
  });

  it("keeps an entity whose Transient was removed, as Transient, where it undoes that", () => {
    const a = createPeer();
    const b = createPeer(a);
    const { tree, scene } = a;
    const { world } = tree;
    const [ground, rock] = [scene.entity("ground"), scene.entity("rock")];
    const pebble = tree.attachNew(rock, Health({ hp: 2 }));
    world.add(ground, Aim({ at: rock }));
    syncAll([a, b]);
    const before = scene.save();
    const state = () => [
      world.isAlive(rock),
      world.has(rock, Transient),
      world.get(ground, Aim)?.at === rock,
    ];
    a.undo.step("Hide", () => world.add(rock, Transient));
    syncAll([a, b]);
    const hidden = b.scene.save();
    a.undo.step("Show", () => world.remove(rock, Transient));
    syncAll([a, b]);
    expect(b.scene.save()).toBe(scene.save());
    for (let k = 0; k < 3; k++) {
      a.undo.undo();
      syncAll([a, b]);
      expect(state()).toEqual([true, true, true]);
      expect(b.scene.save()).toBe(hidden);
      a.undo.undo();
      syncAll([a, b]);
      expect(state()).toEqual([true, false, true]);
      expect([scene.save(), b.scene.save()]).toEqual([before, before]);
      expect(tree.childrenOf(rock)).toEqual([pebble]);
      a.undo.redo();
      syncAll([a, b]);
      expect(state()).toEqual([true, true, true]);
      expect(b.scene.save()).toBe(hidden);
      a.undo.redo();
      syncAll([a, b]);
      expect(state()).toEqual([true, false, true]);
      expect(b.scene.save()).toBe(scene.save());
      expect([...faultsOf(a), ...faultsOf(b)]).toEqual([]);
    }
  });

  it("shares what was added meanwhile below an entity that was made Transient, where it undoes that", () => {
    const a = createPeer();
    const b = createPeer(a);
    const { tree, scene } = a;
    const { world } = tree;
    const rock = scene.entity("rock");
    a.undo.step("Hide", () => world.add(rock, Transient));
    syncAll([a, b]);
    const pebble = tree.attachNew(rock, Health({ hp: 2 }));
    const grain = tree.attachNew(pebble, Health({ hp: 3 }));
    const local = tree.attachNew(rock, Transient);
    world.add(rock, Health({ hp: 5 }));
    syncAll([a, b]);
    a.undo.undo();
    syncAll([a, b]);
    // That is part of the undo, and no step of its own.
    expect([a.undo.undoLabels, a.undo.redoLabels]).toEqual([[], ["Hide"]]);
    a.undo.redo();
    syncAll([a, b]);
    expect(b.scene.find("rock")).toBeUndefined();
    expect([pebble, grain, local].map((each) => tree.parentOf(each))).toEqual([rock, pebble, rock]);
    a.undo.undo();
    syncAll([a, b]);
    expect(scene.entity("rock")).toBe(rock);
    // Its values are those that the others have.
    expect(world.has(rock, Health)).toBe(false);
    expect(tree.childrenOf(rock)).toEqual([pebble, local]);
    expect(tree.childrenOf(pebble)).toEqual([grain]);
    expect(b.scene.save()).toBe(scene.save());
    const [copy] = b.tree.childrenOf(b.scene.entity("rock"));
    expect(b.tree.world.get(copy as Entity, Health)?.hp).toBe(2);
    expect(b.tree.childrenOf(copy as Entity)).toHaveLength(1);
    expect([...faultsOf(a), ...faultsOf(b)]).toEqual([]);
  });
});

it.each(["attach", "add"] as const)(
  "lets an entity live on that a step brought into the scene by %s()",
  (how) => {
    const a = createPeer();
    const b = createPeer(a);
    const { world } = a.tree;
    const ground = a.scene.entity("ground");
    const local = world.spawn(Health({ hp: 7 }));
    const below = a.tree.attachNew(local, Health({ hp: 8 }));
    syncAll([a, b]);
    const before = b.scene.save();
    a.undo.step("Bring in", () =>
      how === "add" ? a.scene.add(local, "local") : a.tree.attach(local, ground),
    );
    syncAll([a, b]);
    const after = b.scene.save();
    expect(after).not.toBe(before);
    for (let round = 0; round < 2; round++) {
      expect(a.undo.undo()).toBe(true);
      syncAll([a, b]);
      expect([a.scene.save(), b.scene.save()]).toEqual([before, before]);
      expect([local, below].map((entity) => world.get(entity, Health)?.hp)).toEqual([7, 8]);
      expect(a.tree.parentOf(below)).toBe(local);
      // It leaves the scene with its parent.
      expect([local, below].map((entity) => world.has(entity, Transient))).toEqual([true, false]);
      expect(a.undo.redo()).toBe(true);
      syncAll([a, b]);
      expect([a.scene.save(), b.scene.save()]).toEqual([after, after]);
      expect(world.get(below, Health)?.hp).toBe(8);
      expect([...faultsOf(a), ...faultsOf(b)]).toEqual([]);
    }
    // What is below it is shared with it again.
    a.undo.undo();
    a.undo.step("Bring in by hand", () => world.remove(local, Transient));
    syncAll([a, b]);
    const [copy] = b.tree.childrenOf(b.scene.entity(a.scene.idOf(local) as string));
    expect(b.tree.world.get(copy as Entity, Health)?.hp).toBe(8);
    expect([...faultsOf(a), ...faultsOf(b)]).toEqual([]);
  },
);
