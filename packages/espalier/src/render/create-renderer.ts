/**
 * Keeps a backend in step with a world: the half of every renderer that knows entities and trees.
 *
 * A frame reads what changed, brings the nodes of changed drawings up to date, decides what is in view and in which order
 * it lies, and lets the backend draw, if anything changed at all.
 */
import type { Component, Entity, Schema, ValueOf } from "../ecs/index.ts";
import type { Affine2D, Point, Transforms2D } from "../transform/index.ts";
import { invert2D } from "../transform/index.ts";
import { type Bounds, clearBounds, emptyBounds, setBounds, transformBounds, unite } from "./bounds.ts";
import { activeCamera, viewOfCamera } from "./camera.ts";
import {
  type CameraView,
  isSameView,
  type Size,
  screenToWorld,
  worldToScreen,
  type YAxis,
} from "./camera-view.ts";
import { multiplyColors } from "./color.ts";
import { toContent } from "./content-matrix.ts";
import type { RenderBackend, Renderer } from "./contract.ts";
import { coversPoint } from "./covers.ts";
import { createCulling } from "./culling.ts";
import { createDrawOrder } from "./draw-order.ts";
import { drawValues } from "./draw-values.ts";
import { type Drawing, drawingKinds } from "./drawing.ts";
import { DisposedRendererError, InvalidRenderOptionError } from "./errors.ts";
import type { Interpolation } from "./interpolation.ts";
import { createItem, createItems, type Item, PLACE, STYLE } from "./items.ts";
import { measureDrawing } from "./measure.ts";
import type { ParticleEmitterSchema } from "./particle-emitter.ts";
import { poolBounds } from "./particle-pool.ts";
import type { Particles } from "./particles.ts";
import { createReports, type RenderProblem, type Reports } from "./reports.ts";
import { createSceneChanges } from "./scene-changes.ts";
import { createSubtreeBounds } from "./subtree-bounds.ts";

/** What all renderers take. */
export interface RendererOptions {
  /** Size of the screen in pixels. 800 by 600 if left out. */
  readonly width?: number;
  readonly height?: number;
  /** Which way y grows in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** The camera to look through. If left out, the active one: the `Camera` with the highest priority. */
  readonly camera?: Entity | null;
  /** Looks in this way instead of through a camera of the world: for editors and tools. Asked every frame. */
  readonly look?: ((screen: Size) => CameraView) | undefined;
  /** Draws between the last two steps. */
  readonly interpolation?: Interpolation | undefined;
  /** The particles of the world, stepped by the program. */
  readonly particles?: Particles | undefined;
  /** Whether what the camera does not see is left out: `true` if left out. */
  readonly cull?: boolean;
  /** Gets each problem once (missing texture, unknown frame); the console if left out. */
  readonly onProblem?: (problem: RenderProblem) => void;
}

/** What a backend may ask of the renderer it belongs to. */
export interface RenderHost extends Reports {
  /** Draws again what uses a texture, or everything: something it is drawn with has come or changed. */
  refresh(texture?: string): void;
  /** Lets the next frame draw even if the world does not change. */
  invalidate(): void;
}

/** A renderer of a world. Points are world coordinates unless said otherwise. */
export interface WorldRenderer<Node = unknown> extends Renderer {
  readonly space: Transforms2D;
  readonly backend: RenderBackend<Node>;
  /** How many drawings there are. */
  readonly count: number;
  /** Brings the backend up to date without drawing. `render` does it by itself. */
  update(): void;
  render(alpha?: number): void;
  resize(width: number, height: number): void;
  /** How the world is seen now. */
  cameraView(): CameraView;
  /** From the screen to the world and back. */
  toWorld(x: number, y: number): Point;
  toScreen(x: number, y: number): Point;
  /** The topmost entity drawn at a point of the world; `null` when there is none. Hidden ones are passed over. */
  hitTest(x: number, y: number): Entity | null;
  /** All of them, topmost first, each once. */
  hitTestAll(x: number, y: number): Entity[];
  /** What the drawings of an entity cover in the world, with `subtree` those of everything below it too. */
  boundsOf(entity: Entity, options?: { readonly subtree?: boolean }): Bounds;
  /** The entities that are in an area of the world, in tree order, each once. */
  entitiesIn(area: Bounds): Entity[];
  /** Lets a node of the user's own follow an entity; it goes with the entity, or by calling the function returned. */
  attachNode(entity: Entity, node: Node): () => void;
  refresh(texture?: string): void;
  invalidate(): void;
}

