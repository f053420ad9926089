/** What the tables of a tree hold about instances: how long, and in which worlds it means something. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { restoreSnapshot, takeSnapshot } from "espalier/history";
import {
  createSceneFormat,
  instanceOf,
  keptOf,
  type SceneFile,
  sceneComponents,
  setKept,
  unpackInstance,
} from "espalier/scene";
import { describe, expect, it } from "vitest";
import { components, emptyTree, Health } from "./scenes.ts";

const format = createSceneFormat({ components });
const tank: SceneFile = { entities: [{ id: "tank", components: { Health: {} } }] };

describe("a snapshot in another world", () => {
  it("does not make an entity an instance of another prefab, whose instance has the same handle there", () => {
    for (const other of [
      { file: "shot", scene: tank },
      { file: "tank", scene: { entities: [{ id: "tank", components: { Health: { hp: 1 } } }] } },
    ]) {
      const [from, to] = [emptyTree(), emptyTree()];
      const { root } = format.prefab(tank, { file: "tank" }).instantiate(from);
      expect(format.prefab(other.scene, { file: other.file }).instantiate(to).root).toBe(root);
      const snapshot = takeSnapshot(from.world, { trees: [from] });
      restoreSnapshot(to.world, snapshot, { trees: [to], components: [Health, ...sceneComponents] });
      expect(instanceOf(to, root)).toBeUndefined();
    }
  });

  it("does not give what was kept to an entity for which something else was kept there", () => {
    const kept = [
      5,
      "5",
      null,
      "null",
      { a: "b" },
      { ab: "" },
      ["b"],
      { 0: "b" },
      { a: { b: 1 } },
      { "a{b": 1 },
    ];
    for (const one of kept) {
      for (const other of kept) {
        const [from, to] = [emptyTree(), emptyTree()];
        const root = from.attachNew(null);
        expect(to.attachNew(null)).toBe(root);
        setKept(from, root, { components: { Fuel: one } });
        setKept(to, root, { components: { Fuel: other } });
        const snapshot = takeSnapshot(from.world, { trees: [from] });
        restoreSnapshot(to.world, snapshot, { trees: [to], components: [Health, ...sceneComponents] });
        expect(keptOf(to, root).components).toEqual(one === other ? { Fuel: one } : {});
      }
    }
  });

  it("finds the instances of a world in which the same was made", () => {
    const [from, to] = [emptyTree(), emptyTree()];
    const { root } = format.prefab(tank, { file: "tank" }).instantiate(from);
    format.prefab(tank, { file: "tank" }).instantiate(to);
    from.world.set(root, Health, { hp: 3 });
    restoreSnapshot(to.world, takeSnapshot(from.world, { trees: [from] }), { trees: [to] });
    expect(instanceOf(to, root)?.overrides()).toMatchObject([{ field: "hp", value: 3 }]);
  });
});

describe("what lenient loading kept", () => {
  it("is saved for every instance, however many there are", () => {
    const tree = emptyTree();
    const scene = { entities: [{ id: "tank", components: { Weapon: { kind: 1 } } }] } as SceneFile;
    const prefab = format.prefab(scene, { file: "tank", unknown: "keep" });
    for (let k = 0; k < 1100; k++) unpackInstance(tree, prefab.instantiate(tree).root);
    expect(format.save(tree).match(/Weapon/g)).toHaveLength(1100);
  });
});

describe("destroyed instances", () => {
  it("are forgotten where no snapshot has them, even after snapshots of others", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const tree = emptyTree();
    const shot = format.prefab({ entities: [{ id: "shot" }] }, { file: "shot" });
    /** Makes an instance of a prefab that nothing else holds, nor the function that it has its prefabs from. */
    const makeAlone = () => {
      const prefabs = () => undefined;
      const { root } = format.prefab(tank, { file: "alone", prefabs }).instantiate(tree);
      return { root, ref: new WeakRef(prefabs) };
    };
    const captured = makeAlone();
    const snapshot = takeSnapshot(tree.world, { trees: [tree] });
    tree.destroy(captured.root);
    const gone = makeAlone();
    tree.destroy(gone.root);
    for (let k = 0; k < 3000; k++) tree.destroy(shot.instantiate(tree).root);
    await new Promise((done) => setTimeout(done));
    collect();
    expect([captured.ref.deref(), gone.ref.deref()]).toEqual([expect.any(Function), undefined]);
    restoreSnapshot(tree.world, snapshot, { trees: [tree] });
    expect(instanceOf(tree, captured.root)?.prefab).toBe("alone");
  });
});
