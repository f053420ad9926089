/**
 * What the pointer does in the viewport, turned into commands: pan and zoom, clicks, rectangles, and drags of the gizmo.
 */
import type { Entity } from "espalier";
import type { Point } from "espalier/transform";
import {
  startTransform,
  type TransformStart,
  transformEntities,
  translation,
} from "../commands/transform/transform-entities.ts";
import type { EditorDocument } from "../document/document.ts";
import { seal } from "../document/edit.ts";
import { whyLocked } from "../document/require-unlocked.ts";
import { grown, rectBetween, subtreeBounds, worldBounds } from "../document/space/bounds.ts";
import { inRect, pickAt, pickable } from "../document/space/hit-test.ts";
import { movable } from "../document/space/movable.ts";
import type { Rect } from "../document/space/rect.ts";
import { type SnapLine, snapToEdges } from "../document/space/snapping.ts";
import type { App } from "../shell/app.ts";
import { openEntityMenu } from "../shell/menu/entity-menu.ts";
import { dragChange, type GizmoFrame, gizmoFrame, type Handle, handleAt, screenAxes } from "./gizmo.ts";
import type { ViewportCamera } from "./viewport-camera.ts";

/** What the pointer is doing. */
type Gesture =
  | {
      readonly kind: "pan";
      last: Point;
      /** Where the right button was pressed: a press that does not move opens the menu. */
      menu: Point | undefined;
    }
  | { readonly kind: "marquee"; readonly from: Point; to: Point; readonly add: boolean }
  | {
      readonly kind: "transform";
      readonly document: EditorDocument;
      readonly handle: Handle;
      readonly from: Point;
      readonly frame: GizmoFrame;
      readonly start: TransformStart;
      readonly key: string;
      readonly bounds: Rect | undefined;
      /** Bounds to snap to, found when a drag first snaps: Ctrl may turn snapping on in the middle of it. */
      others: readonly Rect[] | undefined;
      /** Where it was pressed, until it moves: a press that does not move is a click. */
      pressed: Point | undefined;
    }
  | { readonly kind: "press"; readonly from: Point; readonly hit: Entity | undefined; readonly add: boolean };

/** Pixels that the pointer may move before a press counts as a drag. */
const THRESHOLD = 4;
/** Pixels within which edges snap. */
const SNAP = 6;
/** The edges of at most this many neighbours are used. */
const MOST_EDGES = 400;

export class ViewportPointer {
  /** The current gesture. */
  gesture: Gesture | undefined;
  /** The part of the gizmo that it is over. */
  hover: Handle | undefined;
  /** The edges that a drag snapped to. */
  snapLines: readonly SnapLine[] = [];
  private readonly app: App;
  private readonly camera: ViewportCamera;
  private readonly overlay: HTMLCanvasElement;
  private readonly redraw: () => void;
  private lastClick: Point | undefined;
  private isSpaceDown = false;
  private gestures = 0;
  private readonly ends: (() => void)[] = [];

  /** @param redraw - Called when something has to be drawn although the document did not change. */
  constructor(app: App, camera: ViewportCamera, overlay: HTMLCanvasElement, redraw: () => void) {
    this.app = app;
    this.camera = camera;
    this.overlay = overlay;
    this.redraw = redraw;
    const on = <K extends keyof HTMLElementEventMap>(
      name: K,
      handle: (event: HTMLElementEventMap[K]) => void,
      options?: AddEventListenerOptions,
    ) => {
      overlay.addEventListener(name, handle as EventListener, options);
      this.ends.push(() => overlay.removeEventListener(name, handle as EventListener, options));
    };
    on("pointerdown", (event) => this.pointerDown(event));
    on("pointermove", (event) => this.pointerMove(event));
    on("pointerup", (event) => this.pointerUp(event));
    on("pointercancel", () => this.cancel());
    on("pointerleave", () => app.sharing?.pointAt(null));
    on("wheel", (event) => this.wheel(event), { passive: false });
    const key = (event: KeyboardEvent) => {
      if (event.code === "Space") this.isSpaceDown = event.type === "keydown";
      if (event.type === "keydown" && event.key === "Escape") this.cancel();
    };
    addEventListener("keydown", key, true);
    addEventListener("keyup", key, true);
    // The button may be released in another window, which sends no event here.
    const blur = () => {
      this.isSpaceDown = false;
    };
    addEventListener("blur", blur);
    this.ends.push(() => {
      removeEventListener("blur", blur);
      removeEventListener("keydown", key, true);
      removeEventListener("keyup", key, true);
    });
  }

  close(): void {
    for (const end of this.ends) end();
  }

  /** The position of the gizmo; `undefined` when nothing movable is selected. */
  frameOfSelection(): GizmoFrame | undefined {
    const { document } = this.app;
    const { settings } = this.app.view;
    if (this.gesture?.kind === "transform" && settings.tool === "rotate") return this.gesture.frame;
    return gizmoFrame(document, movable(document, document.selection.entities.slice(-500)), settings);
  }

