/**
 * The input of a game: events arrive at any time and are processed at the start of each fixed step, so that a
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
  /** The devices in the steps of the game. */
  private readonly ofSteps: Devices;
  /** The devices during a pause, while there is one. */
  private ofPause: Devices | undefined;
  /** Events of a pause since the last step; `undefined` when there was none. */
  private missed: DeviceInput[] | undefined;
  private queue: AnyInput[] = [];
  private present: readonly AnyInput[] = [];
  /** Replaces the queue while a recording is played. */
  private playing: ((tick: number) => readonly AnyInput[]) | undefined;
  private recorded: [number, readonly AnyInput[]][] | undefined;

  constructor(actions: ActionMap = {}) {
    const devices = new Devices();
    super(devices, actions);
    this.ofSteps = devices;
  }

  /** Adds input events; for tests, bots and devices of your own. They are processed at the next step. */
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

  /** The events of this step or, while the game is paused, of this frame. */
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

  /** The raw position in CSS pixels from the upper left corner of the element, y downwards. `undefined` before the first event. */
  getMousePosition(): Point | undefined {
    const { mouse } = this.devices;
    return mouse === undefined ? undefined : { x: mouse.x, y: mouse.y };
  }

  /** The raw position of the `index`-th of the fingers that are down. */
  getTouch(index: number): Point | undefined {
    const touch = typeof index === "number" ? this.devices.touches[index] : undefined;
    return touch === undefined ? undefined : { x: touch.x, y: touch.y };
  }

  /** How many fingers are down. */
  get touchCount(): number {
    return this.devices.touches.length;
  }

  /** All pointers: mouse, pens and fingers. */
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
   * Processes the events since the last step.
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
      // Frames of the pause processed the events that came before them.
      if (event.type !== "paused") this.ofPause?.apply(event);
    }
    if (events.length > 0) this.recorded?.push([tick, events]);
  }

  /** Events from now on are not for steps. @internal */
  beginPause(): void {
    this.missed ??= [];
  }

  /** Processes the events since the last frame of a pause. Steps do not see them. @internal */
  beginPausedFrame(): void {
    this.ofPause ??= this.ofSteps.copy();
    this.present = this.queue;
    this.devices = this.ofPause;
    this.devices.beginStep();
    for (const event of this.queue) this.devices.apply(event);
    this.miss();
  }

  /** Events from now on are for steps again. @internal */
  endPause(): void {
    this.miss();
    // Reads before the next step are of the frame that ended the pause, not of the last step before it.
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

  /** Starts recording events. */
  startRecording(): void {
    this.recorded = [];
  }

  /** Ends the recording and returns the events by step. */
  stopRecording(): readonly (readonly [number, readonly AnyInput[]])[] {
    const recorded = this.recorded ?? [];
    this.recorded = undefined;
    return recorded;
  }

  /** Whether input is being recorded. */
  get isRecording(): boolean {
    return this.recorded !== undefined;
  }

  /** Plays events by step in place of those of the devices; `undefined` ends it. */
  play(events: ((tick: number) => readonly AnyInput[]) | undefined): void {
    if (events !== undefined) expectArguments("play input", ["what gives it", events, "function"]);
    this.playing = events;
    this.queue = [];
  }
}
