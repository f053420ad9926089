/** A world with every room of the core at work. */
import {
  changesOf,
  component,
  createChannel,
  createCommands,
  createPackedChannel,
  createSchedule,
  createWorld,
  type Entity,
  entityRef,
  f32,
  object,
  plugin,
  resource,
  string,
  tag,
} from "espalier";
import {
  createEntityEvents,
  createHierarchy,
  entityEvent,
  hierarchyCommands,
  throughTree,
  upLinks,
} from "espalier/hierarchy";
import {
  createChangeFormat,
  createFollower,
  createHistory,
  createIdMap,
  createVersions,
  followChanges,
  takeSnapshot,
} from "espalier/history";
import { activity, createInherited, Visibility, visibility, zIndex } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import {
  createRectTransforms,
  createTransforms2D,
  createTransforms3D,
  createWorldFill,
  space3D,
  transformBatch,
} from "espalier/transform";
import type { Stage } from "./runner.ts";

const Health = component("Health", {
  hp: f32(100),
  target: entityRef(),
  name: string(),
  bag: object((): unknown => null),
});
const Frozen = tag("Frozen");
const Gravity = resource("Gravity", () => -9.81);
const Hit = entityEvent<number>("hit");
const sceneText = `{ "entities": [{ "id": "a", "children": [{ "id": "b", "components": { "Health": {} } }] }] }`;
const format = createSceneFormat({ components: [Health, Frozen] });
const prefab = format.prefab(sceneText, { file: "p" });

