import { component, createWorld, type Entity, f32, tag } from "espalier";
import { attachMany, createHierarchy, type Hierarchy, sortChildren } from "espalier/hierarchy";
import { createHistory, createVersions, transaction } from "espalier/history";
import { stateOf as internalState, stateOf } from "espalier/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components, type Forest, operation, perform, plant } from "./random-world.ts";

const Health = component("Health", { hp: f32(100) });
const Frozen = tag("Frozen");

function versioned() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const [top, tank, turret, hut] = world.spawnMany(4, Health) as [Entity, Entity, Entity, Entity];
  attachMany(tree, [tank, hut], top);
  tree.attach(turret, tank);
  const versions = createVersions(tree);
  /** Which of the four have another version after `fn`, by first letter; "*" for the whole forest. */
  const changed = (fn: () => void) => {
    const all = { p: top, t: tank, u: turret, h: hut };
    const alive = Object.entries(all).filter(([, entity]) => world.isAlive(entity));
    const before = alive.map(([name, entity]) => [name, versions.versionOf(entity)] as const);
    const forest = versions.versionOf(null);
    fn();
    const names = before.filter(([name, version]) => {
      const entity = all[name as keyof typeof all];
      return world.isAlive(entity) && versions.versionOf(entity) !== version;
    });
    return names.map(([name]) => name).join("") + (versions.versionOf(null) === forest ? "" : "*");
  };
  return { world, tree, versions, changed, top, tank, turret, hut };
}

describe("versions", () => {
  it("change for an entity and all above it, for every kind of change", () => {
    const { world, tree, changed, top, tank, turret, hut } = versioned();
    expect(changed(() => {})).toBe("");
    expect(changed(() => world.set(turret, Health, { hp: 1 }))).toBe("ptu*");
    expect(changed(() => world.set(turret, Health, { hp: 1 }))).toBe("");
    expect(changed(() => world.add(hut, Frozen))).toBe("ph*");
    expect(changed(() => void world.remove(hut, Frozen))).toBe("ph*");
    expect(changed(() => void world.remove(hut, Frozen))).toBe("");
    expect(
      changed(() => world.query(Health).each((entity, health) => void (entity === tank && (health.hp = 7)))),
    ).toBe("pt*");
    expect(changed(() => world.touch(turret, Health))).toBe("ptu*");
    expect(changed(() => tree.setName(hut, "hut"))).toBe("ph*");
    expect(changed(() => void tree.moveChild(hut, 0))).toBe("p*");
    expect(changed(() => void tree.moveChild(hut, 0))).toBe("");
    expect(changed(() => void tree.attach(turret, hut))).toBe("pth*");
    expect(changed(() => void tree.attachNew(turret))).toBe("puh*");
    expect(changed(() => void sortChildren(tree, top, (a, b) => a - b))).toBe("p*");
    expect(changed(() => void tree.detach(hut))).toBe("p*");
    expect(changed(() => void world.destroy(turret))).toBe("h*");
    expect(changed(() => void world.spawn())).toBe("*");
  });

  it("change with undo and redo, also beside a history", () => {
    const { world, changed, turret } = versioned();
    const history = createHistory(world);
    history.step("Set", () => world.set(turret, Health, { hp: 1 }));
    expect(changed(() => void history.undo())).toBe("ptu*");
    expect(changed(() => void history.redo())).toBe("ptu*");
    expect(world.get(turret, Health)).toEqual({ hp: 1 });
    history.close();
    expect(changed(() => world.set(turret, Health, { hp: 2 }))).toBe("ptu*");
    transaction(world, () => world.set(turret, Health, { hp: 3 }));
    expect(changed(() => world.set(turret, Health, { hp: 4 }))).toBe("ptu*");
  });

  it("cost nothing when closed", () => {
    const { world, versions, changed, turret } = versioned();
    versions.close();
    versions.close();
    expect(internalState(world).recorder.wanted).toBe(false);
    expect(changed(() => world.set(turret, Health, { hp: 1 }))).toBe("");
    world.dispose();
    versions.close();
  });

  it("change exactly when the subtree does, for random operations", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), fc.nat(2), (operations, which) => {
        const forest = plant();
        const tree = forest.trees[which] as Hierarchy;
        const versions = createVersions(tree);
        for (let k = 0; k < 6; k++) perform(forest, [k, k * 7, k * 3, k]);
        let before = new Map(forest.world.entities().map((e) => [e, subtree(forest, tree, e)]));
        let read = new Map([...before.keys()].map((e) => [e, versions.versionOf(e)]));
        for (const each of operations) {
          perform(forest, each);
          const now = new Map(forest.world.entities().map((e) => [e, subtree(forest, tree, e)]));
          for (const [entity, state] of now) {
            const isSame = before.get(entity) === state;
            expect(read.get(entity) === versions.versionOf(entity), `#${entity} is the same: ${isSame}`).toBe(
              isSame,
            );
          }
          before = now;
          read = new Map([...now.keys()].map((e) => [e, versions.versionOf(e)]));
        }
      }),
      { numRuns: 60, seed: 12 },
    );
  });

  /** Everything about a subtree as text: structure, names and values. */
  function subtree({ world }: Forest, tree: Hierarchy, top: Entity): string {
    const lines: string[] = [];
    for (const entity of tree.descendants(top, { includeSelf: true })) {
      const values = components.map((each) => {
        if (!world.has(entity, each)) return "absent";
        const store = stateOf(world).store(each);
        return store.names.map((name) =>
          JSON.stringify((store.columns[name] as unknown[])[store.rowOf(entity & 0x3fffff)]),
        );
      });
      const parent = entity === top ? "" : tree.parentOf(entity);
      lines.push([entity, parent, tree.nameOf(entity), values].join());
    }
    return lines.join("\n");
  }
});