const EXTERNAL = drawingKinds.findIndex(({ kind }) => kind === "external");

/** Makes a renderer from a backend. See `RenderBackend` for what that needs. */
export function createRenderer<Node>(
  space: Transforms2D,
  makeBackend: (host: RenderHost) => RenderBackend<Node>,
  options: RendererOptions = {},
): WorldRenderer<Node> {
  const { tree } = space;
  const { world } = tree;
  const { yAxis = "up", interpolation, particles, cull = true } = options;
  requireOptions(space, options);
  const screen = { width: options.width ?? 800, height: options.height ?? 600 };
  const values = drawValues(tree);
  const items = createItems<Node>();
  const below = createSubtreeBounds(tree, items);
  const order = createDrawOrder(tree, items);
  const culling = createCulling(below, show);
  const nodes: Node[] = [];
  const dirty: Item<Node>[] = [];
  const scratch: Affine2D = { a: 1, b: 0, c: 0, d: 1, x: 0, y: 0 };
  /** Those drawn between two places in the last frame: they must arrive. */
  const between = new Set<Entity>();
  let lastAlpha = 1;
  let lastParticles = -1;
  let isStale = true;
  let isDisposed = false;
  let view: CameraView | undefined;

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

  function mark(item: Item<Node>, what: number): void {
    if (item.dirty === 0) dirty.push(item);
    item.dirty |= what;
  }

  function markAll(entity: Entity, what: number): void {
    for (let item = items.of(entity); item !== undefined; item = item.next) mark(item, what);
  }

  function show(item: Item<Node>): void {
    const visible = !item.hidden && (item.inView || !cull);
    if (visible === item.shown) return;
    item.shown = visible;
    isStale = true;
    backend.setVisible(item.node, visible);
  }

  // Coming and going -------------------------------------------------------------------------------------------------------

  function add(entity: Entity, rank: number, given?: Node): Item<Node> {
    const kind = drawingKinds[rank].kind;
    const drawing = { kind, entity, value: null, tint: 0xffffff, alpha: 1, pool: null } as unknown as Drawing;
    readStyle(drawing, rank);
    const item = createItem(entity, rank, drawing, given ?? backend.create(drawing));
    item.z = values.z.of(entity);
    item.hidden = !values.visible.of(entity);
    items.add(item);
    mark(item, STYLE | PLACE);
    order.invalidate();
    isStale = true;
    show(item);
    return item;
  }

  function remove(item: Item<Node>): void {
    items.remove(item);
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

  const changes = createSceneChanges(space, {
    componentChanged,
    moved: (entity) => markAll(entity, PLACE),
    destroyed(entity) {
      for (let item = items.find(entity, EXTERNAL); item !== undefined; item = items.find(entity, EXTERNAL))
        remove(item);
    },
    visibilityChanged(entity) {
      for (let item = items.of(entity); item !== undefined; item = item.next) {
        item.hidden = !values.visible.of(entity);
        show(item);
      }
    },
    colorChanged: (entity) => markAll(entity, STYLE),
    depthChanged(entity) {
      for (let item = items.of(entity); item !== undefined; item = item.next) {
        item.z = values.z.of(entity);
        order.invalidate();
      }
    },
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

  // Bringing up to date ----------------------------------------------------------------------------------------------------

  function readStyle(drawing: Drawing, rank: number): void {
    const { component } = drawingKinds[rank];
    const { entity } = drawing;
    drawing.tint = values.tint.of(entity);
    drawing.alpha = values.alpha.of(entity);
    if (component === null) return;
    const value = world.get(entity, component as Component<Schema>)! as ValueOf<Schema>;
    drawing.value = value as never;
    if (typeof value.tint === "number") drawing.tint = multiplyColors(drawing.tint, value.tint);
    if (typeof value.alpha === "number") drawing.alpha *= Math.max(value.alpha, 0);
    if (drawing.kind === "particles") drawing.pool = particles?.of(entity) ?? null;
  }

  function measure(item: Item<Node>): void {
    const { drawing, content, node } = item;
    if (drawing.kind === "external") {
      if (backend.measureExternal === undefined) clearBounds(content);
      else backend.measureExternal(node, content);
    } else if (drawing.kind === "particles") {
      if (drawing.pool === null) clearBounds(content);
      else poolBounds(drawing.pool, particleReach(drawing.value, backend), content);
    } else measureDrawing(drawing, backend, content);
  }

  function apply(item: Item<Node>, moving: ReadonlySet<Entity> | undefined): void {
    const what = item.dirty;
    item.dirty = 0;
    if (item.gone) return;
    if (what & STYLE) {
      readStyle(item.drawing, item.rank);
      measure(item);
      backend.setStyle(item.node, item.drawing);
    }
    space.worldOf(item.entity, item.matrix);
    toContent(item.matrix, item.drawing, item.rank, yAxis);
    transformBounds(item.matrix, item.content, item.bounds);
    below.invalidate(item.entity);
    culling.moved(item);
    if (moving?.has(item.entity) !== true) backend.setMatrix(item.node, item.matrix);
    isStale = true;
  }

  function update(): void {
    if (isDisposed) {
      throw new DisposedRendererError(
        "Cannot draw: this renderer was disposed. Make a new one with its create function.",
      );
    }
    changes.read();
    if (particles !== undefined && particles.version !== lastParticles) {
      lastParticles = particles.version;
      items.forEach((item) => {
        if (item.drawing.kind === "particles") mark(item, STYLE);
      });
    }
    if (dirty.length > 0) {
      const moving = interpolation?.moving();
      for (const item of dirty) apply(item, moving);
      dirty.length = 0;
    }
    if (order.sort()) {
      nodes.length = 0;
      for (const item of order.items) nodes.push(item.node);
      isStale = true;
      backend.reorder(nodes);
    }
  }

  function place(entity: Entity, alpha: number): void {
    for (let item = items.of(entity); item !== undefined; item = item.next) {
      interpolation!.worldOf(entity, alpha, scratch);
      backend.setMatrix(item.node, toContent(scratch, item.drawing, item.rank, yAxis));
      isStale = true;
    }
  }

  /** Moves what is on its way to where it is at `alpha`, and what has arrived to where it is. */
  function interpolate(alpha: number): void {
    const moving = interpolation!.moving();
    for (const entity of between) {
      if (moving.has(entity)) continue;
      between.delete(entity);
      if (world.isAlive(entity)) place(entity, 1);
    }
    for (const entity of moving) {
      if (alpha === lastAlpha && between.has(entity) && !isStale) continue;
      between.add(entity);
      place(entity, alpha);
    }
    lastAlpha = alpha;
  }

  function lookThrough(alpha: number): CameraView {
    if (options.look !== undefined) return options.look(screen);
    const camera = options.camera === undefined ? activeCamera(world) : options.camera;
    const entity = camera !== null && world.isAlive(camera) ? camera : null;
    return viewOfCamera(space, entity, screen, { yAxis, interpolation, alpha });
  }

  // Asking -----------------------------------------------------------------------------------------------------------------

  function hits(x: number, y: number): Item<Node>[] {
    update();
    const found: Item<Node>[] = [];
    below.overlapping({ minX: x, minY: y, maxX: x, maxY: y }, (item) => {
      if (!item.hidden && isHit(item, x, y)) found.push(item);
    });
    return found.sort((a, b) => b.order - a.order);
  }

  function isHit(item: Item<Node>, x: number, y: number): boolean {
    const inverse = invert2D(item.matrix);
    if (inverse === undefined) return false;
    const u = inverse.a * x + inverse.c * y + inverse.x;
    const v = inverse.b * x + inverse.d * y + inverse.y;
    if (!coversPoint(item.drawing, item.content, u, v)) return false;
    return backend.hitTest?.(item.node, item.drawing, u, v) ?? true;
  }

  const unique = (found: readonly Item<Node>[]) => [...new Set(found.map(({ entity }) => entity))];

  return {
    space,
    backend,
    get view() {
      return backend.view;
    },
    get count() {
      update();
      return items.count;
    },
    update,
    render(alpha = 1) {
      update();
      if (interpolation !== undefined) interpolate(alpha);
      const now = lookThrough(alpha);
      if (view === undefined || !isSameView(view, now)) isStale = true;
      view = now;
      culling.look(now.visible);
      if (!isStale) return;
      isStale = false;
      backend.draw(now);
    },
    resize(width, height) {
      requireSize({ width, height });
      screen.width = width;
      screen.height = height;
      backend.resize?.(width, height);
      isStale = true;
    },
    cameraView: () => lookThrough(1),
    toWorld: (x, y) => screenToWorld(lookThrough(1), x, y),
    toScreen: (x, y) => worldToScreen(lookThrough(1), x, y),
    hitTest: (x, y) => hits(x, y)[0]?.entity ?? null,
    hitTestAll: (x, y) => unique(hits(x, y)),
    boundsOf(entity, { subtree = false } = {}) {
      update();
      space.worldOf(entity, scratch); // refuses the dead
      const out = emptyBounds();
      if (subtree) return below.of(entity, out);
      for (let item = items.of(entity); item !== undefined; item = item.next) unite(out, item.bounds);
      return out;
    },
    entitiesIn(area) {
      update();
      const found: Item<Node>[] = [];
      below.overlapping(setBounds(emptyBounds(), area.minX, area.minY, area.maxX, area.maxY), (item) => {
        if (!item.hidden) found.push(item);
      });
      return unique(found);
    },
    attachNode(entity, node) {
      // The space tells of the end of those entities that it has seen.
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
      changes.close();
      items.forEach((item) => void backend.destroy(item.node));
      backend.dispose();
    },
  };
}

function textureOf(drawing: Drawing): string | undefined {
  return drawing.value !== null && "texture" in drawing.value ? drawing.value.texture : undefined;
}

/** Half the largest side of a particle. */
function particleReach(
  value: ValueOf<ParticleEmitterSchema>,
  backend: { measureTexture(texture: string, frame: string): Size | undefined },
): number {
  const size = value.texture === "" ? undefined : backend.measureTexture(value.texture, value.frame);
  const side = size === undefined ? value.size : Math.max(size.width, size.height);
  return (side * Math.max(Math.abs(value.startScale), Math.abs(value.endScale))) / 2;
}

function requireSize({ width, height }: Size): void {
  if (width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height)) return;
  throw new InvalidRenderOptionError(
    `Cannot draw on a screen of ${width} by ${height}: give a width and a height above 0.`,
  );
}

function requireOptions(space: Transforms2D, options: RendererOptions): void {
  const { width = 800, height = 600, yAxis = "up", interpolation } = options;
  requireSize({ width, height });
  if (yAxis !== "up" && yAxis !== "down") {
    throw new InvalidRenderOptionError(
      `Cannot draw with the y axis ${JSON.stringify(yAxis)}. Use "up" or "down".`,
    );
  }
  if (interpolation !== undefined && interpolation.space !== space) {
    throw new InvalidRenderOptionError(
      "Cannot interpolate: the interpolation belongs to another space. Make it with createInterpolation(space) of this one.",
    );
  }
}
