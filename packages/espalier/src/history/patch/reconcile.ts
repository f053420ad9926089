/**
 * Turns the children of an entity into a wanted list, with as few operations as possible.
 */
import { describeValue, type Entity, type EntityLike, handleOf } from "../../ecs/index.ts";
import { checkOptions, requireList, requireObject, stateOf } from "../../ecs/internal.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { requireTree } from "../../hierarchy/internal.ts";
import { DuplicateKeyError } from "../errors.ts";
import { arrange, attachBehind } from "../snapshot/minimal-moves.ts";
import { transaction } from "../undo/transaction.ts";
import { setDistinct } from "./keyed-state.ts";
import type { Key } from "./patch.ts";

/** How `reconcile` matches items with entities. */
export interface ReconcileOptions<Item> {
  /** The key that identifies an item across calls. */
  readonly key: (item: Item, index: number) => Key;
  /**
   * The key of an existing child. `undefined` for a child that is not managed here and is left alone. If left out, the names of children
   * are their keys, and created ones get these names.
   */
  readonly keyOf?: (child: Entity) => Key | undefined;
  /** Creates the entity of a new item; its parent does not matter. */
  readonly create: (item: Item, index: number) => Entity;
  /** Called for each existing child that stays. */
  readonly update?: (child: Entity, item: Item, index: number) => void;
  /** Called for each child that is no longer wanted; it is destroyed if left out. */
  readonly remove?: (child: Entity) => void;
}

const reconcileOptions = {
  key: "function",
  keyOf: "function",
  create: "function",
  update: "function",
  remove: "function",
} as const;

/** What `reconcile` did. */
export interface Reconciled {
  /** The wanted children, in order. */
  readonly children: readonly Entity[];
  /** Children that were created. */
  readonly created: readonly Entity[];
  /** Children that were removed. */
  readonly removed: readonly Entity[];
  /** Existing children that moved, from another parent or position; as few as possible. */
  readonly moved: readonly Entity[];
}

/**
 * Makes the children of `parent` (`null`: the roots) match `wanted`, each item by its key: new ones are created, missing
 * ones are removed, the others keep their identity and move only where the order requires it. Children without a key
 * stay. All or nothing: when a callback throws, everything is rolled back.
 *
 * @throws DuplicateKeyError when two items, or two children, have the same key.
 *
 * @example
 * ```ts
 * const list = world.spawn();
 * const show = (players: string[]) =>
 *   reconcile(tree, list, players, { key: (player) => player, create: () => world.spawn() });
 * const [ada, bob] = show(["ada", "bob"]).children;
 * const { created, moved, removed } = show(["bob", "eve"]);
 * [created.length, moved, removed]; // → [1, [], [ada]]
 * tree.childrenOf(list)[0] === bob; // → true
 * ```
 */
export function reconcile<Item>(
  tree: Hierarchy,
  parent: EntityLike | null,
  wanted: readonly Item[],
  options: ReconcileOptions<Item>,
): Reconciled {
  requireTree(tree, "reconcile children");
  requireList(wanted, "reconcile children", "the list of what is wanted");
  requireObject(options, "reconcile children", "how to do it");
  checkOptions(tree.world.checks, "reconcile children", options, reconcileOptions);
  const { world } = tree;
  const family = handleOf(world, parent);
  if (parent !== null) stateOf(world).require(parent, "reconcile children");
  else stateOf(world).requireUsable("reconcile children");
  const { keyOf } = options;
  const keys = keysOf(wanted, options, keyOf === undefined);
  const present = childrenByKey(tree, family, keyOf ?? ((child) => tree.nameOf(child)));
  return transaction(world, () => {
    const isWanted = new Set(keys);
    const removed = [...present].filter(([key]) => !isWanted.has(key)).map(([, child]) => child);
    for (const child of removed) {
      if (options.remove !== undefined) options.remove(child);
      else world.destroy(child);
    }
    const created: Entity[] = [];
    const children = wanted.map((item, index) => {
      const key = keys[index] as Key;
      const child = present.get(key);
      if (child !== undefined) return child;
      const made = options.create(item, index);
      if (keyOf === undefined) tree.setName(made, String(key));
      created.push(made);
      return made;
    });
    const isNew = new Set(created);
    const moved: Entity[] = [];
    arrange(tree, family, children, (child, after) => {
      attachBehind(tree, child, family, after);
      if (!isNew.has(child)) moved.push(child);
    });
    wanted.forEach((item, index) => {
      const child = children[index] as Entity;
      if (!isNew.has(child)) options.update?.(child, item, index);
    });
    return { children, created, removed, moved };
  });
}

function keysOf<Item>(wanted: readonly Item[], { key }: ReconcileOptions<Item>, asNames: boolean): Key[] {
  const seen = new Map<Key, number>();
  return wanted.map((item, index) => {
    const given = key(item, index);
    const own = asNames ? String(given) : given;
    const other = seen.get(own);
    if (other !== undefined) {
      throw new DuplicateKeyError(
        `Cannot reconcile: items ${other} and ${index} both have the key ${describeValue(own)}. Give each a key of its own.`,
        { key: own },
      );
    }
    seen.set(own, index);
    return own;
  });
}

function childrenByKey(
  tree: Hierarchy,
  parent: Entity | null,
  keyOf: (child: Entity) => Key | undefined,
): Map<Key, Entity> {
  const present = new Map<Key, Entity>();
  for (const child of tree.childrenOf(parent)) {
    const key = keyOf(child);
    if (key !== undefined) setDistinct(present, key, child);
  }
  return present;
}
