import { component, type Entity, isComponent, named, object, u8 } from "espalier";
import * as hierarchy from "espalier/hierarchy";
import { hierarchyComponents } from "espalier/hierarchy";
import * as inherit from "espalier/inherit";
import { inheritComponents } from "espalier/inherit";
import { createSceneFormat, type FieldCodec, type StandardSchema, withCodec } from "espalier/scene";
import * as transform from "espalier/transform";
import { transformComponents } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyTree, Health, Label, Position, problemsOf } from "./scenes.ts";

class Vector {
  readonly x: number;
  readonly y: number;
  constructor(x: number, y: number) {
    this.x = x;
    this.y = y;
  }
}

const vector: FieldCodec<Vector> = {
  write: ({ x, y }) => [x, y],
  read: (json) => {
    if (!Array.isArray(json) || json.length !== 2) throw new Error("a vector is an array of two numbers.");
    return new Vector(json[0], json[1]);
  },
  schema: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
};

const party: FieldCodec<Entity[]> = {
  references: true,
  write: (members, { idOf }) => members.map((member) => idOf(member)).filter((id) => id !== null),
  read: (json, { entity }) => (json as string[]).map((id) => entity(id)),
};

const Body = component("Body", {
  velocity: object(() => new Vector(0, 0)),
  scale: object(() => new Vector(1, 1)),
});
const Party = component("Party", { members: object((): Entity[] => []) });

const format = createSceneFormat({
  components: [
    withCodec(Body, { fields: { velocity: vector, scale: vector } }),
    withCodec(Party, { fields: { members: party }, description: "Who goes together." }),
    [Health, Label],
    Position,
  ],
});

describe("codecs", () => {
  it("that refer to entities inside a nested prefab give no override", () => {
    const leader = { id: "leader", components: { Party: { members: ["leader", "friend"] } } };
    const group = { entities: [{ ...leader, children: [{ id: "friend" }] }] };
    const camp = { entities: [{ id: "camp", children: [{ id: "group", prefab: "group" }] }] };
    const prefabs = { camp, group };
    const scene = format.load(emptyTree(), { entities: [{ id: "here", prefab: "camp" }] }, { prefabs });
    const { world } = scene.tree;
    const members = world.get(scene.entity("here/group"), Party)?.members;
    expect(members).toEqual([scene.entity("here/group"), scene.entity("here/group/friend")]);
    expect(scene.toFile().entities).toEqual([{ id: "here", prefab: "camp" }]);
    members?.pop();
    expect(scene.toFile().entities[0]?.overrides).toEqual({
      group: { components: { Party: { members: ["here/group"] } } },
    });
  });

  it("write and read object fields", () => {
    const tree = emptyTree();
    tree.world.spawn(Body({ velocity: new Vector(3, 4) }));
    const text = format.save(tree);
    expect(text).toContain(`"Body": { "velocity": [3, 4] }`);
    const scene = format.load(emptyTree(), text);
    const body = scene.tree.world.get(scene.entity("entity-1"), Body);
    expect(body).toEqual({ velocity: new Vector(3, 4), scale: new Vector(1, 1) });
    expect(body?.velocity).toBeInstanceOf(Vector);
  });

  it("report values that do not fit", () => {
    expect(
      problemsOf(() =>
        format.load(
          emptyTree(),
          `{ "entities": [{ "id": "a", "components": { "Body": { "velocity": 1 } } }] }`,
        ),
      ),
    ).toEqual([
      `-:1:67 entities[0].components.Body.velocity a scene/invalid-value Entity "a": Body.velocity: a vector is an array of two numbers.`,
    ]);
  });

  it("that hold references see all entities, also later ones", () => {
    const text = `{ "entities": [
      { "id": "a", "components": { "Party": { "members": ["b", "a"] } } },
      { "id": "b", "components": { "Party": {} } }
    ] }`;
    const scene = format.load(emptyTree(), text);
    const { world } = scene.tree;
    expect(world.get(scene.entity("a"), Party)?.members).toEqual([scene.entity("b"), scene.entity("a")]);
    expect(world.get(scene.entity("b"), Party)?.members).toEqual([]);
    expect(scene.save()).toContain(`"Party": { "members": ["b", "a"] }`);
  });

  it("that request entities that do not exist, or refuse a value, give problems of their fields", () => {
    const tree = emptyTree();
    const load = () =>
      format.load(
        tree,
        `{
  "entities": [
    { "id": "alice", "components": { "Party": { "members": ["x"] } } },
    { "id": "bob", "components": { "Party": { "members": ["bob", "alise"] } } },
    { "id": "carol", "components": { "Party": { "members": 7 } } }
  ]
}`,
      );
    expect(problemsOf(load, tree)).toEqual([
      `-:3:60 entities[0].components.Party.members alice scene/missing-reference Entity "alice": Party.members refers to "x", which is not in the scene. The ids are alice, bob, carol.`,
      `-:4:58 entities[1].components.Party.members bob scene/missing-reference Entity "bob": Party.members refers to "alise", which is not in the scene. Did you mean "alice"?`,
      `-:5:60 entities[2].components.Party.members carol scene/invalid-value Entity "carol": Party.members: json.map is not a function`,
    ]);
  });

  it("keep references that lead nowhere in lenient reading, until the game sets them", () => {
    const text = `{
  "version": 1,
  "entities": [
    {
      "id": "a",
      "components": {
        "Party": { "members": ["a", "gone"] }
      }
    }
  ]
}
`;
    const scene = format.load(emptyTree(), text, { lenient: true });
    const { world } = scene.tree;
    const a = scene.entity("a");
    expect(scene.problems.map(({ code }) => code)).toEqual(["scene/missing-reference"]);
    expect(world.get(a, Party)?.members).toEqual([]);
    expect(scene.save()).toBe(text);
    world.set(a, Party, { members: [a] });
    expect(scene.save()).toBe(text.replace(`"a", "gone"`, `"a"`));
  });

  it("that request entities too early get an error", () => {
    const early = createSceneFormat({
      components: [withCodec(Party, { fields: { members: { ...party, references: false } } })],
    });
    expect(
      early.check(`{ "entities": [{ "id": "a", "components": { "Party": { "members": ["a"] } } }] }`)[0]
        ?.message,
    ).toBe(
      `Entity "a": Party.members: it asks for an entity before there are any. Give its codec references: true.`,
    );
  });

  it("that write what JSON cannot hold are refused", () => {
    const broken = createSceneFormat({
      components: [withCodec(Body, { fields: { velocity: { ...vector, write: () => Number.NaN } } })],
      transient: [],
    });
    const tree = emptyTree();
    tree.world.spawn(Body);
    expect(problemsOf(() => broken.save(tree))[0]).toContain(
      "Body.velocity cannot be written: its codec wrote NaN.",
    );
  });
});

