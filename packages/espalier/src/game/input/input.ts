/**
 * The input of a game: events come in whenever they like and are taken in at the start of each fixed step, so that a
 * step sees one state, and a recording of them replays to the same world.
 */
import { describeValue, expectArguments, InvalidArgumentError } from "../../ecs/index.ts";
import type { Point } from "../../transform/index.ts";
import { type ActionMap, Actions } from "./actions.ts";
import { Devices, type PointerState } from "./devices.ts";
import type { AnyInput, DeviceInput } from "./input-event.ts";
import { inputProblem } from "./input-problem.ts";
import { addMissed } from "./missed-input.ts";

/** What the player does, as actions, keys and pointers. */
export class Input extends Actions {
  /** As the steps of the game see them. */
  private readonly ofSteps: Devices;
  /** As they are during a pause, while there is one. */
  private ofPause: Devices | undefined;
  /** What came in a pause since the last step; `undefined` when there was none. */
  private missed: DeviceInput[] | undefined;
  private queue: AnyInput[] = [];
  private present: readonly AnyInput[] = [];
  /** Takes the place of the queue while a recording is played. */
  private playing: ((tick: number) => readonly AnyInput[]) | undefined;
  private recorded: [number, readonly AnyInput[]][] | undefined;

  constructor(actions: ActionMap = {}) {
    const devices = new Devices();
    super(devices, actions);
    this.ofSteps = devices;
  }

  /** Hands in what a device said; for tests, bots and devices of your own. Taken in at the next step. */
  feed(...events: readonly AnyInput[]): void {
    for (const event of events) {
      const why = inputProblem(event);
      if (why === undefined) continue;
      throw new InvalidArgumentError(`Cannot feed ${describeValue(event)} as input: ${why}. See AnyInput.`, {
        value: event,
      });
    }
    if (this.playing === undefined) this.queue.push(...events);
  }

  /** What came in at the start of this step; while the game is paused, of this frame. */
  get events(): readonly AnyInput[] {
    return this.present;
  }

  /** Whether a key or button is held, by its own name: "KeyW", "Mouse0", "Touch", "Pad0". */
  isButtonDown(name: string): boolean {
    return this.devices.held.has(name);
  }

  /** Whether a key or button went down in this step, by its own name. */
  wasButtonPressed(name: string): boolean {
    return this.devices.pressed.has(name);
  }

  /** Whether a key or button went up in this step, by its own name. */
  wasButtonReleased(name: string): boolean {
    return this.devices.released.has(name);
  }

  /** Raw: in CSS pixels from the upper left corner of the element, y downwards. `undefined` before it was seen. */
  getMousePosition(): Point | undefined {
    const { mouse } = this.devices;
    return mouse === undefined ? undefined : { x: mouse.x, y: mouse.y };
  }

  /** Raw: the finger that came down as the `index`-th of those that are down. */
  getTouch(index: number): Point | undefined {
    const touch = typeof index === "number" ? this.devices.touches[index] : undefined;
    return touch === undefined ? undefined : { x: touch.x, y: touch.y };
  }

  /** How many fingers are down. */
  get touchCount(): number {
    return this.devices.touches.length;
  }

  /** Everything that points: mouse, pens and fingers. */
  get pointers(): readonly PointerState[] {
    return [...this.devices.pointers.values()];
  }

  /** How far the wheel was turned in this step, in CSS pixels. */
  get wheel(): Point {
    return { x: this.devices.wheelX, y: this.devices.wheelY };
  }

  /** The size of the element in CSS pixels; 0 while there is none. */
  get size(): { readonly width: number; readonly height: number } {
    return { width: this.devices.width, height: this.devices.height };
  }

  // Called by the game -----------------------------------------------------------------------------------------------------

  /**
   * Takes in what came since the last step.
   * @param isPaused - Whether it is a single step in the middle of a pause.
   * @internal
   */
  beginStep(tick: number, isPaused: boolean): void {
    const { queue, missed } = this;
    const paused: AnyInput[] = missed ? [{ type: "paused", events: missed, isOver: !isPaused }] : [];
    const events = this.playing === undefined ? [...paused, ...queue] : this.played(this.playing, tick);
    this.queue = [];
    this.missed = undefined;
    this.present = events;
    this.devices = this.ofSteps;
    this.devices.beginStep();
    for (const event of events) {
      this.devices.apply(event);
      // Frames of the pause took in what they came with.
      if (event.type !== "paused") this.ofPause?.apply(event);
    }
    if (events.length > 0) this.recorded?.push([tick, events]);
  }

  /** What comes from now on is not for steps. @internal */
  beginPause(): void {
    this.missed ??= [];
  }

  /** Takes in what came since the last frame of a pause. Steps do not see it. @internal */
  beginPausedFrame(): void {
    this.ofPause ??= this.ofSteps.copy();
    this.present = this.queue;
    this.devices = this.ofPause;
    this.devices.beginStep();
    for (const event of this.queue) this.devices.apply(event);
    this.miss();
  }

  /** What comes from now on is for steps again. @internal */
  endPause(): void {
    this.miss();
    // What is read before the next step is still of the frame that ended the pause, not of the last step before it.
    this.ofPause = undefined;
  }

  private miss(): void {
    this.missed ??= [];
    addMissed(this.missed, this.queue);
    this.queue = [];
  }

  private played(play: (tick: number) => readonly AnyInput[], tick: number): readonly AnyInput[] {
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

  /** Ends the recording and gives what arrived, by step. */
  stopRecording(): readonly (readonly [number, readonly AnyInput[]])[] {
    const recorded = this.recorded ?? [];
    this.recorded = undefined;
    return recorded;
  }

  /** Whether input is being recorded. */
  get isRecording(): boolean {
    return this.recorded !== undefined;
  }

  /** Plays events by step instead of those of the devices; `undefined` ends that. */
  play(events: ((tick: number) => readonly AnyInput[]) | undefined): void {
    if (events !== undefined) expectArguments("play input", ["what gives it", events, "function"]);
    this.playing = events;
    this.queue = [];
  }
}
