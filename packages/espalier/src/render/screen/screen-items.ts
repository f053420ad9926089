/**
 * The drawings of a renderer that are on the screen, and their positions.
 *
 * Nothing is stored or computed before the first `OnScreen` is added.
 */
import { type ChangeReader, changesOf, type Entity } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import { type Inherited, inheritedOf } from "../../inherit/index.ts";
import { type Affine2D, type RectSchema, RectTransform, type Space } from "../../transform/index.ts";
import {
  type CameraView,
  type Rectangle,
  type Size,
  screenView,
  type YAxis,
} from "../cameras/camera-view.ts";
import { type Drawing, drawingKinds } from "../drawings/drawing.ts";
import { type Shape, shapeKinds } from "../drawings/shape.ts";
import type { Item, Items } from "../renderer/items.ts";
import { nearestOnScreen, OnScreen, type OnScreenSchema, type ScreenSpot } from "./on-screen.ts";

/** The calls to the renderer. */
export interface ScreenHost<Node> {
  readonly tree: Hierarchy;
  readonly items: Items<Node>;
  readonly screen: Size;
  readonly yAxis: YAxis;
  readonly layout: Space<RectSchema> | undefined;
  /** The views of the cameras. */
  views(): readonly CameraView[];
  /** The item entered the screen, left it, or has another anchor. */
  spotChanged(item: Item<Node>): void;
  /** The rectangle of the entity changed. */
  rectChanged(entity: Entity): void;
}

export interface ScreenItems<Node> {
  /** The items on the screen. */
  readonly items: ReadonlySet<Item<Node>>;
  /** Reads changes since the last call. */
  read(): void;
  /** Finds the anchor of a new item. */
  added(item: Item<Node>): void;
  removed(item: Item<Node>): void;
  /** The items of an entity and of everything below it. */
  itemsBelow(entity: Entity): Iterable<Item<Node>>;
  /** Whether an entity is on the screen. */
  has(entity: Entity): boolean;
  /** Whether the viewport that the item is anchored to exists. */
  isThere(item: Item<Node>): boolean;
  /** Moves the matrix of an item on the screen from its anchor to the pixels of the screen, in place. */
  place(matrix: Affine2D, item: Item<Node>): Affine2D;
  /** The view of drawings on the screen; `undefined` if there are none. The same object for one size of the screen. */
  view(): CameraView | undefined;
  /** Gives a drawing without a size the size of its rectangle. */
  fill(drawing: Drawing): void;
  close(): void;
}

export function createScreenItems<Node>(host: ScreenHost<Node>): ScreenItems<Node> {
  const { tree, items, screen, layout } = host;
  const { world } = tree;
  const members = new Set<Item<Node>>();
  const comings = changesOf(world, OnScreen);
  let spots: Inherited<OnScreenSchema, ScreenSpot | null> | undefined;
  let changes: ChangeReader | undefined;
  /** None before the first `OnScreen`: unread changes would accumulate for ever. */
  let rects: readonly ChangeReader[] = [];
  const rect = new Float64Array(4);
  let overlay: CameraView | undefined;
  if (!world.query(OnScreen).isEmpty()) start();

  function start(): void {
    spots = inheritedOf(tree, nearestOnScreen);
    spots.propagate();
    changes = spots.changes();
    if (layout !== undefined) rects = [layout.changes(), changesOf(world, RectTransform)];
  }

  function set(item: Item<Node>): void {
    const spot = spots!.of(item.entity);
    if (spot === item.spot) return;
    item.spot = spot;
    if (spot === null) members.delete(item);
    else members.add(item);
    host.spotChanged(item);
  }

  function setAll(entity: Entity): void {
    if (world.isAlive(entity))
      for (let item = items.of(entity); item !== undefined; item = item.next) set(item);
  }

  /** The origin of the drawing in the rectangle, as fractions: the pivot, unless it fills the whole rectangle. */
  function originIn({ entity, rank, drawing }: Item<Node>): { readonly x: number; readonly y: number } {
    const { kind, component } = drawingKinds[rank];
    const value = component === null ? null : world.get(entity, component as typeof Shape)!;
    const { pivotX, pivotY } = world.get(entity, RectTransform)!;
    if (!isFilling({ kind, value } as Drawing)) return { x: pivotX, y: pivotY };
    return drawing.kind === "nineSlice"
      ? { x: drawing.value.anchorX, y: drawing.value.anchorY }
      : { x: 0.5, y: 0.5 };
  }

  const isLaidOut = (entity: Entity) =>
    layout !== undefined && world.has(entity, RectTransform) && spots?.of(entity) != null;

  return {
    items: members,
    view() {
      if (members.size === 0) return undefined;
      const { width, height } = screen;
      if (overlay?.screen.width !== width || overlay.screen.height !== height)
        overlay = screenView({ width, height }, host.yAxis);
      return overlay;
    },
    read() {
      if (spots === undefined) {
        if (comings.pending === 0) return;
        start();
        items.forEach(set);
      }
      spots!.propagate();
      if (comings.pending > 0) comings.read();
      if (changes!.pending > 0)
        changes!.forEach((entity, kind) => {
          if (kind !== "removed") setAll(entity);
        });
      layout?.propagate();
      for (const reader of rects)
        if (reader.pending > 0)
          reader.forEach((entity) => {
            if (world.isAlive(entity)) host.rectChanged(entity);
          });
    },
    added(item) {
      if (spots !== undefined) set(item);
    },
    removed: (item) => void members.delete(item),
    itemsBelow: (top) => [...members].filter(({ entity }) => entity === top || tree.isAncestor(top, entity)),
    has: (entity) => spots !== undefined && spots.of(entity) !== null,
    isThere: ({ spot }) => spot!.viewport < 0 || spot!.viewport < host.views().length,
    place(matrix, item) {
      const isUp = host.yAxis === "up";
      if (isLaidOut(item.entity)) {
        layout!.worldOf(item.entity, rect);
        const { x, y } = originIn(item);
        matrix.x += rect[0] + x * rect[2];
        const down = rect[1] + y * rect[3];
        matrix.y += isUp ? screen.height - down : down;
        return matrix;
      }
      const { anchorX, anchorY, viewport } = item.spot!;
      const area: Rectangle = host.views()[viewport]?.area ?? { x: 0, y: 0, ...screen };
      matrix.x += area.x + anchorX * area.width;
      matrix.y += (isUp ? screen.height - area.y - area.height : area.y) + anchorY * area.height;
      return matrix;
    },
    fill(drawing) {
      if (!isLaidOut(drawing.entity) || !isFilling(drawing)) return;
      layout!.worldOf(drawing.entity, rect);
      drawing.value = { ...drawing.value, width: rect[2], height: rect[3] } as never;
    },
    close() {
      for (const reader of [comings, ...rects]) reader.close();
      changes?.close();
    },
  };
}

/** Panels and boxes without a size of their own: they fill their rectangle. */
function isFilling({ kind, value }: Pick<Drawing, "kind" | "value">): boolean {
  if (value === null || !("width" in value) || value.width !== 0 || value.height !== 0) return false;
  if (kind === "nineSlice") return true;
  return "kind" in value && (value.kind === shapeKinds.rect || value.kind === shapeKinds.roundedRect);
}
