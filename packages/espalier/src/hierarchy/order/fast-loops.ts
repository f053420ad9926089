/**
 * A hierarchy as numbers, for loops that read nothing else. Nothing is checked inside such a loop.
 */
import type { EntityLike } from "../../ecs/index.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { treeOf } from "../hierarchy-reader.ts";
import type { RawLinks } from "../links/links.ts";
import { LinksView } from "../links/links-view.ts";
import { nodeOf } from "../nodes.ts";
import { orderOf, type TreeState } from "../state.ts";
import { FlatOrderView } from "./flat-order-view.ts";

const links = /* @__PURE__ */ new WeakMap<TreeState, RawLinks>();
const orders = /* @__PURE__ */ new WeakMap<TreeState, FlatOrderView>();

/**
 * Advanced: the links by index (`indexOf(entity)` of `espalier`), for loops that read nothing else. 0 stands for
 * none, and as a parent for the list of roots. Nothing is checked: the answers for an index that no living entity has mean
 * nothing. Ask once, before the loop.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * rawLinks(tree).parent(indexOf(turret)) === indexOf(tank); // → true
 * ```
 */
export function rawLinks(tree: Hierarchy): RawLinks {
  const t = treeOf(tree);
  return links.get(t) ?? kept(links, t, new LinksView(t.links));
}

/**
 * The parents-first order. Kept up to date from the first time it is asked for. Ask once, before the loop.
 *
 * @example
 * ```ts
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * const { slotOf } = flatOrder(tree);
 * slotOf[indexOf(tank)]! < slotOf[indexOf(turret)]!; // → true
 * ```
 */
export function flatOrder(tree: Hierarchy): FlatOrderView {
  const t = treeOf(tree);
  return orders.get(t) ?? kept(orders, t, new FlatOrderView(orderOf(t)));
}

/** Whether the flat order has been used yet, by `flatOrder` or by values that flow down. */
export function hasFlatOrder(tree: Hierarchy): boolean {
  return treeOf(tree).order !== undefined;
}

/**
 * The slots of the flat order that hold the entity and everything below it, in pre-order: `from` (its own) up to
 * `to`, which is not included. `flatOrder(tree).entityAt` has the entity of a slot. Brings the order to exact pre-order
 * first if it is not; valid until the tree changes.
 */
export function subtreeRange(tree: Hierarchy, entity: EntityLike): readonly [from: number, to: number] {
  const t = treeOf(tree);
  const node = nodeOf(t, entity, "read the range of a subtree");
  return orderOf(t).range(node);
}

/** Brings the flat order to exact pre-order. Worth it after loading; it happens by itself when much has moved. */
export function compactOrder(tree: Hierarchy): void {
  const t = treeOf(tree);
  t.ecs.requireUsable("compact the order");
  orderOf(t).compact();
}

/** What one entity costs in the links, in bytes; 20 more in the flat order once it has been used. */
export function bytesPerNode(tree: Hierarchy): number {
  return treeOf(tree).links.bytesPerNode;
}

/** The limits with which a hierarchy was created. */
export function limitsOf(tree: Hierarchy): {
  readonly maxChildren: number | undefined;
  readonly maxDepth: number | undefined;
} {
  const { maxChildren, limits } = treeOf(tree).options;
  return { maxChildren, maxDepth: limits?.max };
}

function kept<Value>(values: WeakMap<TreeState, Value>, t: TreeState, value: Value): Value {
  values.set(t, value);
  return value;
}
