/** What the build for production refuses, and how: with class, code and facts, and nothing has changed. */
import {
  type AnyComponent,
  addAll,
  CommandError,
  type Component,
  claimComponent,
  component,
  createCommands,
  createSchedule,
  createWorld,
  DEVELOPMENT,
  DeadEntityError,
  type Entity,
  EntityLimitError,
  EspalierError,
  entityRef,
  enumOf,
  f32,
  finite,
  flush,
  InvalidEntityError,
  InvalidOptionError,
  InvalidSchemaError,
  InvalidValueError,
  i8,
  MissingComponentError,
  QueryError,
  ReservedComponentError,
  StructureLockedError,
  string,
  UnknownComponentError,
  type World,
} from "espalier";
import {
  attachMany,
  CircularHierarchyError,
  ConstraintError,
  constrain,
  createHierarchy,
  DuplicateNameError,
  depthLimit,
  HierarchyTooDeepError,
  InvalidEditError,
  InvalidPathError,
  NotAChildError,
  TooManyChildrenError,
} from "espalier/hierarchy";
import {
  applyPatch,
  createHistory,
  InvalidPatchError,
  restoreSnapshot,
  takeSnapshot,
} from "espalier/history";
import { createSceneFormat, SceneError } from "espalier/scene";
import { createTransforms2D, InvalidTransformError, SingularTransformError } from "espalier/transform";
import { describe, expect, it } from "vitest";
import { snapshot } from "../test/testing.ts";

const Health = component("Health", { hp: i8(10), name: string(), mood: enumOf("calm", "angry") });
const Point = component("Point", { x: finite(f32()) });
const Owned: Component<{ n: ReturnType<typeof i8> }> = component("Owned", { n: i8() }, { reserved: "put()" });

type Refused = new (...args: never[]) => EspalierError;

