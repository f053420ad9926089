/** Entities that become instances, instances that change their prefab, variants, and components that only prefabs have. */
import { checkWorld, component, createWorld, type Entity, string } from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import {
  basePrefabOf,
  changePrefab,
  createSceneFormat,
  instanceOf,
  instancesIn,
  makeInstance,
  type Prefab,
  prefabOf,
  SceneError,
  SceneUseError,
} from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property, snapshot, strictWorld } from "../testing.ts";
import { type Random, randomFrom } from "./prefab-twin.ts";
import { components, Health, Label, Position } from "./scenes.ts";
import { prefabs, tank } from "./tank-prefabs.ts";

const Notes = component("Notes", { text: string() });
const format = createSceneFormat({ components: [...components, Notes], prefabOnly: [Notes] });

function create(): { readonly tree: Hierarchy; readonly prefab: Prefab } {
  const tree = createHierarchy(strictWorld());
  return { tree, prefab: format.prefab(tank, { file: "tank" }) };
}

/** A tank that was made by hand: names as in the prefab, without its hatch. */
function handMade(tree: Hierarchy): {
  readonly root: Entity;
  readonly turret: Entity;
  readonly barrel: Entity;
} {
  const root = tree.attachNew(null, Health({ hp: 80 }), Position({ x: 1, y: 2 }));
  const turret = tree.attachNew(root, Position({ y: 20 }));
  const barrel = tree.attachNew(turret, Label({ text: "hot" }));
  tree.setName(turret, "Turret");
  tree.setName(barrel, "Barrel");
  return { root, turret, barrel };
}

describe("makeInstance", () => {
  it("matches by name, changes nothing, and makes every difference an override", () => {
    const { tree, prefab } = create();
    const { root, turret, barrel } = handMade(tree);
    const flag = tree.attachNew(turret);
    const before = tree.world.get(root, Health);
    const instance = makeInstance(tree, root, prefab);
    expect(tree.world.get(root, Health)).toEqual(before);
    expect([instance.find("turret"), instance.find("barrel"), instance.find("hatch")]).toEqual([
      turret,
      barrel,
      undefined,
    ]);
    expect(
      instance
        .overrides()
        .map(({ kind, target, component: of, field }) => [kind, target, of, field].join(" ").trim()),
    ).toEqual([
      "name .",
      "field . Health hp",
      "component turret Aim",
      "component barrel Label",
      "component barrel Bag",
      "removed hatch",
      "added turret",
    ]);
    instance.revert();
    expect(tree.world.get(root, Health)?.hp).toBe(250);
    expect(tree.world.isAlive(flag)).toBe(false);
    expect(instance.overrides().filter(({ own }) => own !== true)).toEqual([]);
    expect([checkWorld(tree.world), checkTree(tree)]).toEqual([[], []]);
  });

  it("is a step of a history, and saves and loads as an instance", () => {
    const { tree, prefab } = create();
    const history = createHistory(tree.world);
    const { root } = handMade(tree);
    history.clear();
    makeInstance(tree, root, prefab);
    expect(history.undoLabels.length).toBe(1);
    history.undo();
    expect(instancesIn(tree)).toEqual([]);
    history.redo();
    expect(instanceOf(tree, root)?.prefab).toBe("tank");
    const text = format.save(tree);
    const other = createHierarchy(createWorld());
    format.load(other, text, { prefabs });
    expect(format.save(other)).toBe(text);
    expect(other.world.get([...other.roots()][0] as Entity, Health)?.hp).toBe(80);
  });

  it("matches the ids that a scene gave, before names", () => {
    const { tree, prefab } = create();
    const scene = format.load(tree, {
      entities: [
        {
          id: "old",
          children: [
            { id: "turret", name: "gun" },
            { id: "other", name: "Turret" },
          ],
        },
      ],
    });
    const instance = makeInstance(tree, scene.entity("old"), prefab);
    expect(instance.find("turret")).toBe(scene.entity("turret"));
    expect(scene.save()).toContain('"prefab": "tank"');
    expect(scene.idOf(instance.find("turret") as Entity)).toBe("old/turret");
  });

  it("matches an inner instance with that of the prefab when both are of the same prefab", () => {
    const { tree, prefab } = create();
    const squad = format.prefab((prefabs as { squad: never }).squad, { file: "squad", prefabs });
    const root = tree.attachNew(null);
    const inner = prefab.instantiate(tree, { parent: root, name: "lead" });
    const turret = inner.find("turret");
    const named = format.prefab(
      { entities: [{ id: "squad", children: [{ id: "lead", name: "lead", prefab: "tank" }] }] },
      { file: "named", prefabs },
    );
    const instance = makeInstance(tree, root, named);
    expect(instance.find("lead/turret")).toBe(turret);
    expect(instancesIn(tree)).toHaveLength(1);
    expect(instance.overrides().filter(({ own }) => own !== true)).toEqual([]);
    const other = squad.instantiate(tree);
    expect(() => makeInstance(tree, other.root, prefab)).toThrow("it is an instance of squad already");
  });

  it("refuses what is an instance, part of one, dead or no prefab, and changes nothing", () => {
    const { tree, prefab } = create();
    const instance = prefab.instantiate(tree);
    const before = snapshot(tree.world);
    expect(() => makeInstance(tree, instance.root, prefab)).toThrow(SceneUseError);
    expect(() => makeInstance(tree, instance.find("turret") as Entity, prefab)).toThrow(
      "it is part of an instance of tank. Unpack that first",
    );
    expect(() => makeInstance(tree, instance.root, tank as never)).toThrow(
      "it takes a prefab, got an object",
    );
    expect(() => makeInstance(tree, 12345 as Entity, prefab)).toThrow();
    expect(snapshot(tree.world)).toEqual(before);
  });
});

