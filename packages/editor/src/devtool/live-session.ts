/**
 * What the editor follows in a running world, live or in Play: changes, events, breakpoints, and how it is paused.
 */
import type { Entity, Schedule } from "espalier";
import type { RunningBehaviour } from "espalier/game";
import type { EventLog } from "./event-log.ts";
import type { LiveControl, Watch } from "./watch.ts";

/** A game that can be paused. */
export interface Pausable {
  /** Whether it is paused. */
  readonly isPaused: boolean;
  /** Pauses it. */
  pause(): void;
  /** Resumes it. */
  resume(): void;
  /** Runs one frame while paused. */
  step(): void;
  /** The hook of a behaviour that is running: breakpoints name it. A `Game` has this property. */
  readonly runningBehaviour?: RunningBehaviour | undefined;
}

/** What pauses: a structural event, or a change of the component of that name. */
export interface Breakpoints {
  readonly structure: boolean;
  readonly component: string;
}

/** The parts of the view of a live world, each updated on its own: rows of the tree, values of the selection, the activity. */
export type LivePart = "rows" | "values" | "activity";

/** A world that runs, as the editor follows it. */
export class LiveSession {
  /** Follows changes while the scene plays or the world is live. */
  watch: Watch | undefined;
  /** The controls of a live world, while the editor is open. */
  control: LiveControl | undefined;
  /** The entities whose rows are on the screen. */
  rowsOnScreen: readonly Entity[] = [];
  /** Whether structural events of a live world are logged: on request, because the game then reports every entity. */
  isRecording = false;
  /** Whether the changes of the next frame of a live world are to be listed. */
  isCaptureWanted = false;
  log: EventLog | undefined;
  /** How many entities there were in the last frames. */
  counts: readonly number[] = [];
  breakpoints: Breakpoints = { structure: false, component: "" };
  /** Pauses a live game, if it can be paused. */
  pausable: Pausable | undefined;
  /** The schedule of a live world, whose timings are shown. */
  schedule: Schedule | undefined;
  /** One counter per part of a live world, incremented with each update. */
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

  /** Notifies the listeners of one part of a live world. */
  pulse(part: LivePart): void {
    this.pulses[part]++;
    for (const listener of [...this.listeners[part]]) listener();
  }
}

function added(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
