/**
 * Synchronises a backend with a world: the half of every renderer that knows entities and trees.
 *
 * A frame reads changes, updates the nodes of changed drawings, decides what is in view and in which order,
 * and lets the backend draw if anything changed at all.
 */
import {
  type ArgumentTest,
  DEVELOPMENT,
  type Entity,
  expectArguments,
  type Finding,
  handleOf,
  registerCheck,
} from "../../ecs/index.ts";
import type { Affine2D, Transforms2D } from "../../transform/index.ts";
import { type Bounds, transformBounds } from "../bounds/bounds.ts";
import { createCulling } from "../bounds/culling.ts";
import { createSubtreeBounds } from "../bounds/subtree-bounds.ts";
import { type CameraView, isSameView, screenToWorld, worldToScreen } from "../cameras/camera-view.ts";
import { viewAt } from "../cameras/viewports.ts";
import { readScale, toContent } from "../drawings/content-matrix.ts";
import { drawValues } from "../drawings/draw-values.ts";
import { type Drawing, drawingKinds } from "../drawings/drawing.ts";
import { measureItem, readStyle, textureOf } from "../drawings/drawing-style.ts";
import { DisposedRendererError } from "../errors.ts";
import { createScreenItems } from "../screen/screen-items.ts";
import { createCameraViews } from "./camera-views.ts";
import { wrongItems } from "./check-items.ts";
import type { RenderBackend } from "./contract.ts";
import { createDirtyItems } from "./dirty-items.ts";
import { createDrawOrder } from "./draw-order.ts";
import { createItem, createItems, type Item, STYLE, TRANSFORM } from "./items.ts";
import { createMovingEntities } from "./moving-entities.ts";
import { createQuestions } from "./questions.ts";
import {
  type RendererOptions,
  type RenderHost,
  requireRendererOptions,
  requireSize,
  type WorldRenderer,
} from "./renderer-options.ts";
import { createReports } from "./reports.ts";
import { createSceneChanges } from "./scene-changes.ts";

const aBackend: ArgumentTest = {
  expected: "a backend. See RenderBackend for the calls that it needs",
  fits: (value) => {
    const { create, setStyle, draw } = Object(value) as Partial<RenderBackend<unknown>>;
    return [create, setStyle, draw].every((call) => typeof call === "function");
  },
};

const EXTERNAL = /* @__PURE__ */ drawingKinds.findIndex(({ kind }) => kind === "external");

