/**
 * The state of buttons and pointers in one fixed step.
 *
 * Buttons have names: `KeyboardEvent.code` for keys, `Mouse0` for the main mouse button, `Touch` for any finger, `Pen`
 * for a pen, `Pad0` for the first button of any gamepad.
 */
import type { AnyInput, DeviceInput, GamepadInput, PointerInput, PointerKind } from "./input-event.ts";

/** The current state of a pointer, in CSS pixels, y downwards. */
export interface PointerState {
  /** One per finger; the same from down to up. */
  readonly id: number;
  /** Mouse, finger or pen. */
  readonly kind: PointerKind;
  /** The x in pixels from the left edge of the element. */
  readonly x: number;
  /** The y in pixels from the upper edge of the element. */
  readonly y: number;
  /** Whether it is down. */
  readonly isDown: boolean;
  /** From 0 to 1. */
  readonly pressure: number;
}

/** A gamepad button counts as held from this value on; the specification does not define it. */
export const HELD = 0.5;

export class Devices {
  width = 0;
  height = 0;
  wheelX = 0;
  wheelY = 0;
  readonly held = new Set<string>();
  readonly pressed = new Set<string>();
  readonly released = new Set<string>();
  readonly pads = new Map<number, GamepadInput>();
  /** Touches that are down, in the order in which they came down, and the mouse and pens with past events. */
  readonly pointers = new Map<number, PointerState>();
  private mouseId: number | undefined;
  /** Whether the applied events came during a pause: nothing goes down then. */
  private isQuiet = false;
  /** Buttons that went down during a pause and are still down: of gamepads, which repeat their state, and fingers. */
  private readonly quietButtons = new Set<string>();
  private readonly quietFingers = new Set<number>();

  /** The mouse or pen; the first finger if there was neither. */
  get mouse(): PointerState | undefined {
    const mouse = this.mouseId === undefined ? undefined : this.pointers.get(this.mouseId);
    return mouse ?? this.touches[0];
  }

  get touches(): PointerState[] {
    return [...this.pointers.values()].filter(({ kind }) => kind === "touch");
  }

  /** A copy in the same state. */
  copy(): Devices {
    const copy = new Devices();
    copy.width = this.width;
    copy.height = this.height;
    copy.mouseId = this.mouseId;
    for (const name of this.held) copy.held.add(name);
    for (const [index, pad] of this.pads) copy.pads.set(index, pad);
    for (const [id, pointer] of this.pointers) copy.pointers.set(id, pointer);
    for (const name of this.quietButtons) copy.quietButtons.add(name);
    for (const id of this.quietFingers) copy.quietFingers.add(id);
    return copy;
  }

  /** Clears what applies to one step only. */
  beginStep(): void {
    this.pressed.clear();
    this.released.clear();
    this.wheelX = 0;
    this.wheelY = 0;
  }

  apply(event: AnyInput): void {
    switch (event.type) {
      case "key":
        this.press(event.code, event.down);
        break;
      case "pointer":
        this.point(event);
        break;
      case "wheel":
        if (this.isQuiet) break;
        this.wheelX += event.x;
        this.wheelY += event.y;
        break;
      case "gamepad":
        this.playPad(event);
        break;
      case "resize":
        this.width = event.width;
        this.height = event.height;
        break;
      case "blur":
        for (const name of [...this.held]) this.press(name, false);
        this.quietFingers.clear();
        for (const [id, pointer] of this.pointers) {
          if (pointer.kind === "touch") this.pointers.delete(id);
          else this.pointers.set(id, { ...pointer, isDown: false });
        }
        break;
      case "gesture":
        break;
      case "paused":
        this.applyQuietly(event.events);
        break;
    }
  }

  private applyQuietly(events: readonly DeviceInput[]): void {
    this.isQuiet = true;
    try {
      for (const event of events) this.apply(event);
    } finally {
      this.isQuiet = false;
    }
  }

  /** The strongest deflection of that axis over all gamepads. */
  axis(index: number): number {
    let most = 0;
    for (const { axes } of this.pads.values()) {
      const value = axes[index] ?? 0;
      if (Math.abs(value) > Math.abs(most)) most = value;
    }
    return most;
  }

  private press(name: string, isDown: boolean): void {
    if (this.held.has(name) === isDown || (isDown && this.isQuiet)) return;
    if (isDown) {
      this.held.add(name);
      this.pressed.add(name);
    } else {
      this.held.delete(name);
      this.released.add(name);
    }
  }

  private point({ phase, id, kind, x, y, button, pressure }: PointerInput): void {
    const isEnd = phase === "up" || phase === "cancel";
    if (kind === "touch" && this.isQuietFinger(id, phase)) return;
    if (kind === "mouse") {
      if (phase === "cancel") this.releaseMouse();
      else if (phase !== "move") this.press(`Mouse${Math.max(0, button)}`, !isEnd);
    }
    const before = this.pointers.get(id);
    const isDown = (phase === "down" && !this.isQuiet) || (phase === "move" && before?.isDown === true);
    if (kind === "touch" && isEnd) this.pointers.delete(id);
    else
      this.pointers.set(id, {
        id,
        kind,
        x,
        y,
        // A mouse is down as long as any of its buttons is.
        isDown: isDown || (kind === "mouse" && this.mouseButtons().length > 0),
        pressure,
      });
    if (kind !== "touch") this.mouseId = id;
    if (phase === "move") return;
    if (kind === "touch") this.press("Touch", this.touches.length > 0);
    else if (kind === "pen") this.press("Pen", !isEnd);
  }

  private mouseButtons(): string[] {
    return [...this.held].filter((name) => name.startsWith("Mouse"));
  }

  private releaseMouse(): void {
    for (const name of this.mouseButtons()) this.press(name, false);
  }

  private playPad(event: GamepadInput): void {
    const before = this.pads.get(event.index)?.buttons.length ?? 0;
    this.pads.set(event.index, event);
    // The maximum that any of them has or had: an unplugged one has none.
    const count = Math.max(...[...this.pads.values()].map(({ buttons }) => buttons.length), before);
    for (let k = 0; k < count; k++) {
      const isDown = [...this.pads.values()].some(({ buttons }) => (buttons[k] ?? 0) >= HELD);
      const name = `Pad${k}`;
      if (!isDown) this.quietButtons.delete(name);
      else if (this.isQuiet && !this.held.has(name)) this.quietButtons.add(name);
      if (!this.quietButtons.has(name)) this.press(name, isDown);
    }
  }

  /** Whether a finger went down during a pause: it is ignored until it goes down again. */
  private isQuietFinger(id: number, phase: PointerInput["phase"]): boolean {
    if (phase === "down") {
      if (this.isQuiet) this.quietFingers.add(id);
      else this.quietFingers.delete(id);
      // One that is down already was released unnoticed.
      if (this.isQuiet && this.pointers.delete(id)) this.press("Touch", this.touches.length > 0);
    }
    if (!this.quietFingers.has(id)) return false;
    if (phase === "up" || phase === "cancel") this.quietFingers.delete(id);
    return true;
  }
}
