/**
 * What is followed of a world while it runs, by itself or in Play: changes, events, breakpoints, and how it is paused.
 */
import type { Entity, Schedule } from "espalier";
import type { RunningBehaviour } from "espalier/game";
import type { EventLog } from "./event-log.ts";
import type { LiveControl, Watch } from "./watch.ts";

/** A game that can be held. */
export interface Pausable {
  /** Whether it is held now. */
  readonly isPaused: boolean;
  /** Holds it. */
  pause(): void;
  /** Lets it go on. */
  resume(): void;
  /** Runs one frame while paused. */
  step(): void;
  /** The hook of a behaviour that runs now: breakpoints name it. A `Game` knows it. */
  readonly runningBehaviour?: RunningBehaviour | undefined;
}

/** What pauses: a structural event, or a change of the component of that name. */
export interface Breakpoints {
  readonly structure: boolean;
  readonly component: string;
}

/** What a live world is shown in, each brought up to date by itself: rows of the tree, values of the selection, the activity. */
export type LivePart = "rows" | "values" | "activity";

/** A world that runs, as the editor follows it. */
export class LiveSession {
  /** Follows what changes, while the scene plays or the world is live. */
  watch: Watch | undefined;
  /** Of a live world, while the editor is open. */
  control: LiveControl | undefined;
  /** The entities whose rows are on the screen. */
  rowsOnScreen: readonly Entity[] = [];
  /** Structural events of a live world are logged: on request, because the game then reports every entity. */
  isRecording = false;
  /** The changes of the next frame of a live world are to be listed. */
  isCaptureWanted = false;
  log: EventLog | undefined;
  /** How many entities there were in the last frames. */
  counts: readonly number[] = [];
  breakpoints: Breakpoints = { structure: false, component: "" };
  /** How a live game is paused, when it can be. */
  pausable: Pausable | undefined;
  /** The schedule of a live world, whose timings are shown. */
  schedule: Schedule | undefined;
  /** Grow with each part of a live world that is brought up to date. */
  readonly pulses = { rows: 0, values: 0, activity: 0 };
  private readonly listeners = {
    rows: new Set<() => void>(),
    values: new Set<() => void>(),
    activity: new Set<() => void>(),
  };
  private readonly changed: () => void;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  setBreakpoints(breakpoints: Breakpoints): void {
    this.breakpoints = breakpoints;
    this.changed();
  }

  /** Adds a listener to one part of a live world. Returns a function that removes it. */
  readonly subscribeTo: { readonly [part in LivePart]: (listener: () => void) => () => void } = {
    rows: (listener) => added(this.listeners.rows, listener),
    values: (listener) => added(this.listeners.values, listener),
    activity: (listener) => added(this.listeners.activity, listener),
  };

  /** Reports that one part of a live world changed, to those that show it. */
  pulse(part: LivePart): void {
    this.pulses[part]++;
    for (const listener of [...this.listeners[part]]) listener();
  }
}

function added(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
