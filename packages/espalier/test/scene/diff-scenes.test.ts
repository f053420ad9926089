import { component, createWorld, type Entity, object } from "espalier";
import { createHierarchy } from "espalier/hierarchy";
import { createHistory, InvalidPatchError, type Patch } from "espalier/history";
import {
  createSceneFormat,
  diffScenes,
  type EntityEntry,
  patchScene,
  type Scene,
  SceneError,
  type SceneFile,
  withCodec,
} from "espalier/scene";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { components, emptyTree, expectSound, Health, shape, valuesIn, valuesOf } from "./scenes.ts";

const Party = component("Party", { members: object((): Entity[] => []) });
const format = createSceneFormat({
  components: [
    ...components,
    withCodec(Party, {
      fields: {
        members: {
          references: true,
          write: (members, { idOf }) => members.map((entity) => idOf(entity)),
          read: (json, { entity }) => (json as string[]).map((id) => entity(id)),
        },
      },
    }),
  ],
});

const before = `{ "entities": [
  { "id": "tank", "name": "Tank", "components": { "Health": { "hp": 250 }, "Aim": { "at": "rock" } },
    "children": [{ "id": "turret", "components": { "Label": {} } }, { "id": "hatch" }] },
  { "id": "rock", "components": { "Bag": { "items": [1] }, "Party": { "members": ["tank", "bush"] } } },
  { "id": "bush" }
] }`;
const after = `{ "entities": [
  { "id": "rock", "components": { "Bag": { "items": [1, 2] }, "Party": { "members": ["tank", "tower"] } },
    "children": [{ "id": "turret", "components": { "Frozen": {} } }] },
  { "id": "tank", "name": "Big tank", "components": { "Health": { "hp": 300 }, "Aim": { "at": "tower" } } },
  { "id": "tower", "parent": "tank", "components": { "Aim": { "from": "tank" } } }
] }`;

/** Everything about a scene, by ids. */
function stateOf(scene: Scene): unknown {
  const { tree } = scene;
  const { world } = tree;
  const idOf = (entity: Entity | null) => (entity === null ? null : scene.idOf(entity));
  return [
    shape(scene),
    JSON.parse(scene.save()),
    [...world.entities()].map((e) => [idOf(e), tree.nameOf(e)]).sort(),
  ];
}

describe("the difference of two scenes", () => {
  it("is a patch that names entities by their ids, in which what moved is moved", () => {
    const patch = diffScenes(format, before, after);
    expect(patch).toEqual([
      { op: "remove", id: "hatch", tree: "tree" },
      { op: "remove", id: "bush", tree: "tree" },
      {
        op: "add",
        id: "tower",
        components: { Aim: { at: null, from: "tank" } },
        positions: { tree: { parent: "tank", after: null } },
      },
      { op: "reorder", id: "rock", tree: "tree", after: null },
      { op: "move", id: "turret", tree: "tree", parent: "rock", after: null },
      { op: "set", id: "tank", component: "Health", values: { hp: 300 } },
      { op: "set", id: "tank", component: "Aim", values: { at: "tower" } },
      { op: "set", id: "tank", tree: "tree", name: "Big tank" },
      { op: "set", id: "rock", component: "Bag", values: { items: [1, 2] } },
      { op: "set", id: "rock", component: "Party", values: { members: ["tank", "tower"] } },
      { op: "set", id: "turret", component: "Frozen", values: {} },
      { op: "set", id: "turret", component: "Label", values: null },
    ]);
    expect(diffScenes(format, after, after)).toEqual([]);
    expect(diffScenes(format, before, JSON.parse(before) as SceneFile)).toEqual([]);
  });

  it("takes a running scene as it is now", () => {
    const scene = format.load(emptyTree(), before);
    expect(diffScenes(format, before, scene)).toEqual([]);
    scene.tree.world.set(scene.entity("tank"), Health, { hp: 7 });
    expect(diffScenes(format, before, scene)).toEqual([
      { op: "set", id: "tank", component: "Health", values: { hp: 7 } },
    ]);
    expect(diffScenes(format, scene, before)).toEqual([
      { op: "set", id: "tank", component: "Health", values: { hp: 250 } },
    ]);
  });

  it("compares what prefabs give", () => {
    const prefabs = {
      gun: { entities: [{ id: "gun", components: { Health: { hp: 5 } }, children: [{ id: "belt" }] }] },
    };
    const one: SceneFile = { entities: [{ id: "a", prefab: "gun" }] };
    const two: SceneFile = {
      entities: [
        { id: "a", prefab: "gun", overrides: { belt: { components: { Health: {} } } } },
        { id: "b", prefab: "gun" },
      ],
    };
    const patch = diffScenes(format, one, two, { prefabs });
    expect(patch.map(({ op, id }) => `${op} ${id}`)).toEqual(["add b", "add b/belt", "set a/belt"]);
    const scene = format.load(emptyTree(), one, { prefabs });
    patchScene(scene, patch);
    expect(shape(scene)).toBe("a(a/belt) b(b/belt)");
    expect(valuesIn(scene, "b")).toMatchObject({ Health: { hp: 5 } });
    expect(valuesIn(scene, "a/belt")).toMatchObject({ Health: { hp: 100 } });
  });

  it("refuses broken files", () => {
    expect(() => diffScenes(format, before, `{ "entities": [{ "id": 7 }] }`)).toThrow(SceneError);
    expect(() => diffScenes(format, "{", after)).toThrow(SceneError);
  });
});

