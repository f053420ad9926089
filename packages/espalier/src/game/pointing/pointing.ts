/**
 * From the pixels of devices to the entities of the game: coordinates, picking, and pointer events.
 */
import type { Entity } from "../../ecs/index.ts";
import type { EntityEventKind, EntityEvents } from "../../hierarchy/index.ts";
import {
  activeCamera,
  type CameraView,
  createRecordingRenderer,
  isInArea,
  type RecordingRenderer,
  type Size,
  screenToWorld,
  viewOfCamera,
  type WorldRenderer,
  type YAxis,
} from "../../render/index.ts";
import type { Point } from "../../transform/index.ts";
import type { EntityHost } from "../entity-object.ts";
import type { Input } from "../input/input.ts";
import type { GestureInput, GestureKind, PointerInput } from "../input/input-event.ts";
import type { Messages } from "../messages.ts";
import {
  Click,
  Drag,
  type EntityPointer,
  Gesture,
  type GesturePayload,
  Pinch,
  PointerDown,
  PointerEnter,
  PointerLeave,
  PointerMove,
  PointerUp,
  Rotate,
  Tap,
} from "./pointer-events.ts";

/** Finds which entities are drawn at a point, topmost first. */
export type Picker = Pick<WorldRenderer, "hitTestAll"> &
  Partial<Pick<WorldRenderer, "onScreenAt" | "cameraViews">>;

const gestureEvents: Readonly<Record<GestureKind, EntityEventKind<GesturePayload>>> = {
  tap: Tap,
  drag: Drag,
  pinch: Pinch,
  rotate: Rotate,
};
const pointerKinds = [PointerDown, PointerUp, PointerMove, Click, PointerEnter, PointerLeave];

export class Pointing {
  private readonly host: EntityHost;
  private readonly input: Input;
  private readonly messages: Messages;
  private readonly yAxis: YAxis;
  private readonly given: Picker | undefined;
  private own: RecordingRenderer | undefined;
  /** The size of `own`. */
  private ownSize: Size = { width: 800, height: 600 };
  /** By pointer: the entity under it. */
  private readonly over = new Map<number, Entity>();
  /** By pointer and button: the entity it went down on. */
  private readonly downOn = new Map<string, Entity>();
  /** By kind of gesture: the entity it began on. */
  private readonly gestureOn = new Map<GestureKind, Entity | undefined>();

  /** @param picker - A renderer that can find entities at a point. Without it, only geometry counts: pictures have no size. */
  constructor(host: EntityHost, input: Input, messages: Messages, yAxis: YAxis, picker: Picker | undefined) {
    this.host = host;
    this.input = input;
    this.messages = messages;
    this.yAxis = yAxis;
    this.given = picker;
  }

  /** The size of the screen, from the input. */
  get screen(): Size {
    return this.input.size;
  }

  /** The current view of the active camera. */
  view(): CameraView {
    const { space, world } = this.host;
    return viewOfCamera(space, activeCamera(world), this.screen, { yAxis: this.yAxis });
  }

  /** A point of the screen in game coordinates. */
  toGame(point: Point | undefined): Point | undefined {
    return point === undefined ? undefined : screenToWorld(this.view(), point.x, point.y);
  }

  /** The entities drawn at a point of the world, topmost first. Hidden and inactive ones are skipped. */
  pickAll(x: number, y: number): Entity[] {
    return this.picker().hitTestAll(x, y);
  }

  /** The entity at a point of the screen: first those on the screen, then those in the world. Bars show nothing. */
  private targetAt({ x, y }: Point): Entity | undefined {
    const picker = this.picker();
    const [top] = picker.onScreenAt?.(x, y) ?? [];
    if (top !== undefined) return top;
    const view = this.viewAt(x, y);
    // Without a size there are no bars: a game without an element.
    if (view.screen.width > 0 && !isInArea(view, x, y)) return undefined;
    const point = screenToWorld(view, x, y);
    return picker.hitTestAll(point.x, point.y)[0];
  }

  /** The view at a point of the screen: that of the topmost viewport there. */
  private viewAt(x: number, y: number): CameraView {
    const views = this.given?.cameraViews?.() ?? [];
    for (let k = views.length - 1; k > 0; k--) if (isInArea(views[k], x, y)) return views[k];
    return views.length > 1 ? views[0] : this.view();
  }

