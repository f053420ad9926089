/**
 * What devices tell, as plain data: it can be queued, recorded and replayed.
 *
 * Positions are in CSS pixels from the upper left corner of the game's element, y downwards, as the browser gives them.
 */

export type PointerKind = "mouse" | "touch" | "pen";

/** A key that went down or up. */
export interface KeyInput {
  readonly type: "key";
  /** The physical key, as `KeyboardEvent.code`: "KeyW", "Space", "ArrowLeft". */
  readonly code: string;
  readonly down: boolean;
}

/** A pointer that moved, went down, or up. */
export interface PointerInput {
  readonly type: "pointer";
  readonly phase: "down" | "move" | "up" | "cancel";
  /** One per finger; the same from down to up. */
  readonly id: number;
  readonly kind: PointerKind;
  readonly x: number;
  readonly y: number;
  /** The button that went down or up: 0 is the main one. -1 for moves. */
  readonly button: number;
  /** From 0 to 1. */
  readonly pressure: number;
}

/** A wheel that turned. */
export interface WheelInput {
  readonly type: "wheel";
  readonly x: number;
  readonly y: number;
}

/** The state of a gamepad. */
export interface GamepadInput {
  readonly type: "gamepad";
  readonly index: number;
  readonly axes: readonly number[];
  /** From 0 to 1 each. */
  readonly buttons: readonly number[];
}

/** The window lost the focus: everything that was held is let go. */
export interface BlurInput {
  readonly type: "blur";
}

/** The element has another size. */
export interface ResizeInput {
  readonly type: "resize";
  readonly width: number;
  readonly height: number;
}

/** The name of a gesture. */
export type GestureKind = "tap" | "drag" | "pinch" | "rotate";

/** A gesture, recognised by `espalier/game/gestures`. */
export interface GestureInput {
  readonly type: "gesture";
  readonly kind: GestureKind;
  readonly phase: "start" | "move" | "end";
  /** Where it is: the finger, or the middle between two. */
  readonly x: number;
  readonly y: number;
  /** How far it went since the last time, in pixels. */
  readonly dx: number;
  readonly dy: number;
  /** Since it began: how many times as large, and how far turned in radians (clockwise on the screen). */
  readonly scale: number;
  readonly angle: number;
}

/** Something that a device said. */
export type AnyInput =
  | KeyInput
  | PointerInput
  | WheelInput
  | GamepadInput
  | BlurInput
  | ResizeInput
  | GestureInput;