/** Runs something that is refused, and proves that the world is as it was. */
function refused(world: World, type: Refused, change: () => unknown): EspalierError {
  const before = snapshot(world);
  let thrown: unknown;
  try {
    change();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(type);
  expect(snapshot(world)).toEqual(before);
  return thrown as EspalierError;
}

function forest() {
  const world = createWorld();
  const tree = createHierarchy(world, { maxChildren: 3, limits: depthLimit({ max: 4 }), uniqueNames: true });
  const space = createTransforms2D(tree);
  const root = world.spawn(space.at(1, 2));
  const child = tree.attachNew(root, space.at(3, 4), Health);
  const grandchild = tree.attachNew(child);
  tree.setName(child, "gun");
  return { world, tree, space, root, child, grandchild };
}

describe("the production build", () => {
  it("is the one that is tested here", () => {
    expect(DEVELOPMENT).toBe(false);
  });

  it("says code, facts and page instead of prose", () => {
    const { world, child } = forest();
    const error = refused(world, InvalidValueError, () => world.set(child, Health, { hp: 300 }));
    expect(error.message).toBe(
      "ecs/invalid-value (#2, component: Health, field: hp, value: 300): see node_modules/espalier/docs/errors/ecs.md",
    );
    expect(error.stack).not.toContain("\n    see ");
  });

  it("refuses options of entityRef(), because the policy in them would be lost", () => {
    const make = entityRef as (options?: object) => unknown;
    expect(() => make({ onTargetDestroyed: "refuse" })).toThrow(InvalidSchemaError);
  });

  it("keeps the message of an error that a program makes itself", () => {
    expect(new EspalierError("mine/broken", "It broke.").message).toBe("It broke. [mine/broken]");
  });

  it.each([
    ["hp", 300],
    ["hp", 1.5],
    ["hp", "full"],
    ["name", 5],
    ["mood", "sad"],
  ])("refuses a value that does not fit, by every way to write: %s = %s", (field, value) => {
    const { world, child, tree } = forest();
    const values = { [field]: value } as never;
    const facts = { code: "ecs/invalid-value", component: "Health", field, value };
    const write = (health: object) => Object.assign(health, { [field]: value });
    const ways: (() => unknown)[] = [
      () => world.set(child, Health, values),
      () => world.add(child, Health(values)),
      () => world.spawn(Health(values)),
      () => world.spawnMany(2, Health(values)),
      () => addAll(world.query(Health), Health(values)),
      () => createCommands(world).set(child, Health, values),
      () => world.query(Health).each((_, health) => write(health)),
      () => world.query(Health).update((health) => void write(health)),
      () => tree.attachNew(child, Health(values)),
    ];
    for (const way of ways) expect(refused(world, InvalidValueError, way)).toMatchObject(facts);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e39])("refuses %s where a field must be finite", (x) => {
    const world = createWorld();
    const e = world.spawn(Point);
    const error = refused(world, InvalidValueError, () => world.set(e, Point, { x }));
    expect(error).toMatchObject({ component: "Point", field: "x", value: x, entities: [e] });
  });

  it("refuses dead and foreign handles, with the entity", () => {
    const { world, tree, space, root } = forest();
    const dead = world.spawn();
    world.destroy(dead);
    const calls: (() => unknown)[] = [
      () => world.add(dead, Health),
      () => world.set(dead, Health, { hp: 1 }),
      () => tree.attach(dead, root),
      () => tree.attach(root, dead),
      () => tree.parentOf(dead),
      () => space.worldPosition(dead),
    ];
    for (const call of calls)
      expect(refused(world, DeadEntityError, call)).toMatchObject({
        code: "ecs/dead-entity",
        entities: [dead],
      });
    expect(refused(world, InvalidEntityError, () => world.get(1.5 as Entity, Health))).toMatchObject({
      code: "ecs/invalid-entity",
      value: 1.5,
    });
  });

  it("refuses reserved and unknown components, and structure that is locked", () => {
    const { world, root, child } = forest();
    claimComponent(world, Owned);
    expect(refused(world, ReservedComponentError, () => world.add(root, Owned))).toMatchObject({
      code: "ecs/reserved-component",
      component: "Owned",
      entities: [root],
    });
    expect(
      refused(world, UnknownComponentError, () => world.add(root, {} as unknown as AnyComponent)),
    ).toMatchObject({ code: "ecs/unknown-component" });
    expect(refused(world, MissingComponentError, () => world.set(root, Health, { hp: 1 }))).toMatchObject({
      component: "Health",
      entities: [root],
    });
    refused(world, StructureLockedError, () => world.query(Health).update(() => void world.destroy(child)));
    refused(world, QueryError, () => world.query(Owned).single());
  });

  it("refuses what a tree must not become", () => {
    const { world, tree, root, child, grandchild } = forest();
    expect(refused(world, CircularHierarchyError, () => tree.attach(root, grandchild))).toMatchObject({
      code: "hierarchy/cycle",
      entity: root,
      chain: [root, child, grandchild],
      entities: [root, child, grandchild],
    });
    const sibling = tree.attachNew(root);
    expect(refused(world, DuplicateNameError, () => tree.setName(sibling, "gun"))).toMatchObject({
      code: "hierarchy/duplicate-name",
      value: "gun",
    });
    tree.attachNew(root);
    expect(refused(world, TooManyChildrenError, () => tree.attachNew(root))).toMatchObject({
      code: "hierarchy/too-many-children",
      limit: 3,
      entities: [root],
    });
    const low = tree.attachNew(tree.attachNew(grandchild));
    expect(refused(world, HierarchyTooDeepError, () => tree.attachNew(low))).toMatchObject({
      code: "hierarchy/too-deep",
      limit: 4,
      depth: 5,
    });
    refused(world, NotAChildError, () => tree.attach(low, child, { before: root }));
    refused(world, InvalidEditError, () => attachMany(tree, [low, low], root));
    expect(refused(world, InvalidPathError, () => tree.find("gun//x"))).toMatchObject({ path: "gun//x" });
    constrain(tree, { name: "stay", attach: () => "nothing moves" });
    expect(refused(world, ConstraintError, () => tree.attach(low, child))).toMatchObject({
      code: "hierarchy/constraint",
      constraint: "stay",
      reason: "nothing moves",
    });
  });

  it("refuses transforms without an inverse, and numbers that no transform can hold", () => {
    const { world, space, tree, root, child } = forest();
    expect(
      refused(world, InvalidTransformError, () => space.setPosition(child, Number.NaN, 0)),
    ).toMatchObject({
      code: "transform/invalid-number",
      entities: [child],
    });
    space.setScale(root, 0, 0);
    const other = world.spawn(space.at(5, 5));
    const error = refused(world, SingularTransformError, () => tree.attach(other, root, { keep: "world" }));
    expect(error).toMatchObject({ code: "transform/singular", entities: [other, root] });
  });

  it("refuses files, snapshots and patches that are damaged", () => {
    const { world, tree } = forest();
    const format = createSceneFormat({ components: [Health] });
    const scene = refused(world, SceneError, () =>
      format.load(tree, `{ "entities": [{ "id": "a", "components": { "Helth": {} } }] }`),
    ) as SceneError;
    expect(scene.code).toBe("scene/unknown-component");
    expect(scene.problems[0]).toMatchObject({ line: 1, path: "entities[0].components.Helth", entity: "a" });
    expect(scene.problems[0]!.message).toContain('Did you mean "Health"?');
    const bytes = takeSnapshot(world, { trees: [tree] });
    new Uint8Array(bytes)[bytes.byteLength - 5]! ^= 255;
    const error = refused(world, EspalierError as never, () =>
      restoreSnapshot(world, bytes, { trees: [tree] }),
    );
    expect(error.code).toBe("history/damaged-snapshot");
    refused(world, InvalidPatchError, () => applyPatch(world, "nothing" as never, { trees: [tree] }));
  });

  it("reports what commands were refused, with their cause", () => {
    const errors: EspalierError[] = [];
    const world = createWorld({ onError: (error) => errors.push(error as EspalierError) });
    const e = world.spawn();
    const commands = createCommands(world, { name: "late" });
    commands.set(e, Health, { hp: 1 });
    flush(world);
    expect(errors[0]).toBeInstanceOf(CommandError);
    expect(errors[0]).toMatchObject({ code: "ecs/command", entities: [e], subject: "late" });
    expect(errors[0]!.cause).toBeInstanceOf(MissingComponentError);
  });

  it("stops at its limits", () => {
    const world = createWorld({ capacity: 2, fixed: true });
    world.spawnMany(2);
    expect(refused(world, EntityLimitError, () => world.spawn())).toMatchObject({ limit: 2 });
  });

  it("leaves out what only helps developers: options and fields that do not exist, warnings", () => {
    const { world, tree, root } = forest();
    const e = world.spawn(Health({ mana: 5 } as never));
    tree.attach(e, root, { befor: root } as never);
    expect(tree.parentOf(e)).toBe(root);
    createSchedule(world, { phasess: [] } as never);
    // What is not an object at all is refused here too.
    refused(world, InvalidOptionError, () => tree.attach(e, null, null as never));
  });

  it("undoes as in development", () => {
    const { world, tree, root, child } = forest();
    const history = createHistory(world);
    const before = tree.childrenOf(root);
    history.step("cut", () => tree.destroy(child));
    history.undo();
    expect(tree.childrenOf(root)).toEqual(before);
  });
});
