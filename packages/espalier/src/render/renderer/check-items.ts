/**
 * The self-test of a renderer: compares its drawings with components and inherited values.
 */
import { type Entity, type Finding, indexOf } from "../../ecs/index.ts";
import { flatOrder, subtreeRange } from "../../hierarchy/index.ts";
import type { Transforms2D } from "../../transform/index.ts";
import { type Bounds, emptyBounds, holdsBounds, isEmptyBounds, overlaps } from "../bounds/bounds.ts";
import type { SubtreeBounds } from "../bounds/subtree-bounds.ts";
import type { CameraView } from "../cameras/camera-view.ts";
import type { DrawValues } from "../drawings/draw-values.ts";
import { type Drawing, drawingKinds } from "../drawings/drawing.ts";
import { compareItems, type DrawOrder } from "./draw-order.ts";
import type { Item, Items } from "./items.ts";

const code = "render/inconsistent";

/** The parts that are compared. */
export interface CheckedRenderer<Node> {
  readonly space: Transforms2D;
  readonly items: Items<Node>;
  readonly values: DrawValues;
  /** Reads the values of a drawing. */
  readonly style: (drawing: Drawing, rank: number) => void;
  readonly order: DrawOrder<Node>;
  readonly below: SubtreeBounds<Node>;
  readonly cull: boolean;
  /** The views of the cameras in the last frame. */
  readonly views: readonly CameraView[];
  /** The bounds of an item in the world: both the stored and the recomputed ones. */
  readonly boundsOf: (item: Item<Node>) => Bounds;
  readonly computeBounds: (item: Item<Node>, out: Bounds) => Bounds;
}

/** All differences. Changes must have been read before. */
export function* wrongItems<Node>(checked: CheckedRenderer<Node>): IterableIterator<Finding> {
  yield* missingItems(checked);
  const { space, items } = checked;
  const { world } = space.tree;
  const all: Item<Node>[] = [];
  items.forEach((item) => void all.push(item));
  if (all.length !== items.count)
    yield { code, message: `${all.length} drawings are kept, and ${items.count} are counted` };
  let isRight = true;
  for (const item of all) {
    const { entity, rank } = item;
    const { kind, component } = drawingKinds[rank];
    const say = (message: string) => ({
      code,
      entity,
      message: `the ${kind} of ${label(entity)} ${message}`,
    });
    if (item.gone || !world.isAlive(entity) || (component !== null && !world.has(entity, component))) {
      isRight = false;
      yield say("is drawn and should not be");
    } else for (const message of wrongIn(checked, item)) yield say(message);
  }
  if (isRight) yield* wrongOrder(checked, all.length);

  function label(entity: Entity): string {
    return world.isAlive(entity) ? space.tree.label(entity) : String(entity);
  }
}

function* missingItems<Node>({ space, items }: CheckedRenderer<Node>): IterableIterator<Finding> {
  const { tree } = space;
  for (const [rank, { kind, component }] of drawingKinds.entries()) {
    if (component === null) continue;
    for (const entity of tree.world.query(component))
      if (items.find(entity, rank) === undefined)
        yield { code, entity, message: `the ${kind} of ${tree.label(entity)} is not drawn` };
  }
}

/** What is wrong with a drawing of a living entity. */
function* wrongIn<Node>(checked: CheckedRenderer<Node>, item: Item<Node>): IterableIterator<string> {
  const { values, style, cull, views, below, boundsOf, computeBounds } = checked;
  const { entity, rank, drawing } = item;
  if (item.hidden === (values.visible.of(entity) && values.active.of(entity)))
    yield `is ${item.hidden ? "hidden" : "visible"}, and its entity is not`;
  if (differ(item.z, values.z.of(entity))) yield `has z ${item.z}, and its entity ${values.z.of(entity)}`;
  const isInView = item.inView || (!cull && item.spot === null);
  if (item.shown !== (!item.hidden && isInView))
    yield item.shown ? "is shown and should not be" : "is not shown and should be";
  const fresh = {
    kind: drawing.kind,
    entity,
    value: null,
    tint: 0,
    alpha: 1,
    pool: null,
  } as unknown as Drawing;
  style(fresh, rank);
  if (differ(fresh.tint, drawing.tint) || differ(fresh.alpha, drawing.alpha))
    yield "has a tint or alpha that was not brought up to date";
  if (JSON.stringify(fresh.value) !== JSON.stringify(drawing.value))
    yield "has values that were not brought up to date";
  const bounds = boundsOf(item);
  const right = computeBounds(item, emptyBounds());
  if ((Object.keys(right) as (keyof Bounds)[]).some((side) => differ(bounds[side], right[side])))
    yield "has bounds that were not brought up to date";
  if (item.spot !== null) return;
  if (!isEmptyBounds(bounds) && !holdsBounds(below.of(entity, emptyBounds()), bounds))
    yield "is outside the bounds of its subtree";
  if (cull && !item.inView && views.some(({ visible }) => overlaps(bounds, visible)))
    yield "is in view and left out";
}

/** Checks that the list has all items from back to front, each once, in order. */
function* wrongOrder<Node>(
  { space, order, items }: CheckedRenderer<Node>,
  count: number,
): IterableIterator<Finding> {
  const { tree } = space;
  const listed = new Set(order.items);
  if (listed.size !== order.items.length || listed.size !== count)
    yield { code, message: `${count} drawings are kept, and ${order.items.length} are in draw order` };
  if (items.count === 0) return;
  // Asking for a range makes the flat order a pre-order, in which slots can be compared.
  subtreeRange(tree, order.items[0].entity);
  const { slotOf } = flatOrder(tree);
  const now = order.items.map((item) => ({ ...item, slot: slotOf[indexOf(item.entity)] }));
  for (let k = 1; k < now.length; k++) {
    const { entity } = now[k];
    if (compareItems(now[k - 1], now[k]) > 0 || now[k - 1].order >= now[k].order)
      yield { code, entity, message: `${tree.label(entity)} is drawn before what lies below it` };
  }
}

/** NaN equals itself here, and 0 equals -0. */
function differ(a: number, b: number): boolean {
  return a !== b && !(Number.isNaN(a) && Number.isNaN(b));
}