/** Creates a renderer from a backend. See `RenderBackend` for its members. */
export function createRenderer<Node>(
  space: Transforms2D,
  makeBackend: (host: RenderHost) => RenderBackend<Node>,
  options: RendererOptions = {},
): WorldRenderer<Node> {
  requireRendererOptions(space, options);
  expectArguments("make a renderer", ["what makes its backend", makeBackend, "function"]);
  const { tree } = space;
  const { world } = tree;
  const { yAxis = "up", interpolation, particles, cull = true } = options;
  const screen = { width: options.width ?? 800, height: options.height ?? 600 };
  const values = drawValues(tree);
  const items = createItems<Node>();
  const below = createSubtreeBounds(tree, items, boundsOf, (entity) => values.active.of(entity));
  const order = createDrawOrder<Node>(tree);
  const culling = createCulling(below, boundsOf, show);
  const nodes: Node[] = [];
  const { mark, markAll, take } = createDirtyItems(items);
  const scratch: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  const moving = interpolation === undefined ? undefined : createMovingEntities(world, interpolation, place);
  const lookThrough = createCameraViews(space, screen, options);
  let lastParticles = -1;
  /** The number of updates so far. */
  let updates = 0;
  let isStale = true;
  let isDisposed = false;
  let views: readonly CameraView[] = [];

  const host: RenderHost = {
    ...createReports(tree, options.onProblem),
    refresh(texture) {
      items.forEach((item) => {
        if (texture === undefined || textureOf(item.drawing) === texture) mark(item, STYLE);
      });
      isStale = true;
    },
    invalidate() {
      isStale = true;
    },
  };
  const backend = makeBackend(host);
  expectArguments("make a renderer", ["what makeBackend gave", backend, aBackend]);

  const layout = typeof options.layout === "function" ? options.layout(tree, screen) : options.layout;
  layout?.setRoot([0, 0, screen.width, screen.height]);
  // Editors use `look`: for them drawings on the screen are in the world, where they can be picked and moved.
  const screens =
    options.look !== undefined
      ? undefined
      : createScreenItems<Node>({
          tree,
          items,
          screen,
          yAxis,
          layout,
          views: () => views,
          spotChanged(item) {
            below.invalidate(item.entity);
            mark(item, STYLE | TRANSFORM);
            backend.setOnScreen?.(item.node, item.spot !== null);
          },
          rectChanged: (entity) => markAll(entity, STYLE | TRANSFORM),
        });

  function show(item: Item<Node>): void {
    const visible = !item.hidden && (item.inView || (!cull && item.spot === null));
    if (visible === item.shown) return;
    item.shown = visible;
    isStale = true;
    backend.setVisible(item.node, visible);
  }

  // Adding and removing -------------------------------------------------------------------------------------------------------

  function add(entity: Entity, rank: number, given?: Node): Item<Node> {
    const kind = drawingKinds[rank].kind;
    const drawing = { kind, entity, value: null, tint: 0xffffff, alpha: 1, pool: null } as unknown as Drawing;
    readStyle(tree, drawing, rank, values, particles);
    const item = createItem(entity, rank, drawing, given ?? backend.create(drawing));
    item.z = values.z.of(entity);
    item.hidden = isHidden(entity);
    item.madeIn = updates;
    items.add(item);
    mark(item, STYLE | TRANSFORM);
    screens?.added(item);
    order.added(item);
    isStale = true;
    show(item);
    return item;
  }

  function remove(item: Item<Node>): void {
    items.remove(item);
    screens?.removed(item);
    order.removed();
    culling.removed();
    below.invalidate(item.entity);
    isStale = true;
    backend.destroy(item.node);
  }

  function componentChanged(entity: Entity, rank: number): void {
    const component = drawingKinds[rank].component!;
    const item = items.find(entity, rank);
    if (world.isAlive(entity) && world.has(entity, component)) {
      if (item === undefined) add(entity, rank);
      else mark(item, STYLE);
    } else if (item !== undefined) remove(item);
  }

  /** Inactive entities are hidden too. */
  function isHidden(entity: Entity): boolean {
    return !values.visible.of(entity) || !values.active.of(entity);
  }

  /** Reads effective visibility and z. */
  function inherit(entity: Entity): void {
    for (let item = items.of(entity); item !== undefined; item = item.next) {
      // An item created in this update has just read them.
      if (item.madeIn === updates) continue;
      item.hidden = isHidden(entity);
      show(item);
      const z = values.z.of(entity);
      if (item.z === z) continue;
      item.z = z;
      order.invalidate();
    }
  }

  const changes = createSceneChanges(space, {
    componentChanged(entity, rank, kind) {
      componentChanged(entity, rank);
      // One that undo restored is reported as new.
      if (kind === "added") inherit(entity);
    },
    moved: (entity) => markAll(entity, TRANSFORM),
    destroyed(entity) {
      for (let item = items.find(entity, EXTERNAL); item !== undefined; item = items.find(entity, EXTERNAL))
        remove(item);
    },
    activityChanged(entity) {
      below.invalidate(entity);
      inherit(entity);
    },
    visibilityChanged: inherit,
    colorChanged: (entity) => markAll(entity, STYLE),
    depthChanged: inherit,
    childrenChanged(entity) {
      order.invalidate();
      if (entity !== null) below.invalidate(entity);
    },
    treeChanged() {
      order.invalidate();
      below.invalidateAll();
    },
  });
  for (const [rank, { component }] of drawingKinds.entries())
    if (component !== null) for (const entity of world.query(component)) add(entity, rank);

  // Updating ----------------------------------------------------------------------------------------------------

  /** From the item's own coordinates to the world; the same object each time. */
  function matrixOf(item: Item<Node>): Affine2D {
    return toDrawing(space.worldOf(item.entity, scratch), item);
  }

  /** Changes `matrix` from the transform of the entity to that of its drawing. */
  function toDrawing(matrix: Affine2D, item: Item<Node>): Affine2D {
    toContent(matrix, item);
    return item.spot === null ? matrix : screens!.place(matrix, item);
  }

  function style(drawing: Drawing, rank: number): void {
    readStyle(tree, drawing, rank, values, particles);
    screens?.fill(drawing);
  }

  const computeBounds = (item: Item<Node>, out: Bounds) => transformBounds(matrixOf(item), item.content, out);

  function boundsOf(item: Item<Node>): Bounds {
    if (!item.isBounded) computeBounds(item, item.bounds);
    item.isBounded = true;
    return item.bounds;
  }

  function apply(item: Item<Node>, what: number): void {
    isStale = true;
    if (what & STYLE) {
      const { drawing, content, scaleX, scaleY } = item;
      const { minX, minY, maxX, maxY } = content;
      style(drawing, item.rank);
      readScale(drawing, item.rank, yAxis, item);
      measureItem(item, backend);
      backend.setStyle(item.node, drawing);
      // Most changes of sprites are frames of the same size: the bounds stay as they are.
      if (
        what === STYLE &&
        drawing.kind === "sprite" &&
        scaleX === item.scaleX &&
        scaleY === item.scaleY &&
        minX === content.minX &&
        minY === content.minY &&
        maxX === content.maxX &&
        maxY === content.maxY
      )
        return;
    }
    const matrix = matrixOf(item);
    item.isBounded = false;
    below.invalidate(item.entity);
    if (item.spot === null) culling.moved(item, matrix);
    else showOnScreen(item);
    // The frame will place it, even if it has arrived by then.
    if (moving?.takes(item.entity) !== true) backend.setMatrix(item.node, matrix);
  }

  /** A drawing on the screen is in view if its viewport exists and the backend supports it. */
  function showOnScreen(item: Item<Node>): void {
    item.inView = backend.setOnScreen !== undefined && screens!.isThere(item);
    show(item);
  }

  function update(): void {
    if (isDisposed) {
      throw new DisposedRendererError(
        "Cannot draw: this renderer was disposed. Make a new one with its create function.",
      );
    }
    updates++;
    changes.read();
    if (particles !== undefined && particles.version !== lastParticles) {
      lastParticles = particles.version;
      items.forEach((item) => {
        if (item.drawing.kind === "particles") mark(item, STYLE);
      });
    }
    screens?.read();
    moving?.read();
    take(apply);
    if (order.sort()) {
      nodes.length = order.items.length;
      for (let k = 0; k < nodes.length; k++) nodes[k] = order.items[k].node;
      isStale = true;
      backend.reorder(nodes);
    }
  }

  function place(entity: Entity, alpha: number): void {
    for (let item = items.of(entity); item !== undefined; item = item.next) {
      interpolation!.worldOf(entity, alpha, scratch);
      backend.setMatrix(item.node, toDrawing(scratch, item));
      isStale = true;
    }
  }

  /** Follows the cameras. */
  function look(alpha: number): void {
    const now = lookThrough(alpha);
    if (now.length === views.length && now.every((view, k) => isSameView(view, views[k]))) return;
    isStale = true;
    views = now;
    culling.look(now);
    if (screens === undefined || screens.items.size === 0) return;
    for (const item of screens.items) mark(item, TRANSFORM);
    take(apply);
  }

  /** The nodes that one of several views may see, back to front. */
  function nodesOf(camera: number): Node[] {
    const seen = order.items.filter(
      (item) => item.shown && item.spot === null && (!cull || culling.isNear(item, camera)),
    );
    return seen.map(({ node }) => node);
  }

  function wrong(): Iterable<Finding> {
    update();
    return wrongItems({
      space,
      items,
      values,
      style,
      order,
      below,
      cull,
      views,
      boundsOf,
      computeBounds,
    });
  }
  const endCheck = DEVELOPMENT ? registerCheck(world, { name: "render", check: wrong }) : undefined;

  // Queries -----------------------------------------------------------------------------------------------------------------

  const questions = createQuestions({
    space,
    items,
    below,
    backend,
    screens,
    isActive: (entity) => values.active.of(entity),
    matrixOf,
    boundsOf,
    update,
    look: () => look(1),
  });

  return {
    space,
    backend,
    layout,
    get view() {
      return backend.view;
    },
    get count() {
      update();
      return items.count;
    },
    update,
    render(alpha = 1) {
      expectArguments("draw", ["alpha", alpha, "number"]);
      update();
      moving?.move(alpha, isStale);
      look(alpha);
      if (!isStale && backend.needsDraw?.() !== true) return;
      isStale = false;
      const above = screens?.view();
      if (views.length > 1 && backend.drawViews !== undefined) backend.drawViews(views, nodesOf, above);
      else backend.draw(views[0], above);
    },
    resize(width, height) {
      requireSize({ width, height });
      screen.width = width;
      screen.height = height;
      layout?.setRoot([0, 0, width, height]);
      backend.resize?.(width, height);
      isStale = true;
    },
    cameraView: () => lookThrough(1)[0],
    cameraViews: () => lookThrough(1),
    toWorld(x, y) {
      expectArguments("find a point of the world", ["x", x, "number"], ["y", y, "number"]);
      return screenToWorld(viewAt(lookThrough(1), x, y), x, y);
    },
    toScreen: (x, y, view = lookThrough(1)[0]) => worldToScreen(view, x, y),
    ...questions,
    attachNode(given, node) {
      const entity = handleOf(world, given);
      const expected = "a node of this renderer";
      const fits = (value: unknown) => backend.isNode?.(value) ?? true;
      expectArguments("attach a node", ["it", node, { expected, fits }]);
      // The space reports the destruction only of entities that it has seen.
      update();
      space.worldOf(entity, scratch); // refuses the dead
      const item = add(entity, EXTERNAL, node);
      return () => {
        if (!item.gone) remove(item);
      };
    },
    refresh: host.refresh,
    invalidate: host.invalidate,
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      endCheck?.();
      changes.close();
      screens?.close();
      items.forEach((item) => void backend.destroy(item.node));
      backend.dispose();
    },
  };
}
