/**
 * Which entity a reference of a caller means: an id, or a path of names.
 */
import { describeValue, type Entity } from "../ecs/index.ts";
import { findAll, type Hierarchy, HierarchyError } from "../hierarchy/index.ts";
import type { Scene } from "../scene/index.ts";
import { nearest, suggest } from "../scene/internal.ts";
import { VerbError } from "./errors.ts";

/**
 * The entity of a scene that a reference means: `"tank"` and `"tank/turret"` are ids, `"/level/tank"` is a path of names.
 * @throws VerbError `verbs/unknown-entity`, with names that are close.
 */
export function requireTarget(scene: Scene, reference: string): Entity {
  const found = reference.startsWith("/") ? byPath(scene, reference) : scene.find(reference);
  if (found !== undefined) return found;
  const names = reference.startsWith("/") ? pathsOf(scene, reference) : idsOf(scene);
  const near = nearest(reference, names);
  throw new VerbError(
    `Cannot find ${describeValue(reference)} in the scene. ${suggest(reference, names, reference.startsWith("/") ? "paths" : "ids")} A reference is an id, or a path of names that begins with "/".`,
    "verbs/unknown-entity",
    { value: reference, ...(near === undefined ? {} : { nearest: [near] }) },
  );
}

function byPath(scene: Scene, path: string): Entity | undefined {
  try {
    return findAll(scene.tree, path).find((entity) => isInScene(scene, entity));
  } catch (error) {
    if (error instanceof HierarchyError) return undefined;
    throw error;
  }
}

function isInScene({ tree, parent }: Scene, entity: Entity): boolean {
  return parent === null || tree.isAncestor(parent, entity);
}

function idsOf(scene: Scene): string[] {
  return Array.from(membersOf(scene), (entity) => scene.idOf(entity) ?? "");
}

/** Paths of the same depth as the one that was asked for: a slip is mostly in one name. */
function pathsOf(scene: Scene, path: string): string[] {
  const depth = path.split("/").length - 2;
  const { tree } = scene;
  const found: string[] = [];
  for (const entity of membersOf(scene)) if (tree.depthOf(entity) === depth) found.push(tree.pathOf(entity));
  return found;
}

/** All entities of a scene in tree order. */
export function* membersOf(scene: Scene): IterableIterator<Entity> {
  for (const root of scene.roots()) yield* scene.tree.descendants(root, { includeSelf: true });
}

/** How deep an entity may be for its whole path to be shown. */
const deepest = 64;

/** The path of an entity for people and programs; of very deep ones the end, because ids lead to them too. */
export function shownPath(tree: Hierarchy, entity: Entity): string {
  const steps: Entity[] = [];
  for (const above of tree.ancestors(entity, { includeSelf: true })) {
    steps.push(above);
    if (steps.length <= deepest) continue;
    return `…/${steps
      .slice(0, 8)
      .reverse()
      .map((step) => tree.nameOf(step) ?? "*")
      .join("/")}`;
  }
  return tree.pathOf(entity);
}