describe("changePrefab", () => {
  const tiger = {
    entities: [
      {
        id: "tiger",
        name: "Tiger",
        components: { Health: { hp: 900 }, Label: { text: "tiger" } },
        children: [{ id: "turret", name: "Turret", children: [{ id: "barrel" }] }, { id: "skirt" }],
      },
    ],
  };

  it("keeps entities and overrides by id", () => {
    const { tree, prefab } = create();
    const instance = prefab.instantiate(tree);
    const [turret, hatch] = [instance.find("turret") as Entity, instance.find("hatch") as Entity];
    const flag = tree.attachNew(turret);
    tree.world.set(turret, Position, { x: 7 });
    changePrefab(instance, format.prefab(tiger, { file: "tiger" }));
    expect([instance.prefab, instance.find("turret")]).toEqual(["tiger", turret]);
    expect(tree.world.get(turret, Position)).toMatchObject({ x: 7 });
    expect(tree.world.get(instance.root, Health)?.hp).toBe(900);
    expect(tree.world.get(instance.root, Label)?.text).toBe("tiger");
    expect([tree.world.isAlive(hatch), tree.parentOf(flag)]).toEqual([false, turret]);
    expect(instance.find("skirt")).toBeDefined();
    expect([checkWorld(tree.world), checkTree(tree)]).toEqual([[], []]);
  });

  it("refuses an override that the prefab has no entity or component for, or leaves it out", () => {
    const { tree, prefab } = create();
    const history = createHistory(tree.world);
    const instance = prefab.instantiate(tree);
    tree.world.add(instance.find("hatch") as Entity, Health({ hp: 1 }));
    history.clear();
    const before = format.save(tree);
    const next = format.prefab(tiger, { file: "tiger" });
    expect(() => changePrefab(instance, next)).toThrow(SceneError);
    expect([format.save(tree), history.undoLabels.length]).toEqual([before, 0]);
    changePrefab(instance, next, { overrides: "drop" });
    expect([instance.prefab, history.undoLabels.length]).toEqual(["tiger", 1]);
    history.undo();
    expect([instance.prefab, format.save(tree)]).toEqual(["tank", before]);
    history.redo();
    expect(instance.prefab).toBe("tiger");
    expect(() => changePrefab(instance, next, { overrides: "all" as never })).toThrow("overrides");
  });

  it("there and back is what it was, whatever was overridden", () => {
    property(
      fc.integer(),
      (seed) => {
        const random: Random = randomFrom(seed);
        const { tree, prefab } = create();
        const other = format.prefab({ entities: [{ ...tank.entities[0], name: "Other" }] } as never, {
          file: "other",
        });
        const instance = prefab.instantiate(tree);
        for (let k = 0; k < 4; k++) {
          const ids = ["tank", "turret", "barrel", "hatch"];
          const entity = instance.find(ids[random(4)] as string);
          if (entity === undefined) continue;
          const act = random(4);
          if (act === 0) tree.world.add(entity, Health({ hp: random(9) }));
          else if (act === 1) tree.world.add(entity, Position({ x: random(9) }));
          else if (act === 2) tree.attachNew(entity, Label);
          else if (entity !== instance.root) tree.destroy(entity);
        }
        const before = format.save(tree);
        const entities = tree.world.entities();
        changePrefab(instance, other);
        changePrefab(instance, prefab);
        expect(format.save(tree)).toBe(before);
        expect(new Set(tree.world.entities())).toEqual(new Set(entities));
        expect([checkWorld(tree.world), checkTree(tree)]).toEqual([[], []]);
      },
      60,
    );
  });
});

