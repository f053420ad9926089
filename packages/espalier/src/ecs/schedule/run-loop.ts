/**
 * One run of a schedule: phases in order, each system whose turn it is, in fixed steps where there are some, and a flush behind each phase.
 */
import type { Commands } from "../commands/commands.ts";
import { type FlushResult, flush } from "../commands/flush.ts";
import { messageOf, SystemError } from "../errors.ts";
import type { World } from "../world.ts";
import type { FixedStep } from "./fixed-step.ts";
import { FlushTotal } from "./flush-total.ts";
import type { Phase } from "./phases.ts";
import type { RunCondition, System, SystemContext } from "./system.ts";
import type { SystemSet } from "./system-set.ts";

export interface PlannedSystem {
  readonly system: System;
  /** The sets around it, the innermost first. */
  readonly sets: readonly SystemSet[];
}

export interface PlannedPhase extends Phase {
  readonly systems: readonly PlannedSystem[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the options of a schedule say about its runs. */
interface RunOptions {
  readonly errors?: "throw" | "report";
  readonly timing?: boolean;
  readonly now?: () => number;
}

export class RunLoop {
  /** Whether every system is measured. */
  measures: boolean;
  isRunning = false;
  /** The system that runs now. */
  current: System | undefined = undefined;
  private readonly world: World;
  private readonly commands: Commands;
  private readonly areReported: boolean;
  private readonly now: () => number;
  private readonly context: Mutable<SystemContext>;
  /** What the conditions of sets answered in this pass through a phase. */
  private readonly answers = new Map<SystemSet, boolean>();
  /** Closed in the middle of a run, which goes no further. */
  private isCut = false;

  constructor(world: World, commands: Commands, options: RunOptions) {
    this.world = world;
    this.commands = commands;
    this.areReported = options.errors === "report";
    this.measures = options.timing ?? false;
    this.now = options.now ?? (() => performance.now());
    this.context = { world, commands, dt: 0, time: 0, tick: 0, alpha: 0 };
  }

  /** @param only - The names of those that run, without the clocks. All, in time, if left out. */
  run(plan: readonly PlannedPhase[], dt: number, only: ReadonlySet<string> | undefined): FlushResult {
    const { context } = this;
    const total = new FlushTotal();
    this.isRunning = true;
    context.dt = dt;
    try {
      for (const phase of plan) {
        this.inSteps(only ? undefined : phase.clock, () => this.runPhase(phase, total, only));
        if (this.isOver) break;
      }
    } finally {
      this.isRunning = false;
      this.isCut = false;
      if (only === undefined) {
        context.time += dt;
        context.tick++;
      }
      if (!this.world.isDisposed && this.commands.pending > 0) total.add(flush(this.world));
    }
    return total;
  }

  /** Systems behind the one that runs now no longer get their turn. */
  cut(): void {
    this.isCut = this.isRunning;
  }

  private get isOver(): boolean {
    return this.isCut || this.world.isDisposed;
  }

  private runPhase(phase: PlannedPhase, total: FlushTotal, only?: ReadonlySet<string>): void {
    this.answers.clear();
    for (const planned of phase.systems) {
      const { system } = planned;
      if (!isDue(planned, only)) continue;
      this.inSteps(only ? undefined : system.clock, () => this.runSystem(planned));
      if (this.isOver) return;
      if (system.flush) total.add(flush(this.world));
    }
    total.add(flush(this.world));
  }

  /** Calls `fn` once, or with a clock once per step that is due, with the context set to that step. */
  private inSteps(clock: FixedStep | undefined, fn: () => void): void {
    if (clock === undefined) {
      fn();
      return;
    }
    const { context } = this;
    const { dt, time, tick } = context;
    try {
      for (let left = clock.advance(dt); left > 0 && !this.isOver; left--) {
        context.dt = clock.step;
        context.tick = clock.tick++;
        context.time = context.tick * clock.step;
        fn();
      }
    } finally {
      context.dt = dt;
      context.time = time;
      context.tick = tick;
      context.alpha = clock.alpha;
    }
  }

  private runSystem({ system, sets }: PlannedSystem): void {
    const { context } = this;
    try {
      for (let k = sets.length - 1; k >= 0; k--) if (!this.allows(sets[k] as SystemSet)) return;
      if (!holds(system.conditions, context)) return;
      system.requested = false;
      const { measures } = this;
      const start = measures ? this.now() : 0;
      this.current = system;
      const returned = system.run(context) as { then?: unknown } | undefined;
      if (measures) {
        system.last = this.now() - start;
        system.total += system.last;
        system.calls++;
      }
      if (typeof returned?.then === "function") {
        throw new TypeError("it returned a promise, but a system must be done when it returns.");
      }
    } catch (cause) {
      const { name, phase } = system;
      const message = `System ${name} of phase ${phase} threw: ${messageOf(cause)}`;
      const error = new SystemError(message, { system: name, phase, cause });
      if (!this.areReported) throw error;
      this.world.onError(error);
    } finally {
      this.current = undefined;
    }
  }

  /** Whether the conditions of a set hold, asked once in each pass through a phase. */
  private allows(set: SystemSet): boolean {
    if (set.conditions.length === 0) return true;
    let answer = this.answers.get(set);
    if (answer === undefined) {
      // One that throws is not asked again for the other systems of the set.
      this.answers.set(set, false);
      answer = holds(set.conditions, this.context);
      this.answers.set(set, answer);
    }
    return answer;
  }
}

/** Whether it is a system's turn, apart from conditions. */
function isDue({ system, sets }: PlannedSystem, only: ReadonlySet<string> | undefined): boolean {
  if (!system.enabled || !sets.every((set) => set.enabled)) return false;
  if (system.onDemand && !system.requested) return false;
  return only === undefined || only.has(system.name) || sets.some((set) => only.has(set.name));
}

function holds(conditions: readonly RunCondition[], context: SystemContext): boolean {
  for (const condition of conditions) if (!condition(context)) return false;
  return true;
}
