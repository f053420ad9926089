/**
 * Resolves a reference to an entity: an id, or a path of names.
 */
import { describeValue, type Entity } from "../ecs/index.ts";
import { findAll, HierarchyError } from "../hierarchy/index.ts";
import { parsePath, quoteSegment } from "../hierarchy/internal.ts";
import type { Scene } from "../scene/index.ts";
import { nearest, suggest } from "../scene/internal.ts";
import { VerbError } from "./errors.ts";

/**
 * The entity of a scene that a reference means: `"tank"` and `"tank/turret"` are ids, `"/level/tank"` is a path of names.
 * @throws VerbError `verbs/unknown-entity`, with similar names, `verbs/ambiguous-path` for wildcards that match several.
 */
export function requireTarget(scene: Scene, reference: string): Entity {
  const isPath = reference.startsWith("/");
  const found = isPath ? byPath(scene, reference) : scene.find(reference);
  if (found !== undefined) return found;
  const names = isPath ? pathsOf(scene, reference) : idsOf(scene);
  const near = nearest(reference, names);
  throw new VerbError(
    `Cannot find ${describeValue(reference)} in the scene. ${suggest(reference, names, isPath ? "paths" : "ids")} A reference is an id, or a path of names that begins with "/".`,
    "verbs/unknown-entity",
    { value: reference, ...(near === undefined ? {} : { nearest: [near] }) },
  );
}

type Steps = ReturnType<typeof parsePath>["steps"];

/** The steps of a path; `undefined` for an invalid path. */
export function stepsOf(path: string): Steps | undefined {
  try {
    return parsePath(path).steps;
  } catch (error) {
    if (error instanceof HierarchyError) return undefined;
    throw error;
  }
}

function byPath(scene: Scene, path: string): Entity | undefined {
  const steps = stepsOf(path);
  if (steps === undefined) return undefined;
  // An entity has a different number each time the file is read.
  if (steps.some(({ kind }) => kind === "id")) return undefined;
  const found = findAll(scene.tree, path).filter((entity) => isInScene(scene, entity));
  if (found.length > 1 && steps.some(({ kind }) => kind === "any" || kind === "glob")) {
    const ids = found.map((entity) => scene.idOf(entity) ?? "");
    throw new VerbError(
      `Cannot tell which entity ${describeValue(path)} means: ${found.length} fit. Name one by its id: ${ids.slice(0, 8).join(", ")}${ids.length > 8 ? ", …" : ""}.`,
      "verbs/ambiguous-path",
      { value: path, ids },
    );
  }
  // The paths of changes begin at the roots of the scene, wherever it is in a tree.
  return found[0] ?? byNamesAndIds(scene, steps, null) ?? byNamesAndIds(scene, steps, scene.parent);
}

/** Resolves displayed paths, which have ids instead of names for entities without a name and for parts of an instance. */
function byNamesAndIds(scene: Scene, steps: Steps, from: Entity | null): Entity | undefined {
  const { tree } = scene;
  const segments = steps.map((step) => (step.kind === "name" ? step.name : undefined));
  let at = from;
  for (const [k, segment] of segments.entries()) {
    if (segment === undefined) return undefined;
    const instance = at === null ? undefined : scene.idOf(at);
    const inside =
      instance === undefined ? undefined : scene.find(`${instance}/${segments.slice(k).join("/")}`);
    if (inside !== undefined) return inside;
    const next: Entity | null =
      tree.find(quoteSegment(segment), at) ??
      [...(at === null ? tree.roots() : tree.childrenOf(at))].find(
        (child) => idStep(scene, child) === segment,
      ) ??
      null;
    if (next === null) return undefined;
    at = next;
  }
  return at === null || !isInScene(scene, at) || scene.idOf(at) === undefined ? undefined : at;
}

/** The step of an entity without a name in a path: its id, without the prefix of its instance. */
function idStep(scene: Scene, entity: Entity): string | undefined {
  const id = scene.idOf(entity);
  return id?.slice(id.lastIndexOf("/") + 1);
}

function isInScene({ tree, parent }: Scene, entity: Entity): boolean {
  return parent === null || tree.isAncestor(parent, entity);
}

function idsOf(scene: Scene): string[] {
  return Array.from(membersOf(scene), (entity) => scene.idOf(entity) ?? "");
}

/** Paths of the same depth as the requested one: a typo is usually in one name. */
function pathsOf(scene: Scene, path: string): string[] {
  const depth = path.split("/").length - 2;
  const { tree } = scene;
  const found: string[] = [];
  for (const entity of membersOf(scene))
    if (tree.depthOf(entity) === depth) found.push(shownPath(scene, entity));
  return found;
}

/** All entities of a scene in tree order. */
export function* membersOf(scene: Scene): IterableIterator<Entity> {
  for (const root of scene.roots()) yield* scene.tree.descendants(root, { includeSelf: true });
}

/** How deep an entity may be for its whole path to be shown. */
const deepest = 64;

/**
 * The path of an entity for people and programs: names, and ids where a name is missing or is that of a sibling before it. For very
 * deep entities only the end, because ids identify them too.
 */
export function shownPath(scene: Scene, entity: Entity): string {
  const { tree } = scene;
  const chain: Entity[] = [];
  for (const above of tree.ancestors(entity, { includeSelf: true })) {
    chain.push(above);
    if (chain.length > deepest)
      return `…/${chain
        .slice(0, 8)
        .reverse()
        .map((step) => stepOf(scene, step))
        .join("/")}`;
  }
  return `/${chain
    .reverse()
    .map((step) => stepOf(scene, step))
    .join("/")}`;
}

function stepOf(scene: Scene, entity: Entity): string {
  const { tree } = scene;
  const parent = tree.parentOf(entity);
  const name = tree.nameOf(entity);
  if (name !== undefined) {
    const quoted = quoteSegment(name);
    if (tree.find(quoted, parent) === entity) return quoted;
  }
  const id = idStep(scene, entity);
  return id === undefined ? (name ?? "*") : quoteSegment(id);
}