describe("a variant", () => {
  it("has the prefab that it is a variant of, over all levels", () => {
    const files = {
      tank,
      tiger: { entities: [{ id: "tiger", prefab: "tank", components: { Health: { hp: 900 } } }] },
    };
    const king = format.prefab(
      { entities: [{ id: "king", prefab: "tiger" }] },
      { file: "king", prefabs: files },
    );
    const base = basePrefabOf(king);
    expect([base?.name, base && basePrefabOf(base)?.name]).toEqual(["tiger", "tank"]);
    expect(basePrefabOf(format.prefab(tank))).toBeUndefined();
    expect(() => basePrefabOf(tank as never)).toThrow(SceneUseError);
  });

  it("cannot be one of two prefabs, and says what to do instead", () => {
    expect(() =>
      format.prefab({ entities: [{ id: "both", prefab: ["tank", "squad"] }] } as never, { prefabs }),
    ).toThrow("an entity is an instance of one prefab");
  });
});

describe("a component that only prefabs have", () => {
  const noted = {
    entities: [
      {
        id: "tank",
        components: { Health: { hp: 5 }, Notes: { text: "heavy" } },
        children: [{ id: "turret", components: { Notes: { text: "turns" }, Position: { x: 1 } } }],
      },
    ],
  };

  it("is not copied to instances, however they are made, and is not an override", () => {
    const prefab = format.prefab(noted, { file: "noted" });
    const files = {
      noted,
      outer: { entities: [{ id: "outer", prefab: "noted", components: { Notes: { text: "mine" } } }] },
    };
    const { tree } = create();
    const made = [
      prefab.instantiate(tree).root,
      prefab.instantiate(tree, { components: { Health: { hp: 1 } } }).root,
      format.load(tree, { entities: [{ id: "a", prefab: "noted" }] }, { prefabs: files }).entity("a"),
      ...format
        .load(
          tree,
          {
            entities: [
              { id: "b", prefab: "noted" },
              { id: "c", prefab: "noted" },
            ],
          },
          { prefabs: files },
        )
        .roots(),
      format.load(tree, { entities: [{ id: "o", prefab: "outer" }] }, { prefabs: files }).entity("o"),
    ];
    expect(made).toHaveLength(6);
    expect(tree.world.query(Notes).count()).toBe(0);
    for (const root of made) {
      const of = instanceOf(tree, root)
        ?.overrides()
        .map(({ component: name }) => name);
      expect(of).not.toContain("Notes");
    }
    // A scene may have notes of its own, also on an instance.
    const own = format.load(
      tree,
      {
        entities: [
          { id: "d", prefab: "noted", components: { Notes: { text: "here" } } },
          { id: "e", components: { Notes: {} } },
        ],
      },
      { prefabs: files },
    );
    expect(tree.world.get(own.entity("d"), Notes)).toEqual({ text: "here" });
    expect(own.save()).toContain("here");
    expect(tree.world.has(own.entity("e"), Notes)).toBe(true);
  });

  it("stays in the file of the prefab when overrides are applied", () => {
    const { tree } = create();
    const instance = format.prefab(noted, { file: "noted" }).instantiate(tree);
    tree.world.set(instance.root, Health, { hp: 77 });
    tree.world.set(instance.find("turret") as Entity, Position, { x: 9 });
    const file = prefabOf(instance).apply(instance).toFile();
    expect(file.entities.map(({ components: of }) => of)).toEqual([
      { Health: { hp: 77 }, Notes: { text: "heavy" } },
      { Position: { x: 9 }, Notes: { text: "turns" } },
    ]);
    expect(tree.world.query(Notes).count()).toBe(0);
  });

  it("is refused where it is not a component of the format", () => {
    expect(() => createSceneFormat({ components: [], prefabOnly: [Notes] })).toThrow(
      "Notes as prefabOnly and not among its components",
    );
    expect(() => createSceneFormat({ components: [], prefabOnly: Notes as never })).toThrow("prefabOnly");
  });
});
