import {
  checkWorld,
  component,
  createWorld,
  DEVELOPMENT,
  type Entity,
  type Finding,
  f32,
  type World,
} from "espalier";
import { createHierarchy, createUpHierarchy, flatOrder } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { createInherited, defineInherited, Visibility, visibility, ZIndex, zIndex } from "espalier/inherit";
import { Collider, createPhysics, Joint, RigidBody } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import {
  createRecordingRenderer,
  createRenderer,
  type Drawing,
  drawValues,
  rect,
  Sprite,
} from "espalier/render";
import { createSceneFormat, sceneComponents } from "espalier/scene";
import {
  createRectTransforms,
  createTransforms2D,
  createTransforms3D,
  rawTransforms,
} from "espalier/transform";
import { describe, expect, it } from "vitest";

const Opacity = component("Opacity", { value: f32(1) });
const opacity = defineInherited({
  name: "opacity",
  component: Opacity,
  initial: 1,
  combine: (parent, own) => parent * own.value,
});
const engine = await loadBox2D();
const ball = Collider({ shapes: [{ type: "circle", radius: 1 }] });

/** The insides of something, which are private. */
type Insides = { [name: string]: Insides } & { [name: number]: number };
const insides = (object: object) => object as unknown as Insides;

/** Breaks something that was well, and gives what is found. */
function found(world: World, corrupt: () => unknown): Finding[] {
  expect(checkWorld(world)).toEqual([]);
  corrupt();
  return checkWorld(world);
}

function forest() {
  const world = createWorld();
  const tree = createHierarchy(world);
  return { world, tree };
}

