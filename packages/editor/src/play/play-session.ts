/**
 * Play, pause, step, stop: the scene runs in the same world, on a snapshot that stop returns to exactly.
 */
import { createSchedule, type Entity, type Schedule, type SystemTiming } from "espalier";
import { diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import type { EditorDocument } from "../document/document.ts";
import { edit } from "../document/edit.ts";

/** What runs while a scene plays: it adds its systems to the schedule. Returns a function that cleans up. */
export type PlaySetup = (context: PlayContext) => (() => void) | undefined;

export interface PlayContext {
  readonly document: EditorDocument;
  readonly schedule: Schedule;
}

/** One point of the plot of entity counts. */
export interface CountSample {
  readonly frame: number;
  readonly entities: number;
}

const MOST_SAMPLES = 600;

export class PlaySession {
  readonly document: EditorDocument;
  readonly schedule: Schedule;
  state: "playing" | "paused" | "stopped" = "playing";
  frame = 0;
  samples: CountSample[] = [];
  private readonly snapshot: ArrayBuffer;
  private readonly cleanUp: (() => void)[] = [];
  private readonly wasSelected: readonly Entity[];

  constructor(document: EditorDocument, setups: readonly PlaySetup[]) {
    this.document = document;
    this.snapshot = takeSnapshot(document.world, { trees: [document.tree] });
    this.wasSelected = document.selection.entities;
    document.isPlaying = true;
    this.schedule = createSchedule(document.world, { timing: true });
    for (const setup of setups) {
      const end = setup({ document, schedule: this.schedule });
      if (end !== undefined) this.cleanUp.push(end);
    }
  }

  /** Runs one frame of `dt` seconds, when it plays. */
  tick(dt: number): void {
    if (this.state === "playing") this.run(dt);
  }

  pause(): void {
    if (this.state === "playing") this.state = "paused";
    this.document.touch();
  }

  resume(): void {
    if (this.state === "paused") this.state = "playing";
    this.document.touch();
  }

  /** Pauses and runs exactly one frame. */
  step(dt = 1 / 60): void {
    this.state = "paused";
    this.run(dt);
  }

  get timings(): readonly SystemTiming[] {
    return this.schedule.timings();
  }

  /**
   * Ends it. The world is again what it was before, or, with `keep`, stays as it is as one step that can be undone.
   */
  stop(keep = false): void {
    if (this.state === "stopped") return;
    this.state = "stopped";
    const { document } = this;
    const { world, tree } = document;
    for (const end of this.cleanUp.reverse()) end();
    this.schedule.close();
    const after = keep ? takeSnapshot(world, { trees: [tree] }) : undefined;
    const isChanged = keep && diff(this.snapshot, { world, trees: [tree] }).length > 0;
    restoreSnapshot(world, this.snapshot, { trees: [tree] });
    document.isPlaying = false;
    if (after !== undefined && isChanged) {
      edit(document, "Keep changes of play", () => restoreSnapshot(world, after, { trees: [tree] }));
    }
    document.selection.replace(this.wasSelected.filter((entity) => world.isAlive(entity)));
    document.settle();
  }

  private run(dt: number): void {
    this.schedule.run(dt);
    this.document.space.propagate();
    this.frame++;
    this.samples.push({ frame: this.frame, entities: this.document.world.count });
    if (this.samples.length > MOST_SAMPLES) this.samples.shift();
    this.document.settle();
  }
}
