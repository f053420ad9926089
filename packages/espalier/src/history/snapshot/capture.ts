/**
 * Reading the state of a world, or of one subtree.
 */
import type { Column, Entity, World } from "../../ecs/index.ts";
import { notifyCapture, readIndexState, type Store, stateOf } from "../../ecs/internal.ts";
import { requireOwnTrees } from "../arguments.ts";
import { SnapshotMismatchError } from "../errors.ts";
import type { AnyTree, ComponentState, StateOptions, TreeState, WorldState } from "../state.ts";
import { fieldState, hasChildren, parentsFirst } from "../state.ts";
import { notifyCaptured } from "../undo/unrecorded.ts";

/** The state of a whole world, or of `root` and its descendants in the first of the trees. */
export function capture(world: World, options: StateOptions, root: Entity | undefined): WorldState {
  const { trees = [], resources = [] } = options;
  requireOwnTrees(world, trees);
  requireDistinct(trees);
  const ecs = stateOf(world);
  notifyCapture(ecs);
  const members = root === undefined ? undefined : membersOf(root, trees);
  const lists = ecs.graph.ordered
    .map((archetype) => {
      const ids = archetype.ids.slice(0, archetype.count);
      const isMember = (index: number) => members?.has(ecs.handleAt(index));
      return { archetype, ids: members === undefined ? ids : ids.filter(isMember) };
    })
    // Of a whole world empty ones too: entities that come there later come before those of the archetypes behind.
    .filter(({ ids }) => members === undefined || ids.length > 0);
  const having = (store: Store) => lists.filter(({ archetype }) => archetype.has[store.id] === 1);
  const stores = ecs.stores.filter((store) => having(store).length > 0);
  const entities: number[] = [];
  const groups = lists.map(({ archetype, ids }) => {
    const from = entities.length;
    for (const index of ids) entities.push(ecs.handleAt(index));
    return { components: archetype.stores.map((store) => stores.indexOf(store)), from, to: entities.length };
  });
  notifyCaptured(world);
  return {
    root,
    entities: Float64Array.from(entities),
    groups,
    components: stores.map((store) =>
      componentState(
        store,
        having(store).map(({ ids }) => ids),
      ),
    ),
    trees: trees.map((tree) => treeState(tree, world, members)),
    resources: resources
      .filter((each) => world.hasResource(each))
      .map((each) => ({ name: each.name, value: world.resource(each) })),
    indices: root === undefined ? readIndexState(ecs.table) : undefined,
  };
}

function requireDistinct(trees: readonly AnyTree[]): void {
  const twin = trees.find(({ name }, k) => trees.findIndex((tree) => tree.name === name) < k);
  if (twin === undefined) return;
  throw new SnapshotMismatchError(
    `Cannot use two hierarchies named ${twin.name}: they are distinguished by their names. Give createHierarchy() different ones.`,
    { subject: twin.name },
  );
}

/** The subtree of `root` in the first tree, as handles. */
function membersOf(root: Entity, trees: readonly AnyTree[]): ReadonlySet<Entity> {
  const [tree] = trees;
  if (tree === undefined || !hasChildren(tree)) {
    throw new SnapshotMismatchError(
      "Cannot take a snapshot of a subtree without a hierarchy. Give one with children as the first of trees.",
    );
  }
  return new Set(tree.descendants(root, { includeSelf: true }));
}

function componentState(store: Store, lists: readonly Int32Array[]): ComponentState {
  const length = lists.reduce((sum, ids) => sum + ids.length, 0);
  return {
    name: store.component.name,
    isReserved: store.component.reserved !== undefined,
    fields: store.names.map((name, k) => fieldState(name, store.fields[k])),
    columns: store.names.map((name) => gather(store, store.columns[name] as Column, lists, length)),
  };
}

/** The values of the listed entities, in an array of the same kind. */
function gather(store: Store, column: Column, lists: readonly Int32Array[], length: number): Column {
  const values = Array.isArray(column)
    ? new Array<unknown>(length)
    : new (column.constructor as new (length: number) => Float64Array)(length);
  let at = 0;
  for (const ids of lists) {
    for (let k = 0; k < ids.length; k++) {
      const index = ids[k] as number;
      values[at++] = column[store.isDense ? index : store.rowOf(index)] as number;
    }
  }
  return values;
}

function treeState(tree: AnyTree, world: World, members: ReadonlySet<Entity> | undefined): TreeState {
  if (!hasChildren(tree)) return upState(tree, members ?? world.entities());
  const families = { parents: [] as number[], counts: [] as number[], children: [] as number[] };
  const list = (parent: Entity | null) => {
    const children = tree.childrenOf(parent);
    if (children.length === 0 && parent !== null) return;
    families.parents.push(parent ?? 0);
    families.counts.push(children.length);
    for (const child of children) families.children.push(child);
  };
  if (members === undefined) {
    list(null);
    // The list of children is the queue, so that parents come before their children.
    for (let k = 0; k < families.children.length; k++) list(families.children[k] as Entity);
  } else {
    // Also the families that members share with other entities, for the position of the members in them.
    const parents = new Set<Entity | null>();
    for (const member of members) parents.add(tree.parentOf(member));
    for (const parent of parentsFirst(tree, parents)) list(parent);
  }
  const names = new Map<number, string>();
  for (const entity of members ?? world.entities()) {
    const name = tree.nameOf(entity);
    if (name !== undefined) names.set(entity, name);
  }
  return { name: tree.name, isUp: false, ...families, names };
}

/** Parents only: every child is listed with its parent, in no particular order. */
function upState(tree: AnyTree, entities: Iterable<Entity>): TreeState {
  const parents: number[] = [];
  const children: number[] = [];
  for (const entity of entities) {
    const parent = tree.parentOf(entity);
    if (parent === null) continue;
    parents.push(parent);
    children.push(entity);
  }
  return { name: tree.name, isUp: true, parents, counts: parents.map(() => 1), children, names: new Map() };
}