describe.runIf(DEVELOPMENT)("the check of a world", () => {
  it("finds a world transform that is not up to date, in 2D, in 3D and of rectangles", () => {
    const { world, tree } = forest();
    const plane = createTransforms2D(tree);
    const space = createTransforms3D(tree, { name: "space" });
    const rects = createRectTransforms(tree, { width: 10, height: 10 }, { name: "rects" });
    const tank = world.spawn(plane.at(1, 2), space.at(1, 2, 3));
    const turret = tree.attachNew(tank, plane.at(3, 4), space.at(4, 5, 6));
    const message = (name: string, label: string) =>
      `${name}: ${label} has a value that was not brought up to date`;
    const code = "transform/inconsistent";
    for (const [own, name] of [
      [plane, "world"],
      [space, "space"],
    ] as const) {
      const corrupt = () => {
        rawTransforms(own).worlds[rawTransforms(own).worldRowOf(turret)] = 99;
      };
      expect(found(world, corrupt)).toEqual([{ code, entity: turret, message: message(name, "#2") }]);
    }
    const { rows: row } = (rects as unknown as { [key: symbol]: { rows: Float64Array } })[
      Symbol.for("espalier.space")
    ]!;
    expect(found(world, () => row.fill(7, 4)).map((each) => [each.code, each.entity])).toEqual([
      [code, tank],
      [code, turret],
    ]);
  });

  it("finds local values that are not finite", () => {
    const { world, tree } = forest();
    const space = createTransforms2D(tree);
    const tank = world.spawn(space.at(1, 2));
    const corrupt = () => {
      rawTransforms(space).locals[rawTransforms(space).rowOf(tank)] = Number.NaN;
    };
    expect(found(world, corrupt)).toContainEqual({
      code: "transform/inconsistent",
      entity: tank,
      message: "world: x of #1 is not finite",
    });
  });

  it("finds inherited values that are wrong, of numbers, folds and others", () => {
    const { world, tree } = forest();
    const parent = world.spawn(Opacity({ value: 0.5 }), ZIndex({ z: 1 }), Visibility);
    const child = tree.attachNew(parent, Opacity({ value: 0.5 }));
    for (const inherited of [
      createInherited(tree, opacity),
      createInherited(tree, zIndex),
      createInherited(tree, visibility),
    ]) {
      inherited.propagate();
      const column = inherited.column as unknown[];
      const slot = flatOrder(tree).slotOf[child] as number;
      const [first, ...others] = found(world, () => {
        column[slot] = typeof column[slot] === "number" ? 77 : false;
      });
      expect(first).toEqual({
        code: "inherit/inconsistent",
        entity: child,
        message: `${inherited.name}: #2 has a wrong value`,
      });
      expect(others.length).toBeLessThan(2);
    }
  });

  it("finds ids of scenes that lead nowhere or elsewhere", () => {
    const { world, tree } = forest();
    const format = createSceneFormat({ components: [] });
    const scene = format.load(tree, `{ "entities": [{ "id": "a" }, { "id": "b" }] }`);
    const [a, b] = [scene.entity("a"), scene.entity("b")];
    const Member = sceneComponents[0] as typeof Opacity;
    expect(found(world, () => world.set(b, Member, { id: "c" } as never))).toEqual([
      {
        code: "scene/inconsistent",
        entity: b,
        message: 'scenes: #2 has the id "c", which leads to no entity',
      },
    ]);
    world.set(b, Member, { id: "a" } as never);
    expect(checkWorld(world)).toEqual([
      { code: "scene/inconsistent", entity: b, message: 'scenes: #2 has the id "a", which leads to #1' },
    ]);
    expect(scene.idOf(a)).toBe("a");
  });

  interface Parents {
    parents: Float64Array;
    readonly parentLives: Int32Array;
    readonly lives: Int32Array;
  }

  it("finds impossible parents, where only parents are kept", () => {
    const world = createWorld();
    const owners = createUpHierarchy(world, { name: "owners" });
    const [a, b, c, d] = world.spawnMany(4) as [Entity, Entity, Entity, Entity];
    owners.attach(b, a);
    owners.attach(c, b);
    world.destroy(d);
    const state = Object.getOwnPropertySymbols(owners)
      .map((key) => (owners as unknown as { [key: symbol]: Parents })[key])
      .find((value) => value?.parents !== undefined)!;
    const { parents, parentLives, lives } = state;
    parentLives[a] = lives[c] as number;
    const code = "hierarchy/inconsistent";
    expect(found(world, () => parents.fill(c, a, a + 1))).toEqual([
      { code, entity: a, message: "owners: #1 is its own ancestor" },
    ]);
    parents[a] = 1.5;
    expect(checkWorld(world)).toEqual([
      { code, entity: a, message: "owners: the parent of #1 is 1.5, which is not an entity" },
    ]);
    parents[a] = 99;
    expect(checkWorld(world).map(({ entity }) => entity)).toEqual([a]);
    // One that is dead is none.
    parents[a] = d;
    expect(checkWorld(world)).toEqual([]);
    expect(owners.parentOf(a)).toBeNull();
    state.parents = new Float64Array(2);
    expect(checkWorld(world)).toMatchObject([{ code }]);
  });

  it("finds drawings that differ from their entities", () => {
    const { world, tree } = forest();
    const space = createTransforms2D(tree);
    const values = drawValues(tree);
    // A reader that is not notified keeps what was.
    for (const flow of [values.visible, values.z, space])
      Object.assign(flow, { changes: () => ({ pending: 0, forEach: () => {}, close: () => {} }) });
    const drawings: Drawing[] = [];
    const { backend, dispose } = createRecordingRenderer(space);
    const renderer = createRenderer(space, () => ({
      ...backend,
      create(drawing) {
        drawings.push(drawing);
        return backend.create(drawing);
      },
    }));
    const tank = world.spawn(space.at(10, 10), rect(4, 4));
    const turret = tree.attachNew(tank, space.at(1, 1), rect(2, 2));
    renderer.render();
    dispose();
    const foundOf = (corrupt: () => unknown, repair: () => unknown) => {
      const all = found(world, corrupt).filter((each) => each.code === "render/inconsistent");
      repair();
      expect(checkWorld(world)).toEqual([]);
      return all.map(({ entity, message }) => [entity, message]);
    };
    const of = (message: string) => [turret, `render: the shape of #2 ${message}`];

    expect(
      foundOf(
        () => world.add(turret, ZIndex({ z: 5 })),
        () => world.remove(turret, ZIndex),
      ),
    ).toEqual([of("has z 0, and its entity 5")]);
    expect(
      foundOf(
        () => world.add(turret, Visibility({ mode: 2 })),
        () => world.remove(turret, Visibility),
      ),
    ).toEqual([of("is visible, and its entity is not")]);
    renderer.boundsOf(turret);
    expect(
      foundOf(
        () => space.setPosition(turret, 5, 5),
        () => space.setPosition(turret, 1, 1),
      ),
    ).toEqual([of("has bounds that were not brought up to date")]);
    const drawn = drawings.find(({ entity }) => entity === turret)!;
    const { tint, value } = drawn;
    expect(
      foundOf(
        () => Object.assign(drawn, { tint: 0xff }),
        () => Object.assign(drawn, { tint }),
      ),
    ).toEqual([of("has a tint or alpha that was not brought up to date")]);
    expect(
      foundOf(
        () => Object.assign(drawn, { value: { ...value, fill: 0x123456 } }),
        () => Object.assign(drawn, { value }),
      ),
    ).toEqual([of("has values that were not brought up to date")]);
    const slots = flatOrder(tree).slotOf as unknown as Int32Array;
    const [first, second] = [slots[tank]!, slots[turret]!];
    expect(
      foundOf(
        () => slots.set([second, first], tank),
        () => slots.set([first, second], tank),
      ),
    ).toContainEqual([turret, "render: #2 is drawn before what lies below it"]);
    renderer.dispose();
  });

  it("finds a drawing that a renderer failed to make", () => {
    const { world, tree } = forest();
    const space = createTransforms2D(tree);
    const { backend } = createRecordingRenderer(space, { onProblem: () => {} });
    let fails = true;
    const renderer = createRenderer(
      space,
      () => ({
        ...backend,
        create(drawing) {
          if (fails) throw new Error("no memory");
          return backend.create(drawing);
        },
      }),
      { onProblem: () => {} },
    );
    const tank = world.spawn(space.at(0, 0), Sprite({ texture: "tank" }));
    expect(() => renderer.render()).toThrow("no memory");
    fails = false;
    expect(checkWorld(world)).toEqual([
      { code: "render/inconsistent", entity: tank, message: "render: the sprite of #1 is not drawn" },
    ]);
    renderer.dispose();
    expect(checkWorld(world)).toEqual([]);
  });

  it("finds steps of a history that are miscounted or damaged", () => {
    const { world } = forest();
    const history = createHistory(world);
    history.step("make", () => void world.spawn(Opacity));
    const steps = insides(history).done as unknown as { bytes: number; list: { numbers: Float64Array }[] };
    const { bytes } = steps;
    expect(found(world, () => steps.bytes++)).toEqual([
      {
        code: "history/inconsistent",
        message: `history: its steps take ${bytes} bytes, and ${bytes + 1} are counted`,
      },
    ]);
    steps.bytes = bytes;
    const { numbers } = steps.list[0]!;
    expect(found(world, () => numbers.fill(2)).map(({ message }) => message)).toContain(
      'history: the records of step "make" are damaged',
    );
    history.close();
    expect(checkWorld(world)).toEqual([]);
  });

  it("finds bodies without an entity, entities without their body, and joints", () => {
    const { world, tree } = forest();
    const space = createTransforms2D(tree);
    const physics = createPhysics(space, engine);
    const [a, b] = [1, 2].map((x) => world.spawn(space.at(x * 9, 0), RigidBody, ball));
    world.spawn(Joint({ a, b }));
    physics.step(1 / 60);
    const { simulation } = insides(physics) as unknown as {
      simulation: {
        records: { of(entity: unknown): object; remove(record: object): void };
        jointSync: { joints: Map<unknown, unknown> };
      };
    };
    const { records, jointSync } = simulation;
    expect(found(world, () => jointSync.joints.clear())).toEqual([
      { code: "physics/inconsistent", message: "physics: the engine has 1 joints, and 0 are known" },
    ]);
    records.remove(records.of(b));
    expect(checkWorld(world).map(({ code, entity, message }) => [code, entity, message])).toEqual([
      ["physics/inconsistent", b, "physics: #2 has a RigidBody and no body"],
      ["physics/inconsistent", undefined, "physics: the engine has 2 bodies, and 1 are known"],
      ["physics/inconsistent", undefined, "physics: the engine has 1 joints, and 0 are known"],
    ]);
    physics.dispose();
    expect(checkWorld(world)).toEqual([]);
  });
});