  /** Sends the pointer events of this step. Costs nothing without handlers. */
  step(): void {
    const { events } = this.input;
    if (events.length === 0) return;
    const isHandled = pointerKinds.some((kind) => this.host.events.isHandled(kind));
    for (const event of events) {
      if (event.type === "pointer" && isHandled) this.point(event);
      else if (event.type === "gesture") this.gesture(event);
      else if (event.type === "paused") this.forgetPresses();
    }
  }

  /** Presses before a pause do not end after it, because they may have ended meanwhile. */
  private forgetPresses(): void {
    this.downOn.clear();
    this.gestureOn.clear();
  }

  dispose(): void {
    this.own?.dispose();
    this.own = undefined;
  }

  private point(input: PointerInput): void {
    const { x, y } = screenToWorld(this.viewAt(input.x, input.y), input.x, input.y);
    const { phase, id, kind, button, pressure } = input;
    const pointer: EntityPointer = { x, y, screenX: input.x, screenY: input.y, id, kind, button, pressure };
    const target = phase === "cancel" ? undefined : this.targetAt(input);
    this.hover(id, target, pointer);
    if (phase === "move") this.emit(target, PointerMove, pointer);
    const press = `${id} ${button}`;
    if (phase === "down") {
      if (target === undefined) this.downOn.delete(press);
      else this.downOn.set(press, target);
      this.emit(target, PointerDown, pointer);
    }
    if (phase === "up" || phase === "cancel") {
      const began = this.downOn.get(press);
      this.downOn.delete(press);
      this.emit(target, PointerUp, pointer);
      if (target !== undefined && began === target) this.emit(target, Click, pointer);
      // A lifted finger is over nothing.
      if (kind === "touch") this.hover(id, undefined, pointer);
    }
  }

  private hover(id: number, target: Entity | undefined, pointer: EntityPointer): void {
    const before = this.over.get(id);
    if (before === target) return;
    if (target === undefined) this.over.delete(id);
    else this.over.set(id, target);
    this.emit(before, PointerLeave, pointer);
    this.emit(target, PointerEnter, pointer);
  }

  private gesture(input: GestureInput): void {
    const view = this.viewAt(input.x, input.y);
    const { x, y } = screenToWorld(view, input.x, input.y);
    const before = screenToWorld(view, input.x - input.dx, input.y - input.dy);
    const { kind, phase, scale } = input;
    const angle = this.yAxis === "up" ? -input.angle : input.angle;
    const payload: GesturePayload = { kind, phase, x, y, dx: x - before.x, dy: y - before.y, scale, angle };
    this.messages.send(Gesture, payload);
    const event = gestureEvents[kind];
    if (!this.host.events.isHandled(event)) return;
    if (phase === "start" || kind === "tap")
      this.gestureOn.set(kind, this.targetAt({ x: input.x - input.dx, y: input.y - input.dy }));
    this.emit(this.gestureOn.get(kind), event, payload);
    if (phase === "end") this.gestureOn.delete(kind);
  }

  private emit<Payload>(entity: Entity | undefined, kind: EntityEventKind<Payload>, payload: Payload): void {
    if (entity === undefined || !this.host.world.isAlive(entity)) return;
    const { events }: { events: EntityEvents } = this.host;
    (events.emit as (entity: Entity, kind: EntityEventKind<Payload>, payload: Payload) => unknown).call(
      events,
      entity,
      kind,
      payload,
    );
  }

  private picker(): Picker {
    if (this.given !== undefined) return this.given;
    this.own ??= createRecordingRenderer(this.host.space, { cull: false, yAxis: this.yAxis });
    const { width, height } = this.screen;
    if ((width !== this.ownSize.width || height !== this.ownSize.height) && width > 0 && height > 0) {
      this.ownSize = { width, height };
      this.own.resize(width, height);
    }
    // It records calls, which are not used here.
    this.own.calls.length = 0;
    return this.own;
  }
}

/** The renderer, if it can find entities at a point. */
export function pickerOf(renderer: object | undefined): Picker | undefined {
  return typeof (renderer as Partial<Picker> | undefined)?.hitTestAll === "function"
    ? (renderer as Picker)
    : undefined;
}