describe("validators", () => {
  const positive: StandardSchema = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => {
        const { hp = 100 } = value as { hp?: number };
        return hp > 0 ? {} : { issues: [{ message: "must be positive", path: [{ key: "hp" }] }] };
      },
    },
  };
  const text = (hp: number) => `{ "entities": [{ "id": "a", "components": { "Health": { "hp": ${hp} } } }] }`;

  it("of the Standard Schema interface check components", () => {
    const strict = createSceneFormat({ components: [withCodec(Health, { validate: positive })] });
    expect(strict.check(text(1))).toEqual([]);
    expect(problemsOf(() => strict.load(emptyTree(), text(-1)))).toEqual([
      `-:1:63 entities[0].components.Health.hp a scene/invalid-value Entity "a": Health.hp: must be positive`,
    ]);
  });

  it.each([
    [() => Promise.resolve({}), "the validator is asynchronous; scenes need a synchronous one"],
    [
      () => {
        throw new Error("oops");
      },
      "the validator threw: oops",
    ],
    [() => ({ issues: [{ message: "no" }] }), "no"],
  ])("that misbehave make the file refused", (validate, message) => {
    const strict = createSceneFormat({
      components: [
        withCodec(Health, { validate: { "~standard": { version: 1, vendor: "test", validate } } }),
      ],
    });
    expect(strict.check(text(1))[0]?.message).toBe(`Entity "a": Health: ${message}`);
  });
});

