/**
 * Input of devices as plain data: it can be queued, recorded and replayed.
 *
 * Positions are in CSS pixels from the upper left corner of the game's element, y downwards, as the browser gives them.
 */

/** What points. */
export type PointerKind = "mouse" | "touch" | "pen";

/** A key that went down or up. */
export interface KeyInput {
  /** The kind of input. */
  readonly type: "key";
  /** The physical key, as `KeyboardEvent.code`: "KeyW", "Space", "ArrowLeft". */
  readonly code: string;
  /** Whether it went down. */
  readonly down: boolean;
}

/** A pointer that moved, went down, or up. */
export interface PointerInput {
  /** The kind of input. */
  readonly type: "pointer";
  /** What happened to it. */
  readonly phase: "down" | "move" | "up" | "cancel";
  /** One per finger; the same from down to up. */
  readonly id: number;
  /** Mouse, finger or pen. */
  readonly kind: PointerKind;
  /** The x in pixels from the left edge of the element. */
  readonly x: number;
  /** The y in pixels from the upper edge of the element. */
  readonly y: number;
  /** The button that went down or up: 0 is the main one. -1 for moves. */
  readonly button: number;
  /** From 0 to 1. */
  readonly pressure: number;
}

/** A wheel that turned. */
export interface WheelInput {
  /** The kind of input. */
  readonly type: "wheel";
  /** How far it turned sideways, in pixels. */
  readonly x: number;
  /** How far it turned, in pixels; positive is down. */
  readonly y: number;
}

/** The state of a gamepad. */
export interface GamepadInput {
  /** The kind of input. */
  readonly type: "gamepad";
  /** Which gamepad it is, from 0. */
  readonly index: number;
  /** From -1 to 1 each. */
  readonly axes: readonly number[];
  /** From 0 to 1 each. */
  readonly buttons: readonly number[];
}

/** The window lost the focus: everything that was held is released. */
export interface BlurInput {
  /** The kind of input. */
  readonly type: "blur";
}

/** The element has another size. */
export interface ResizeInput {
  /** The kind of input. */
  readonly type: "resize";
  /** The width of the element, in pixels. */
  readonly width: number;
  /** The height of the element, in pixels. */
  readonly height: number;
}

/** The name of a gesture. */
export type GestureKind = "tap" | "drag" | "pinch" | "rotate";

/** A gesture, recognised by `espalier/game/gestures`. */
export interface GestureInput {
  /** The kind of input. */
  readonly type: "gesture";
  /** Which gesture it is. */
  readonly kind: GestureKind;
  /** Whether it begins, continues or ends. */
  readonly phase: "start" | "move" | "end";
  /** Where it is: the finger, or the middle between two. */
  readonly x: number;
  /** See `x`. */
  readonly y: number;
  /** How far it went since the last time, in pixels. */
  readonly dx: number;
  /** See `dx`. */
  readonly dy: number;
  /** Since it began: how many times as large, and how far turned in radians (clockwise on the screen). */
  readonly scale: number;
  /** See `scale`. */
  readonly angle: number;
}

/** What a device can say. */
export type DeviceInput =
  | KeyInput
  | PointerInput
  | WheelInput
  | GamepadInput
  | BlurInput
  | ResizeInput
  | GestureInput;

/**
 * What came while the game was paused, put before what comes in the first step after it. What was let go meanwhile is let go; what
 * was pressed counts only when it is pressed again.
 */
export interface PausedInput {
  /** Distinguishes it from events of devices. */
  readonly type: "paused";
  /** What they said, in order. */
  readonly events: readonly DeviceInput[];
  /** Whether the pause has ended; not where a single step is made in it. */
  readonly isOver: boolean;
}

/** Something that a device said, or what all of them said during a pause. */
export type AnyInput = DeviceInput | PausedInput;
