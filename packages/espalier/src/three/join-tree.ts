/**
 * Joins a model loaded by three.js with the same tree of entities, node by node.
 */
import type { Object3D } from "three";
import { checkOptions, type Entity, type EntityLike, expectArguments, handleOf } from "../ecs/index.ts";
import { aGltf, anObject, aView } from "./arguments.ts";
import { TreeMismatchError } from "./errors.ts";
import type { ThreeSync } from "./three-sync.ts";

/** Options of joining a model. */
export interface JoinOptions {
  /** Which objects are nodes with an entity of their own; all if left out. The others stay parts of their parent. */
  readonly isNode?: (object: Object3D) => boolean;
}

/** The part of a result of three.js's glTF loader that is used here. */
export interface LoadedGltf {
  /** The loaded objects. */
  readonly scene: Object3D;
  /** The loader's data about them: the node of the file that each came from. */
  readonly parser: { readonly associations: ReadonlyMap<unknown, { readonly nodes?: number }> };
}

/**
 * Lets `entity` and everything below it drive `object` and everything below it: the first child the first, the second the
 * second. The objects keep their parents, so that skins and animations find them.
 *
 * @throws TreeMismatchError when an entity has more or fewer children than its object has nodes. Nothing is attached.
 */
export function joinTree(
  view: ThreeSync,
  object: Object3D,
  entity: EntityLike,
  options: JoinOptions = {},
): void {
  const doing = "join a model with entities";
  expectArguments(doing, ["the view", view, aView], ["the model", object, anObject]);
  checkOptions(view.space.tree.world.checks, doing, options, { isNode: "anything" });
  if (options.isNode !== undefined) expectArguments(doing, ["isNode", options.isNode, "function"]);
  attachPairs(
    view,
    pairsBelow(view, [[object, handleOf(view.space.tree.world, entity)]], options.isNode ?? (() => true)),
  );
}

/**
 * Joins a model of the glTF loader with the scene that `espalier import` created from the same file: the nodes below
 * `gltf.scene` with the given roots, by their index.
 *
 * @throws TreeMismatchError when the trees differ. Nothing is attached.
 */
export function joinGltf(view: ThreeSync, gltf: LoadedGltf, roots: readonly EntityLike[]): void {
  const doing = "join a model with entities";
  expectArguments(
    doing,
    ["the view", view, aView],
    ["the model", gltf, aGltf],
    ["the list of roots", roots, "list"],
  );
  const { associations } = gltf.parser;
  // A mesh of several parts is one node, and an object for each part below it.
  const isNode = (object: Object3D) => associations.get(object)?.nodes !== undefined;
  const tops = gltf.scene.children.filter(isNode);
  const entities = roots.map((root) => handleOf(view.space.tree.world, root));
  requireSame(view, "The scene", tops, entities, null);
  const pairs = tops.map((object, k): Pair => [object, entities[k]]);
  attachPairs(view, pairsBelow(view, pairs, isNode));
}

type Pair = readonly [Object3D, Entity];

function attachPairs(view: ThreeSync, pairs: readonly Pair[]): void {
  const done: Entity[] = [];
  try {
    for (const [object, entity] of pairs) {
      view.attach(entity, object);
      done.push(entity);
    }
  } catch (error) {
    for (const entity of done) view.detach(entity);
    throw error;
  }
}

/** All pairs, parents first. A list that grows while it is read, because models may be deep. */
function pairsBelow(view: ThreeSync, tops: readonly Pair[], isNode: (object: Object3D) => boolean): Pair[] {
  const { tree } = view.space;
  const pairs = [...tops];
  for (let k = 0; k < pairs.length; k++) {
    const [object, entity] = pairs[k];
    const nodes = object.children.filter(isNode);
    const children = tree.childrenOf(entity);
    requireSame(view, tree.label(entity), nodes, children, entity);
    nodes.forEach((node, at) => {
      pairs.push([node, children[at]]);
    });
  }
  return pairs;
}

function requireSame(
  view: ThreeSync,
  label: string,
  nodes: readonly Object3D[],
  children: readonly Entity[],
  entity: Entity | null,
): void {
  if (nodes.length === children.length) return;
  const names = nodes.map((node) => node.name || node.type).join(", ");
  const labels = children.map((child) => view.space.tree.label(child)).join(", ");
  throw new TreeMismatchError(
    `Cannot join a model with entities: ${label} has ${children.length} children (${labels}), and its object ${nodes.length} nodes (${names}). Import the file again, or choose the nodes with isNode.`,
    { entities: entity === null ? children : [entity] },
  );
}
