/**
 * Input of devices as plain data: it can be queued, recorded and replayed.
 *
 * Positions are in CSS pixels from the upper left corner of the game's element, y downwards, as in browser events.
 */

/** The kind of a pointer. */
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
  /** The x of the finger, or of the middle between two. */
  readonly x: number;
  /** The y of the finger, or of the middle between two. */
  readonly y: number;
  /** How far it moved along x since the last event, in pixels. */
  readonly dx: number;
  /** How far it moved along y since the last event, in pixels. */
  readonly dy: number;
  /** The scale since it began. */
  readonly scale: number;
  /** The rotation since it began, in radians, clockwise on the screen. */
  readonly angle: number;
}

/** An event of a device. */
export type DeviceInput =
  | KeyInput
  | PointerInput
  | WheelInput
  | GamepadInput
  | BlurInput
  | ResizeInput
  | GestureInput;

/**
 * Events that came while the game was paused, placed before those of the first step after it. Buttons released meanwhile are released;
 * buttons pressed meanwhile count only when they are pressed again.
 */
export interface PausedInput {
  /** Distinguishes it from events of devices. */
  readonly type: "paused";
  /** The events, in order. */
  readonly events: readonly DeviceInput[];
  /** Whether the pause has ended; `false` for a single step during it. */
  readonly isOver: boolean;
}

/** An event of a device, or all events of a pause. */
export type AnyInput = DeviceInput | PausedInput;