describe("a scene format", () => {
  const create = (options: object) => () => createSceneFormat({ components: [], ...options });

  it("lists its components in the order of files", () => {
    expect(format.components).toEqual(["Body", "Party", "Health", "Label", "Position"]);
    expect(format.component("Health")).toBe(Health);
    expect(format.component("Helth")).toBeUndefined();
    expect(format.version).toBe(1);
  });

  it.each([
    [{ version: 0 }, "version 0: a version is an integer of at least 1."],
    [{ components: [7] }, "7 among its components: give components, or withCodec(component, …)."],
    [{ components: [Health, Health] }, "Health twice: list it once."],
    [{ components: [Health, component("Health", {})] }, "Health twice: two components share it. Rename one."],
    [
      { components: [component("Parent", {})] },
      "a component named Parent: the parent of an entity is not a component in files. Rename yours.",
    ],
    [
      { components: [component("Secret", {}, { reserved: "x()" })] },
      "Secret: only its owner writes it, so a file cannot. Leave it out.",
    ],
    [
      { components: [Health], transient: [Health] },
      "Health both as a component of files and as transient: choose one.",
    ],
    [
      { components: [withCodec(Body, { fields: { speed: vector } as object })] },
      "a codec for Body.speed: Body has no such field.",
    ],
    [
      { components: [withCodec(Body, { fields: { velocity: { write: vector.write } as never } })] },
      "a codec for Body.velocity that lacks write or read: give both.",
    ],
  ])("refuses %o", (options, message) => {
    expect(create(options)).toThrow(`Cannot create a scene format with ${message} [scene/invalid-format]`);
  });

  it("that is refused says in every build which option or component is wrong", () => {
    expect(create({ version: 0 })).toThrow(expect.objectContaining({ option: "version", value: 0 }));
    expect(create({ components: [Health, Health] })).toThrow(
      expect.objectContaining({ component: "Health" }),
    );
    expect(create({ components: [withCodec(Body, { fields: { speed: vector } as object })] })).toThrow(
      expect.objectContaining({ component: "Body", field: "speed" }),
    );
  });
});

describe("a zod schema", () => {
  const format = createSceneFormat({
    components: [withCodec(Health, { validate: z.looseObject({ hp: z.number().max(500).optional() }) })],
  });

  it("checks a component and says what it accepts in the JSON Schema", () => {
    const text = (hp: number) =>
      `{ "entities": [{ "id": "a", "components": { "Health": { "hp": ${hp} } } }] }`;
    expect(format.check(text(500))).toEqual([]);
    expect(format.check(text(501)).map(({ message, path }) => `${path} ${message}`)).toEqual([
      `entities[0].components.Health.hp Entity "a": Health.hp: Too big: expected number to be <=500`,
    ]);
    expect(JSON.stringify(format.jsonSchema())).toContain('"maximum":500');
  });
});

describe("values with names", () => {
  const Door = component("Door", { state: named(u8(1), ["open", "closed", "locked"]) });
  const doors = createSceneFormat({ components: [Door] });
  const file = (state: unknown) =>
    JSON.stringify({ entities: [{ id: "door", components: { Door: { state } } }] });

  it("are written to files under their names", () => {
    const tree = emptyTree();
    const scene = doors.load(tree, file("locked"));
    expect(tree.world.get(scene.entity("door"), Door)).toEqual({ state: 2 });
    expect(scene.toFile().entities[0]?.components).toEqual({ Door: { state: "locked" } });
    tree.world.set(scene.entity("door"), Door, { state: 0 });
    expect(scene.toFile().entities[0]?.components).toEqual({ Door: { state: "open" } });
  });

  it.each([
    ["lockt", 'Entity "door": Door.state: "lockt" is not one of its values. Did you mean "locked"?'],
    [
      "purple",
      'Entity "door": Door.state: "purple" is not one of its values. The values are open, closed, locked.',
    ],
    [2, 'Entity "door": Door.state: 2 is not one of its values. The values are open, closed, locked.'],
    [null, 'Entity "door": Door.state: null is not one of its values. The values are open, closed, locked.'],
  ])("are refused otherwise: %s", (state, message) => {
    expect(doors.check(file(state)).map((problem) => problem.message)).toEqual([message]);
  });

  it("are listed in the JSON Schema, with the default by its name", () => {
    expect(JSON.stringify(doors.jsonSchema())).toContain(
      JSON.stringify({ default: "closed", enum: ["open", "closed", "locked"] }),
    );
  });
});

describe("the lists that rooms offer", () => {
  it("are all that they have, and can be saved and loaded", () => {
    const all = [transformComponents, inheritComponents, hierarchyComponents];
    const whole = createSceneFormat({ components: all });
    const tree = emptyTree();
    const entity = tree.world.spawn(...all.flat().filter((item) => item.reserved === undefined));
    tree.setName(entity, "all");
    const text = whole.save(tree);
    for (const { name } of all.flat()) expect(text).toContain(`"${name}"`);
    const other = emptyTree();
    whole.load(other, text);
    expect(whole.save(other)).toBe(text);
    const exported = [transform, inherit, hierarchy].flatMap((room) =>
      Object.values(room).filter(isComponent),
    );
    // Derived from Active, so in no file.
    const saved = exported.filter((component) => component !== inherit.Inactive);
    expect(new Set(saved)).toEqual(new Set(all.flat()));
  });
});
