/**
 * Pointers on entities: events for the entity under the pointer, which bubble.
 */
import { type EntityEventKind, entityEvent } from "../../hierarchy/index.ts";
import type { GestureKind, PointerKind } from "../input/input-event.ts";
import { type Message, message } from "../messages.ts";

/** A pointer on an entity. `x` and `y` are game coordinates, the others pixels of the element, y downwards. */
export interface EntityPointer {
  /** The x in the world. */
  readonly x: number;
  /** The y in the world. */
  readonly y: number;
  /** The x in pixels from the left edge of the element. */
  readonly screenX: number;
  /** The y in pixels from the upper edge of the element. */
  readonly screenY: number;
  /** One per finger; the same from down to up. */
  readonly id: number;
  /** Mouse, finger or pen. */
  readonly kind: PointerKind;
  /** The button that went down or up: 0 is the main one. -1 for moves. */
  readonly button: number;
  /** From 0 to 1. */
  readonly pressure: number;
}

/** A pointer went down on the entity. */
export const PointerDown: EntityEventKind<EntityPointer> =
  /* @__PURE__ */ entityEvent<EntityPointer>("pointerdown");
/** A pointer went up over the entity. */
export const PointerUp: EntityEventKind<EntityPointer> =
  /* @__PURE__ */ entityEvent<EntityPointer>("pointerup");
/** A pointer moved over the entity. */
export const PointerMove: EntityEventKind<EntityPointer> =
  /* @__PURE__ */ entityEvent<EntityPointer>("pointermove");
/** A pointer went down and up on the same entity. */
export const Click: EntityEventKind<EntityPointer> = /* @__PURE__ */ entityEvent<EntityPointer>("click");
/** A pointer entered the entity itself. Does not bubble. */
export const PointerEnter: EntityEventKind<EntityPointer> = /* @__PURE__ */ entityEvent<EntityPointer>(
  "pointerenter",
  {
    bubbles: false,
  },
);
/** A pointer left the entity. */
export const PointerLeave: EntityEventKind<EntityPointer> = /* @__PURE__ */ entityEvent<EntityPointer>(
  "pointerleave",
  {
    bubbles: false,
  },
);

/** A gesture in game coordinates. */
export interface GesturePayload {
  /** Which gesture it is. */
  readonly kind: GestureKind;
  /** Whether it begins, continues or ends. */
  readonly phase: "start" | "move" | "end";
  /** The x in the world. */
  readonly x: number;
  /** The y in the world. */
  readonly y: number;
  /** How far it moved along x since the last event. */
  readonly dx: number;
  /** How far it moved along y since the last event. */
  readonly dy: number;
  /** The scale since it began. */
  readonly scale: number;
  /** The rotation since it began, positive from +x towards +y. */
  readonly angle: number;
}

/** Sent to all listeners for every gesture. */
export const Gesture: Message<GesturePayload> = /* @__PURE__ */ message<GesturePayload>("Gesture");
/** A tap on the entity. Gestures go to the entity under them when they began. */
export const Tap: EntityEventKind<GesturePayload> = /* @__PURE__ */ entityEvent<GesturePayload>("tap");
/** A pointer went down on the entity and moves. */
export const Drag: EntityEventKind<GesturePayload> = /* @__PURE__ */ entityEvent<GesturePayload>("drag");
/** Two pointers move apart or together on the entity. */
export const Pinch: EntityEventKind<GesturePayload> = /* @__PURE__ */ entityEvent<GesturePayload>("pinch");
/** Two pointers turn around each other on the entity. */
export const Rotate: EntityEventKind<GesturePayload> = /* @__PURE__ */ entityEvent<GesturePayload>("rotate");