describe("a patch of a scene", () => {
  it("changes a running scene, which keeps its entities and contains the new ones", () => {
    const scene = format.load(emptyTree(), before);
    const tank = scene.entity("tank");
    const history = createHistory(scene.tree.world);
    const start = scene.tree.world.entities().map((entity) => valuesOf(scene.tree.world, entity));
    const patch = JSON.parse(JSON.stringify(diffScenes(format, before, after))) as Patch;
    const added = patchScene(scene, patch);
    expect([...added.keys()]).toEqual(["tower"]);
    expect(scene.entity("tank")).toBe(tank);
    expect(shape(scene)).toBe("rock(turret) tank(tower)");
    expect(valuesIn(scene, "tank")).toMatchObject({
      Health: { hp: 300 },
      Aim: { at: scene.entity("tower") },
    });
    expect(scene.tree.world.get(scene.entity("rock"), Party)?.members).toEqual([tank, scene.entity("tower")]);
    expect(diffScenes(format, scene, after)).toEqual([]);
    expectSound(scene.tree);
    history.undo();
    expect(scene.tree.world.entities().map((entity) => valuesOf(scene.tree.world, entity))).toEqual(start);
  });

  it("works under another name of the hierarchy, and under the entity that the scene was loaded under", () => {
    const tree = createHierarchy(createWorld(), { name: "level" });
    const stage = tree.attachNew(null);
    const scene = format.load(tree, before, { parent: stage });
    patchScene(scene, diffScenes(format, before, after));
    expect(shape(scene)).toBe("rock(turret) tank(tower)");
    expect(tree.childrenOf(stage)).toEqual([scene.entity("rock"), scene.entity("tank")]);
    expect(tree.childrenOf(null)).toEqual([stage]);
  });

  it("changes nothing when it does not fit", () => {
    const scene = format.load(emptyTree(), before);
    const start = stateOf(scene);
    const wrong: Patch = [
      { op: "set", id: "tank", component: "Health", values: { hp: 1 } },
      { op: "set", id: "rock", component: "Party", values: { members: ["nobody"] } },
    ];
    expect(() => patchScene(scene, wrong)).toThrow("nobody");
    expect(() => patchScene(scene, [{ op: "paint", id: "tank" }] as never)).toThrow(InvalidPatchError);
    expect(() => patchScene(scene, 7 as never)).toThrow(InvalidPatchError);
    expect(() => patchScene(scene, [null] as never)).toThrow(InvalidPatchError);
    expect(stateOf(scene)).toEqual(start);
  });
});

const size = 10;
const node = fc.record({
  isThere: fc.noBias(fc.nat(3)),
  rank: fc.noBias(fc.nat(99)),
  parent: fc.noBias(fc.nat(size)),
  kinds: fc.noBias(fc.nat(63)),
  value: fc.nat(5),
  target: fc.nat(size - 1),
});
const file = fc.array(node, { minLength: size, maxLength: size }).map((nodes): SceneFile => {
  const present = nodes.map((each, k) => ({ ...each, k })).filter((each) => each.isThere > 0);
  present.sort((a, b) => a.rank - b.rank);
  const ids = new Set(present.map(({ k }) => k));
  const entities = present.map(({ k, parent, kinds, value, target }, at): EntityEntry => {
    const above = present.slice(0, at).find((other) => other.k === parent);
    const to = ids.has(target) ? `e${target}` : null;
    return {
      id: `e${k}`,
      ...(kinds & 32 ? { name: `n${value}` } : {}),
      ...(above === undefined ? {} : { parent: `e${above.k}` }),
      components: {
        ...(kinds & 1 ? { Health: { hp: value } } : {}),
        ...(kinds & 2 ? { Frozen: {} } : {}),
        ...(kinds & 4 ? { Aim: to === null ? {} : { at: to } } : {}),
        ...(kinds & 8 ? { Bag: { items: [value, { deep: target }] } } : {}),
        ...(kinds & 16 ? { Party: { members: to === null ? [] : [to] } } : {}),
      },
    };
  });
  return { entities };
});

describe("the difference of two random scenes", () => {
  it("leads from the first to the second, and is empty then", () => {
    fc.assert(
      fc.property(file, file, (a, b) => {
        const patch = JSON.parse(JSON.stringify(diffScenes(format, a, b))) as Patch;
        const scene = format.load(emptyTree(), a);
        const kept = scene.tree.world
          .entities()
          .filter((e) => b.entities.some(({ id }) => id === scene.idOf(e)));
        patchScene(scene, patch);
        const wanted = format.load(emptyTree(), b);
        expect(stateOf(scene)).toEqual(stateOf(wanted));
        expect(kept.every((entity) => scene.tree.world.isAlive(entity))).toBe(true);
        expect(diffScenes(format, scene, b)).toEqual([]);
        expectSound(scene.tree);
        // What moves is neither removed nor added.
        const both = new Set(
          a.entities.map(({ id }) => id).filter((id) => b.entities.some((e) => e.id === id)),
        );
        for (const { op, id } of patch)
          if (op === "add" || op === "remove") expect(both.has(id as string)).toBe(false);
      }),
      { numRuns: 150, seed: 23 },
    );
  });

  it("says the same as the worlds they are loaded into", () => {
    fc.assert(
      fc.property(file, (a) => {
        expect(diffScenes(format, a, format.load(emptyTree(), a))).toEqual([]);
        const empty: SceneFile = { entities: [] };
        const tops = diffScenes(format, a, empty);
        expect(tops.every(({ op }) => op === "remove")).toBe(true);
        expect(diffScenes(format, empty, a).length).toBe(a.entities.length);
      }),
      { numRuns: 40, seed: 29 },
    );
  });
});
