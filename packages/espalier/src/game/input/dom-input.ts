/**
 * Mouse, touch, pen, keyboard, wheel and gamepads of a browser, as input events.
 */
import { type ArgumentTest, expectArguments } from "../../ecs/index.ts";
import type { AnyInput, PointerInput, PointerKind } from "./input-event.ts";

/** Input of a page that is being listened to. Made by `listenToDom`. */
export interface DomInput {
  /** Reads the gamepads, which send no events. Once a frame. */
  poll(): void;
  /** Removes all listeners. */
  dispose(): void;
}

/** Keys that scroll the page or press the button that has the focus; a game handles them, except in text fields. */
const scrollingKeys = new Set([
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Space",
  "PageUp",
  "PageDown",
  "Home",
  "End",
]);

const anElement: ArgumentTest = {
  expected: "an element of a page",
  fits: (value) => typeof (Object(value) as Partial<HTMLElement>).addEventListener === "function",
};

/**
 * Listens to an element (pointers, wheel) and its window (keys, focus). A game with a renderer or an `element` does so
 * automatically; this is for input
 * that is sent elsewhere, such as to a game in a worker.
 *
 * @param feed - Receives every event.
 */
export function listenToDom(element: HTMLElement, feed: (event: AnyInput) => void): DomInput {
  expectArguments("listen to an element", ["the element", element, anElement], ["feed", feed, "function"]);
  const view = element.ownerDocument.defaultView ?? window;
  const stops: (() => void)[] = [];
  const listen = <E extends Event>(
    target: EventTarget,
    names: readonly string[],
    handle: (event: E) => void,
    options?: AddEventListenerOptions,
  ) => {
    for (const name of names) {
      target.addEventListener(name, handle as (event: Event) => void, options);
      stops.push(() => target.removeEventListener(name, handle as (event: Event) => void, options));
    }
  };

  const pointer = (name: PointerInput["phase"]) => (event: PointerEvent) => {
    const { left, top } = element.getBoundingClientRect();
    if (name === "down") capture(element, event.pointerId);
    const phase = name === "move" ? phaseOfMove(event) : name;
    feed({
      type: "pointer",
      phase,
      id: event.pointerId,
      kind: kindOf(event.pointerType),
      x: event.clientX - left,
      y: event.clientY - top,
      button: event.button,
      pressure: event.pressure,
    });
  };
  listen(element, ["pointerdown"], pointer("down"));
  listen(element, ["pointermove"], pointer("move"));
  listen(element, ["pointerup"], pointer("up"));
  listen(element, ["pointercancel"], pointer("cancel"));
  listen(element, ["contextmenu"], (event) => event.preventDefault());
  listen<WheelEvent>(
    element,
    ["wheel"],
    (event) => {
      event.preventDefault();
      feed({ type: "wheel", x: event.deltaX, y: event.deltaY });
    },
    { passive: false },
  );
  listen<KeyboardEvent>(view, ["keydown", "keyup"], (event) => {
    const { code } = event;
    if (event.type === "keyup") {
      // Even in a text field: otherwise a key that went down in the game would be held for ever.
      feed({ type: "key", code, down: false });
      return;
    }
    if (isTaken(event.target, code)) return;
    if (scrollingKeys.has(code)) event.preventDefault();
    if (!event.repeat) feed({ type: "key", code, down: true });
  });
  listen(view, ["blur"], () => feed({ type: "blur" }));
  listen(element.ownerDocument, ["visibilitychange"], () => {
    if (element.ownerDocument.hidden) feed({ type: "blur" });
  });

  const { touchAction } = element.style;
  // Without it, the browser scrolls and zooms instead of sending events.
  element.style.touchAction = "none";
  stops.push(() => {
    element.style.touchAction = touchAction;
  });
  const resize = () => feed({ type: "resize", width: element.clientWidth, height: element.clientHeight });
  resize();
  if (typeof ResizeObserver === "function") {
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    stops.push(() => observer.disconnect());
  }

  const seen = new Map<number, string>();
  return {
    poll() {
      const gone = new Set(seen.keys());
      for (const pad of view.navigator.getGamepads?.() ?? []) {
        if (pad === null) continue;
        gone.delete(pad.index);
        const axes = pad.axes.map(rounded);
        const buttons = pad.buttons.map(({ value }) => rounded(value));
        const text = `${axes}|${buttons}`;
        // Sent only when something moved, so that recordings stay small.
        if (seen.get(pad.index) === text) continue;
        seen.set(pad.index, text);
        feed({ type: "gamepad", index: pad.index, axes, buttons });
      }
      // An unplugged gamepad holds nothing.
      for (const index of gone) {
        seen.delete(index);
        feed({ type: "gamepad", index, axes: [], buttons: [] });
      }
    },
    dispose() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}

/** Sticks jitter in the last digits. */
const rounded = (value: number) => Math.round(value * 1000) / 1000;

function capture(element: HTMLElement, pointer: number): void {
  try {
    element.setPointerCapture(pointer);
  } catch {
    // A pointer that is gone already, or made by a script: nothing to capture.
  }
}

/** By `PointerEvent.button`: its bit in `buttons`. */
const buttonBits = [1, 4, 2, 8, 16];

/** Additional buttons of a mouse are reported as moves: only the first and the last are sent as down and up. */
function phaseOfMove({ pointerType, button, buttons }: PointerEvent): PointerInput["phase"] {
  if (kindOf(pointerType) !== "mouse" || button < 0) return "move";
  return (buttons & (buttonBits[button] ?? 0)) === 0 ? "up" : "down";
}

function kindOf(type: string): PointerKind {
  return type === "touch" || type === "pen" ? type : "mouse";
}

/** Inputs in which nothing is typed, and the keys that move them. */
const knobs = /^(range|checkbox|radio)$/;
const knobKeys = /^(Arrow|Page|Home|End|Space)/;

/** Whether the key is used by a field of the page. */
function isTaken(target: EventTarget | null, code: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || /^(textarea|select)$/i.test(target.tagName)) return true;
  return target instanceof HTMLInputElement && (!knobs.test(target.type) || knobKeys.test(code));
}