export function coreStage(): Stage {
  const reported: unknown[] = [];
  const world = createWorld({ capacity: 60, onError: (error) => void reported.push(error) });
  const tree = createHierarchy(world, { onWarn: () => {} });
  const up = createHierarchy(world, { links: upLinks(), name: "up" });
  const space = createTransforms2D(tree);
  const space3 = createTransforms3D(tree, { name: "world3" });
  const rects = createRectTransforms(tree, { width: 100, height: 100 }, { name: "rects" });
  const visible = createInherited(tree, visibility);
  createInherited(tree, zIndex);
  createInherited(tree, activity);
  const commands = createCommands(world);
  const later = hierarchyCommands(tree, commands);
  const channel = createChannel<number>(world, "numbers");
  const packed = createPackedChannel(world, "packed", { width: 1, decode: (numbers, at) => numbers[at] });
  const events = createEntityEvents(tree);
  const schedule = createSchedule(world);
  const history = createHistory(world);
  const versions = createVersions(tree);
  const parent = tree.attachNew(null, Health, space.at(1, 2));
  const child = tree.attachNew(parent, Health, space.at(3, 4), Visibility);
  const entity = tree.attachNew(child, Health, Frozen, space.at(5, 6));
  const other = tree.attachNew(parent, Health);
  up.attach(entity, other);
  tree.setName(child, "child");
  const query = world.query(Health);
  const scene = format.load(tree, sceneText);
  const instance = prefab.instantiate(tree);
  const fill = createWorldFill(space, query);
  const batch = transformBatch(space, [parent, child]);
  const stream = followChanges(world, { trees: [tree] });
  const ids = createIdMap();
  ids.set("entity", entity);
  const changeFormat = createChangeFormat({ components: [Health, Frozen] });
  const follower = createFollower(world, { trees: [tree], ids });
  const dead = world.spawn();
  world.destroy(dead);
  const elsewhere = createWorld();
  elsewhere.spawnMany(50);
  const foreign = elsewhere.spawn();
  return {
    world,
    dead,
    foreign,
    reported,
    objects: [
      ["world", "World", world],
      ["query", "Query", query],
      ["changes", "ChangeReader", changesOf(world, Health)],
      ["commands", "Commands", commands],
      ["channel", "EventChannel", channel],
      ["reader", "EventReader", channel.reader()],
      ["packed", "PackedChannel", packed],
      ["schedule", "Schedule", schedule],
      ["tree", "Hierarchy", tree],
      ["up", "UpHierarchy", up],
      ["later", "HierarchyCommands", later],
      ["through", "HierarchyQuery", throughTree(tree, query)],
      ["events", "EntityEvents", events],
      ["history", "UndoHistory", history],
      ["versions", "Versions", versions],
      ["stream", "ChangeStream", stream],
      ["ids", "IdMap", ids],
      ["changeFormat", "ChangeFormat", changeFormat],
      ["follower", "Follower", follower],
      ["space", "Transforms2D", space],
      ["space3", "Transforms3D", space3],
      ["rects", "Space", rects],
      ["batch", "TransformBatch", batch],
      ["fill", "WorldFill", fill],
      ["visible", "Inherited", visible],
      ["format", "SceneFormat", format],
      ["scene", "Scene", scene],
      ["prefab", "Prefab", prefab],
      ["instance", "Instance", instance],
    ],
    right: {
      World: world,
      world,
      Hierarchy: tree,
      AnyHierarchy: tree,
      tree,
      hierarchy: tree,
      Commands: commands,
      Entity: entity,
      "Entity | null": null,
      "Entity[]": [entity],
      entities: [entity],
      children: [other],
      child: other,
      parent: child,
      ancestor: parent,
      AnyComponent: Health,
      Component: Health,
      C: Health,
      component: Health,
      components: Health,
      ComponentInit: Health,
      "ComponentInit[]": Health,
      inits: Health,
      Query: query,
      query,
      Resource: Gravity,
      resource: Gravity,
      string: "text",
      name: "name",
      label: "label",
      path: "child",
      number: 1,
      count: 1,
      index: 0,
      text: sceneText,
      input: sceneText,
      SceneInput: sceneText,
      Scene: scene,
      Prefab: prefab,
      "Prefab[]": [prefab],
      Instance: instance,
      SceneFormat: format,
      format,
      EntityEvent: Hit,
      event: Hit,
      Transforms2D: space,
      MatrixSpace: space,
      space,
      SpaceDefinition: space3D,
      InheritedDefinition: visibility,
      schema: { hp: f32() },
      pairs: [[other, child]],
      kind: Hit,
      handler: () => undefined,
      ReconcileOptions: { key: String, create: () => entity },
      wanted: [],
      SystemOptions: { name: "look", run: () => undefined },
      buffer: commands,
      FillBuffer: new Float32Array(64),
      "Float32Array | Float64Array": new Float32Array(4),
      FillMembers: query,
      sequence: stream.sequence,
      Affine2D: { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 },
      Local2D: { x: 0, y: 0, rotation: 0, scaleX: 1, scaleY: 1, skew: 0 },
      Quaternion: { qx: 0, qy: 0, qz: 0, qw: 1 },
      screen: { width: 100, height: 100 },
      a: entity,
      b: other,
      literal: { name: "tank", children: [{ name: "turret" }] },
      patch: [],
      snapshot: takeSnapshot(world, { trees: [tree] }),
      terms: Health,
      channel,
      schedule,
      given: plugin("given", { systems: [{ name: "of plugin", run: () => undefined }] }),
      make: () => 1,
      ids,
      batch: { epoch: "run", from: 0, to: 1, patch: [] },
      bytes: changeFormat.encode({ epoch: "run", from: 0, to: 1, patch: [] }),
      ChangeFormatOptions: { components: [Health] },
      command: { label: "look at", entities: [entity], apply: () => undefined },
    },
    poke() {
      if (world.isDisposed) return;
      const made = world.spawn(Health({ hp: 1 }), Frozen);
      tree.attach(made, null);
      world.set(made, Health, { hp: 2 });
      world.remove(made, Frozen);
      commands.flush();
      schedule.run(1 / 60);
      channel.emit(1);
      for (const _ of query);
      space.worldOf(made as Entity);
      world.destroy(made);
    },
  };
}

export { sceneText };
