/**
 * The input of a game: events come in whenever they like and are taken in at the start of each fixed step, so that a
 * step sees one state, and a recording of them replays to the same world.
 */
import { describeValue, expectArguments, InvalidArgumentError } from "../../ecs/index.ts";
import type { Point } from "../../transform/index.ts";
import { type ActionMap, Actions } from "./actions.ts";
import { Devices, type PointerState } from "./devices.ts";
import type { InputEvent } from "./input-event.ts";
import { inputProblem } from "./input-problem.ts";

/** What the player does, as actions, keys and pointers. */
export class Input extends Actions {
  private readonly state: Devices;
  private queue: InputEvent[] = [];
  private present: readonly InputEvent[] = [];
  /** Takes the place of the queue while a recording is played. */
  private playing: ((tick: number) => readonly InputEvent[]) | undefined;
  private recorded: [number, readonly InputEvent[]][] | undefined;

  constructor(actions: ActionMap = {}) {
    const devices = new Devices();
    super(devices, actions);
    this.state = devices;
  }

  /** Hands in what a device said; for tests, bots and devices of your own. Taken in at the next step. */
  feed(...events: readonly InputEvent[]): void {
    for (const event of events) {
      const why = inputProblem(event);
      if (why === undefined) continue;
      throw new InvalidArgumentError(
        `Cannot feed ${describeValue(event)} as input: ${why}. See InputEvent.`,
        { value: event },
      );
    }
    if (this.playing === undefined) this.queue.push(...events);
  }

  /** What came in at the start of this step. */
  get events(): readonly InputEvent[] {
    return this.present;
  }

  /** Whether a key or button is held, by its own name: "KeyW", "Mouse0", "Touch", "Pad0". */
  isButtonDown(name: string): boolean {
    return this.state.held.has(name);
  }

  wasButtonPressed(name: string): boolean {
    return this.state.pressed.has(name);
  }

  wasButtonReleased(name: string): boolean {
    return this.state.released.has(name);
  }

  /** Raw: in CSS pixels from the upper left corner of the element, y downwards. `undefined` before it was seen. */
  getMousePosition(): Point | undefined {
    const { mouse } = this.state;
    return mouse === undefined ? undefined : { x: mouse.x, y: mouse.y };
  }

  /** Raw: the finger that came down as the `index`-th of those that are down. */
  getTouch(index: number): Point | undefined {
    const touch = typeof index === "number" ? this.state.touches[index] : undefined;
    return touch === undefined ? undefined : { x: touch.x, y: touch.y };
  }

  get touchCount(): number {
    return this.state.touches.length;
  }

  /** Everything that points: mouse, pens and fingers. */
  get pointers(): readonly PointerState[] {
    return [...this.state.pointers.values()];
  }

  /** How far the wheel was turned in this step, in CSS pixels. */
  get wheel(): Point {
    return { x: this.state.wheelX, y: this.state.wheelY };
  }

  /** The size of the element in CSS pixels; 0 while there is none. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.state.width, height: this.state.height };
  }

  // Called by the game -----------------------------------------------------------------------------------------------------

  /** Takes in what came since the last step. @internal */
  beginStep(tick: number): void {
    const events = this.playing === undefined ? this.queue : this.played(this.playing, tick);
    this.queue = [];
    this.present = events;
    this.state.beginStep();
    for (const event of events) this.state.apply(event);
    if (events.length > 0) this.recorded?.push([tick, events]);
  }

  private played(play: (tick: number) => readonly InputEvent[], tick: number): readonly InputEvent[] {
    const events = play(tick);
    expectArguments("play input", [`what was given for step ${describeValue(tick)}`, events, "list"]);
    for (const event of events) {
      const why = inputProblem(event);
      if (why !== undefined)
        throw new InvalidArgumentError(`Cannot play ${describeValue(event)}: ${why}.`, { value: event });
    }
    return events;
  }

  /** From now on what comes is also kept. */
  startRecording(): void {
    this.recorded = [];
  }

  stopRecording(): readonly (readonly [number, readonly InputEvent[]])[] {
    const recorded = this.recorded ?? [];
    this.recorded = undefined;
    return recorded;
  }

  get isRecording(): boolean {
    return this.recorded !== undefined;
  }

  /** Plays events by step instead of those of the devices; `undefined` ends that. */
  play(events: ((tick: number) => readonly InputEvent[]) | undefined): void {
    if (events !== undefined) expectArguments("play input", ["what gives it", events, "function"]);
    this.playing = events;
    this.queue = [];
  }
}