  private at(event: PointerEvent | WheelEvent): Point {
    const box = this.overlay.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private pick(point: Point, current: Entity | undefined): Entity | undefined {
    const { x, y } = this.camera.toWorld(point.x, point.y);
    return pickAt(this.app.document, x, y, current, 8 / this.camera.zoom);
  }

  private pointerDown(event: PointerEvent): void {
    const point = this.at(event);
    this.overlay.setPointerCapture(event.pointerId);
    this.overlay.focus({ preventScroll: true });
    if (event.button === 1 || event.button === 2 || this.isSpaceDown) {
      this.gesture = { kind: "pan", last: point, menu: event.button === 2 ? point : undefined };
      return;
    }
    if (event.button !== 0) return;
    const { app } = this;
    if (app.view.picking !== undefined) {
      const hit = this.pick(point, undefined);
      if (hit !== undefined) {
        app.view.picking.done(hit);
        app.view.pick(undefined);
      }
      return;
    }
    const frame = this.frameOfSelection();
    if (frame !== undefined) {
      const handle = handleAt(
        app.view.settings.tool,
        screenAxes(frame, this.camera.view.matrix),
        point.x,
        point.y,
      );
      if (handle !== undefined) {
        this.beginTransform(handle, point, frame);
        return;
      }
    }
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    this.gesture = { kind: "press", from: point, hit: this.pick(point, undefined), add };
  }

  private beginTransform(handle: Handle, point: Point, frame: GizmoFrame): void {
    const { app } = this;
    const { document } = app;
    const { settings } = app.view;
    const entities = movable(document, document.selection.entities);
    const locked = whyLocked(document, entities);
    if (locked !== undefined) {
      app.notes.say(locked);
      return;
    }
    this.gesture = {
      kind: "transform",
      document,
      handle,
      from: this.camera.toWorld(point.x, point.y),
      frame,
      start: startTransform(document, entities, settings.withoutChildren),
      key: `gizmo ${++this.gestures}`,
      bounds: subtreeBounds(document, entities),
      others: undefined,
      pressed: point,
    };
  }

  /** The bounds of entities that do not move. */
  private edgesBeside(entities: readonly Entity[]): readonly Rect[] {
    const { document } = this.app;
    const moving = new Set(entities);
    const others: Rect[] = [];
    for (const entity of pickable(document)) {
      if (others.length >= MOST_EDGES) break;
      if (moving.has(entity) || entities.some((top) => document.tree.isAncestor(top, entity))) continue;
      others.push(worldBounds(document, entity));
    }
    return others;
  }

  /** Ends a gesture whose entities were destroyed, or whose document is no longer shown. */
  private dropLost(): void {
    const { gesture } = this;
    if (gesture?.kind !== "transform") return;
    const { document } = this.app;
    const { entities, children } = gesture.start;
    const isThere = (entity: Entity) => document.world.isAlive(entity);
    if (gesture.document === document && entities.every(isThere) && children.every(isThere)) return;
    this.gesture = undefined;
    this.snapLines = [];
    seal(gesture.document);
    this.redraw();
  }

  private pointerMove(event: PointerEvent): void {
    this.dropLost();
    const point = this.at(event);
    const { gesture, app } = this;
    app.sharing?.pointAt(this.camera.toWorld(point.x, point.y));
    if (gesture === undefined) {
      const frame = this.frameOfSelection();
      const axes = frame === undefined ? undefined : screenAxes(frame, this.camera.view.matrix);
      this.hover = axes === undefined ? undefined : handleAt(app.view.settings.tool, axes, point.x, point.y);
      return;
    }
    if (gesture.kind === "pan") {
      const { menu } = gesture;
      if (menu !== undefined && Math.hypot(point.x - menu.x, point.y - menu.y) < THRESHOLD) return;
      gesture.menu = undefined;
      this.camera.pan(point.x - gesture.last.x, point.y - gesture.last.y);
      gesture.last = point;
    } else if (gesture.kind === "marquee") gesture.to = point;
    else if (gesture.kind === "transform") this.transform(gesture, point, event);
    else if (Math.hypot(point.x - gesture.from.x, point.y - gesture.from.y) >= THRESHOLD)
      this.beginDrag(gesture, point, event);
  }

  /** A press became a drag: of the entity there, or of a selection rectangle. */
  private beginDrag(press: Gesture & { kind: "press" }, point: Point, event: PointerEvent): void {
    const { document } = this.app;
    const { settings } = this.app.view;
    const world = this.camera.toWorld(press.from.x, press.from.y);
    // Computed once: it visits every visible entity.
    const isOnSelected =
      press.hit !== undefined &&
      document.selection.entities.some(
        (entity) =>
          document.world.has(entity, document.space.component) && this.coversSelected(entity, world),
      );
    const canMove = settings.tool === "move" && !press.add && press.hit !== undefined;
    if (!canMove) {
      this.gesture = { kind: "marquee", from: press.from, to: point, add: press.add };
      return;
    }
    if (!isOnSelected && press.hit !== undefined) document.selection.replace([press.hit]);
    const frame = gizmoFrame(document, movable(document, document.selection.entities), settings);
    if (frame === undefined) return;
    this.beginTransform("xy", press.from, frame);
    if (this.gesture?.kind === "transform") this.transform(this.gesture, point, event);
    else this.gesture = undefined;
  }

  private coversSelected(entity: Entity, { x, y }: Point): boolean {
    const { left, top, right, bottom } = grown(worldBounds(this.app.document, entity), 8 / this.camera.zoom);
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  private transform(gesture: Gesture & { kind: "transform" }, point: Point, event: PointerEvent): void {
    const { app } = this;
    const { document } = app;
    const { settings } = app.view;
    const { pressed } = gesture;
    if (pressed !== undefined && Math.hypot(point.x - pressed.x, point.y - pressed.y) < THRESHOLD) return;
    gesture.pressed = undefined;
    const to = this.camera.toWorld(point.x, point.y);
    // Ctrl inverts snapping while it is held.
    const snaps = settings.snapOn !== (event.ctrlKey || event.metaKey);
    const isMove = settings.tool === "move" || settings.tool === "select";
    let change = dragChange(settings.tool, gesture.handle, gesture.frame, gesture.from, to, {
      grid: snaps ? settings.snap.grid : 0,
      angle: snaps ? settings.snap.angle : 0,
      pixel: 1 / this.camera.zoom,
    });
    this.snapLines = [];
    if (isMove && snaps && settings.snap.edges && gesture.bounds !== undefined) {
      gesture.others ??= this.edgesBeside(gesture.start.entities);
      const free = dragChange("move", gesture.handle, gesture.frame, gesture.from, to, { grid: 0, angle: 0 });
      const snapped = snapToEdges(gesture.bounds, free.x, free.y, gesture.others, SNAP / this.camera.zoom);
      const { lines } = snapped;
      const [byX, byY] = [lines.some(({ axis }) => axis === "x"), lines.some(({ axis }) => axis === "y")];
      change = translation(
        byX && gesture.handle !== "y" ? snapped.dx : change.x,
        byY && gesture.handle !== "x" ? snapped.dy : change.y,
      );
      this.snapLines = lines;
    }
    const name = settings.tool === "move" ? "moveTool" : settings.tool;
    app.notes.attempt(() =>
      transformEntities(document, app.t(`step.${name}`), gesture.start, change, { key: gesture.key }),
    );
  }

  private pointerUp(event: PointerEvent): void {
    this.dropLost();
    const { gesture, app } = this;
    this.gesture = undefined;
    this.snapLines = [];
    this.redraw();
    if (gesture === undefined) return;
    const { document } = app;
    if (gesture.kind === "pan" && gesture.menu !== undefined) {
      const hit = this.pick(gesture.menu, undefined);
      openEntityMenu(app, event, hit, this.camera.toWorld(gesture.menu.x, gesture.menu.y));
    }
    if (gesture.kind === "transform") {
      if (gesture.pressed === undefined) seal(document);
      else this.click(gesture.pressed, event.shiftKey || event.ctrlKey || event.metaKey);
    }
    if (gesture.kind === "marquee") {
      const [a, b] = [
        this.camera.toWorld(gesture.from.x, gesture.from.y),
        this.camera.toWorld(gesture.to.x, gesture.to.y),
      ];
      const found = inRect(document, rectBetween(a, b));
      document.selection.replace(gesture.add ? [...document.selection.entities, ...found] : found);
    } else if (gesture.kind === "press") this.click(this.at(event), gesture.add);
  }

  /** Selects the frontmost entity; clicking the same point again selects the next one behind it. */
  private click(point: Point, add: boolean): void {
    const { selection } = this.app.document;
    const isAgain =
      this.lastClick !== undefined &&
      Math.hypot(point.x - this.lastClick.x, point.y - this.lastClick.y) < THRESHOLD;
    this.lastClick = point;
    const hit = this.pick(point, isAgain && selection.size === 1 && !add ? selection.primary : undefined);
    if (hit === undefined) {
      if (!add) selection.clear();
    } else if (add) selection.toggle(hit);
    else selection.replace([hit]);
  }

  /** Reverts the current gesture. */
  private cancel(): void {
    this.dropLost();
    const { gesture } = this;
    this.gesture = undefined;
    this.snapLines = [];
    this.redraw();
    if (gesture?.kind === "transform" && gesture.pressed === undefined) {
      const { document, notes } = this.app;
      notes.attempt(() =>
        transformEntities(document, document.t("step.moveTool"), gesture.start, translation(0, 0), {
          key: gesture.key,
        }),
      );
      seal(document);
    }
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { x, y } = this.at(event);
    if (event.shiftKey) this.camera.pan(-event.deltaY, 0);
    else this.camera.zoomAt(x, y, Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)));
    this.app.changed();
  }
}
