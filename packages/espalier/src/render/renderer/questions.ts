/**
 * What a renderer answers: what is at a point, in an area, and how large an entity is drawn.
 */
import { checkOptions, type Entity, expectArguments, handleOf } from "../../ecs/index.ts";
import type { Affine2D, Transforms2D } from "../../transform/index.ts";
import { asBounds, type Bounds, emptyBounds, unite } from "../bounds/bounds.ts";
import { entitiesOf, itemsAmong, itemsAt } from "../bounds/picking.ts";
import type { SubtreeBounds } from "../bounds/subtree-bounds.ts";
import { screenToWorld } from "../cameras/camera-view.ts";
import type { ScreenItems } from "../screen/screen-items.ts";
import type { RenderBackend } from "./contract.ts";
import type { Item, Items } from "./items.ts";
import type { WorldRenderer } from "./renderer-options.ts";

/** What the answers are found in. */
export interface AskedRenderer<Node> {
  readonly space: Transforms2D;
  readonly items: Items<Node>;
  readonly below: SubtreeBounds<Node>;
  readonly backend: RenderBackend<Node>;
  /** What is on the screen, where anything is. */
  readonly screens: ScreenItems<Node> | undefined;
  isActive(entity: Entity): boolean;
  matrixOf(item: Item<Node>): Affine2D;
  boundsOf(item: Item<Node>): Bounds;
  /** Brings all items up to date. */
  update(): void;
  /** Follows the cameras. */
  look(): void;
}

type Questions = Pick<
  WorldRenderer<unknown>,
  "hitTest" | "hitTestAll" | "onScreenAt" | "boundsOf" | "entitiesIn"
>;

export function createQuestions<Node>(renderer: AskedRenderer<Node>): Questions {
  const { space, items, below, backend, screens, isActive, matrixOf, boundsOf, update, look } = renderer;
  const { world } = space.tree;

  const hits = (x: number, y: number) => {
    expectArguments("look for entities", ["x", x, "number"], ["y", y, "number"]);
    update();
    return itemsAt(below, backend, matrixOf, x, y);
  };

  return {
    hitTest: (x, y) => hits(x, y)[0]?.entity ?? null,
    hitTestAll: (x, y) => entitiesOf(hits(x, y)),
    onScreenAt(x, y) {
      expectArguments("look for entities", ["x", x, "number"], ["y", y, "number"]);
      update();
      look();
      const seen = screens?.view();
      if (screens === undefined || seen === undefined) return [];
      const point = screenToWorld(seen, x, y);
      const there = [...screens.items].filter((item) => item.inView);
      return entitiesOf(itemsAmong(there, backend, matrixOf, point.x, point.y));
    },
    boundsOf(given, options = {}) {
      const entity = handleOf(world, given);
      checkOptions(world.checks, "measure an entity", options, { subtree: "boolean" });
      const { subtree = false } = options;
      update();
      space.worldOf(entity, { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 }); // refuses the dead
      const out = emptyBounds();
      if (subtree && screens?.has(entity) === true) {
        for (const item of screens.itemsBelow(entity)) if (isActive(item.entity)) unite(out, boundsOf(item));
        return out;
      }
      if (subtree) return below.of(entity, out);
      if (!isActive(entity)) return out;
      for (let item = items.of(entity); item !== undefined; item = item.next) unite(out, boundsOf(item));
      return out;
    },
    entitiesIn(area) {
      expectArguments("look for entities", asBounds(area, "the area"));
      update();
      const found: Item<Node>[] = [];
      below.overlapping(area, (item) => {
        if (!item.hidden) found.push(item);
      });
      return entitiesOf(found);
    },
  };
}
