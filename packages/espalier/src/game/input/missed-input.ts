/**
 * Events during a pause, for the next step to process.
 */
import { HELD } from "./devices.ts";
import type { AnyInput, DeviceInput, GamepadInput } from "./input-event.ts";

/**
 * Adds events. Leaves out those without an effect after the pause, and removes those that the new event makes superfluous, so that a
 * moving mouse or a jittering stick does not fill a long list during a long pause.
 */
export function addMissed(missed: DeviceInput[], events: readonly AnyInput[]): void {
  for (const event of events) {
    if (event.type === "paused") addMissed(missed, event.events);
    else if (event.type !== "wheel" && event.type !== "gesture") {
      const last = lastOfSameDevice(missed, event);
      if (last >= 0 && isSuperfluous(missed[last] as DeviceInput, event)) missed.splice(last, 1);
      missed.push(event);
    }
  }
}

function lastOfSameDevice(missed: readonly DeviceInput[], event: DeviceInput): number {
  let k = missed.length - 1;
  while (k >= 0 && !isOfSameDevice(missed[k] as DeviceInput, event)) k--;
  return k;
}

function isOfSameDevice(earlier: DeviceInput, later: DeviceInput): boolean {
  // All devices release.
  if (earlier.type === "blur") return true;
  if (earlier.type === "pointer") return later.type === "pointer" && earlier.id === later.id;
  if (earlier.type === "gamepad") return later.type === "gamepad" && earlier.index === later.index;
  return earlier.type === later.type;
}

/** Whether the earlier of two consecutive events of one device changes nothing that the later one does not. */
function isSuperfluous(earlier: DeviceInput, later: DeviceInput): boolean {
  if (earlier.type === "pointer" && later.type === "pointer")
    return earlier.phase === "move" && later.phase === "move";
  if (earlier.type === "gamepad" && later.type === "gamepad") return holdTheSame(earlier, later);
  return earlier.type === "resize" && later.type === "resize";
}

function holdTheSame(a: GamepadInput, b: GamepadInput): boolean {
  return (
    a.buttons.length === b.buttons.length &&
    a.buttons.every((value, k) => value >= HELD === (b.buttons[k] as number) >= HELD)
  );
}
