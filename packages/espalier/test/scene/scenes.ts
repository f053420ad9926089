/** What the tests of scenes share: some components, and trees as text. */
import {
  bool,
  checkWorld,
  component,
  type Entity,
  entityRef,
  f32,
  i8,
  object,
  Props,
  string,
  tag,
  u16,
  type World,
} from "espalier";
import { checkTree, createHierarchy, type Hierarchy } from "espalier/hierarchy";
import { createSceneFormat, type Scene, SceneError, type SceneFormat } from "espalier/scene";
import { expect } from "vitest";
import { valuesOf as allValuesOf, strictWorld } from "../testing.ts";

export const Position = component("Position", { x: f32(), y: f32() });
export const Health = component("Health", { hp: f32(100), armored: bool(), lives: u16(3), mood: i8() });
export const Label = component("Label", { text: string("none") });
export const Aim = component("Aim", { at: entityRef(), from: entityRef() });
export const Bag = component("Bag", {
  items: object((): unknown[] => []),
  owner: object(() => ({}) as object),
});
export const Frozen = tag("Frozen");

export { Props };

export const components = [Position, Health, Label, Aim, Bag, Frozen, Props];

export function createFormat(): SceneFormat {
  return createSceneFormat({ components });
}

export function emptyTree(): Hierarchy {
  return createHierarchy(strictWorld());
}

/** A tree as `level(tank(turret) rock)`, by the ids of a scene. */
export function shape(scene: Scene, from: readonly Entity[] = scene.roots()): string {
  return shapeOf(scene.tree, from, (entity) => scene.idOf(entity) ?? "?");
}

export function shapeOf(tree: Hierarchy, from: readonly Entity[], name: (entity: Entity) => string): string {
  return from
    .map((entity) => {
      const below = tree.childrenOf(entity);
      return `${name(entity)}${below.length === 0 ? "" : `(${shapeOf(tree, below, name)})`}`;
    })
    .join(" ");
}

/** All components of an entity of a scene. */
export function valuesIn(scene: Scene, id: string): unknown {
  return valuesOf(scene.tree.world, scene.entity(id));
}

export function expectSound(tree: Hierarchy): void {
  expect(checkWorld(tree.world)).toEqual([]);
  expect(checkTree(tree)).toEqual([]);
}

/** What loading throws, line by line; the world must stay empty. */
export function problemsOf(load: () => unknown, tree?: Hierarchy): string[] {
  const before = tree?.world.count;
  try {
    load();
  } catch (error) {
    expect(error).toBeInstanceOf(SceneError);
    const { problems, code } = error as SceneError;
    expect(code).toBe(problems[0]?.code);
    expect(tree?.world.count).toBe(before);
    return problems.map(
      ({ file, line, column, path, message, entity, code }) =>
        `${file ?? "-"}:${line ?? "-"}:${column ?? "-"} ${path} ${entity ?? "-"} ${code} ${message}`,
    );
  }
  throw new Error("nothing was thrown");
}

/** The components of an entity by name, but for what scenes note for themselves. */
export function valuesOf(world: World, entity: Entity): { [component: string]: unknown } {
  const { SceneMember: _, ...values } = allValuesOf(world, entity);
  return values;
}
