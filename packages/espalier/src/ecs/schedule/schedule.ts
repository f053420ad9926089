/**
 * Schedules: which systems run, in which order, how often, and when the changes they record are made.
 *
 * A run goes through the phases in order. After each phase the recorded commands of the world are flushed, so every
 * system of a phase sees the world as the phase before left it, apart from changes made directly.
 */
import { requireList, requireObject } from "../checks/arguments.ts";
import { checkOptions } from "../checks/check-options.ts";
import { nearestName } from "../checks/nearest-name.ts";
import { type Commands, createCommands } from "../commands/commands.ts";
import { type FlushResult, flush, type RefusedCommand, type SkippedCommand } from "../commands/flush.ts";
import { describeValue } from "../components/fields.ts";
import { InvalidValueError, messageOf, ScheduleError, SystemError } from "../errors.ts";
import { stateOf, type World } from "../world.ts";
import { FixedStep, type FixedStepState } from "./fixed-step.ts";
import { ambiguousOrder, orderSystems } from "./schedule-order.ts";
import { System, type SystemContext, type SystemOptions, systemOptions } from "./system.ts";

/** A phase; with a fixed step, all its systems run once per step, one after the other, with a flush at its end. */
export interface PhaseOptions {
  /** The name that systems refer to. */
  readonly name: string;
  /** Seconds per step. */
  readonly fixedStep?: number;
  /** Most steps in one run; see `FixedStepOptions`. */
  readonly maxSteps?: number;
}

/** Options of `createSchedule`. */
export interface ScheduleOptions {
  /** In the order they run. "early", "update" and "late" if left out. */
  readonly phases?: readonly (string | PhaseOptions)[];
  /**
   * What to do about systems that touch the same data and are in no order: `warn` (the default) reports it to the
   * world's `onError` once per pair, `error` refuses to run, `allow` lets the order in which they were added decide.
   */
  readonly ambiguity?: "warn" | "error" | "allow";
  /** When a system throws: `throw` (the default) ends the run, `report` passes it to the world's `onError` and goes on. */
  readonly errors?: "throw" | "report";
  /** Measures every system from the start; see `timing`. */
  readonly timing?: boolean;
  /** The clock for timings, in milliseconds. `performance.now` if left out. */
  readonly now?: () => number;
}

const scheduleOptions = {
  phases: "anything",
  ambiguity: ["warn", "error", "allow"],
  errors: ["throw", "report"],
  timing: "boolean",
  now: "function",
} as const;

/** How long a system takes, in milliseconds. */
export interface SystemTiming {
  /** The name of the system. */
  readonly name: string;
  /** The phase it runs in. */
  readonly phase: string;
  /** Milliseconds of its last run. */
  readonly last: number;
  /** Milliseconds of its runs on average. */
  readonly average: number;
  /** How often it ran. */
  readonly calls: number;
}

/** A system as tools see it. */
export interface SystemInfo {
  /** The name of the system. */
  readonly name: string;
  /** The phase it runs in. */
  readonly phase: string;
  /** Whether it runs. */
  readonly enabled: boolean;
  /** Systems it runs before, as given. */
  readonly before: readonly string[];
  /** Systems it runs after, as given. */
  readonly after: readonly string[];
}

/**
 * Makes a schedule for the systems of a world.
 *
 * @throws ScheduleError for phases that cannot work.
 *
 * @example
 * ```ts
 * const said: string[] = [];
 * const schedule = createSchedule(world);
 * schedule.add({ name: "move", run: ({ dt }) => void said.push(`move ${dt}`) });
 * schedule.add({ name: "steer", before: "move", run: () => void said.push("steer") });
 * schedule.run(0.5);
 * said; // → ["steer", "move 0.5"]
 * ```
 */
export function createSchedule(world: World, options: ScheduleOptions = {}): Schedule {
  stateOf(world).requireUsable("create a schedule");
  checkOptions(world.checks, "create a schedule", options, scheduleOptions);
  return new Schedule(world, options);
}

interface Phase {
  readonly name: string;
  readonly clock: FixedStep | undefined;
}

interface PlannedPhase extends Phase {
  readonly systems: readonly System[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Systems in an order that follows from phases and constraints. Made by `createSchedule`. */
export class Schedule {
  private readonly world: World;
  private readonly options: ScheduleOptions;
  private readonly phases: readonly Phase[];
  private readonly commands: Commands;
  private readonly systems = new Map<string, System>();
  /** Names of systems that were removed: others may still refer to them. */
  private readonly removed = new Set<string>();
  private plan: readonly PlannedPhase[] | undefined;
  private readonly warned = new Set<string>();
  private readonly context: Mutable<SystemContext>;
  private isRunning = false;
  private current: System | undefined;
  /** Closed in the middle of a run, which goes no further. */
  private isCut = false;
  private measures: boolean;
  private readonly now: () => number;

  /** @internal Use `createSchedule(world)`. */
  constructor(world: World, options: ScheduleOptions) {
    this.world = world;
    this.options = options;
    this.phases = phasesIn(options.phases ?? ["early", "update", "late"]);
    this.commands = createCommands(world, { name: "schedule" });
    this.context = { world, commands: this.commands, dt: 0, time: 0, tick: 0, alpha: 0 };
    this.measures = options.timing ?? false;
    this.now = options.now ?? (() => performance.now());
  }

  /**
   * Adds a system. Systems it refers to may be added later; the order is worked out at the next run. While a run is
   * under way, it takes part from the next one on.
   * @throws ScheduleError for a name that is taken, an unknown phase, or options that cannot work.
   */
  add(options: SystemOptions): void {
    requireObject(options, "add a system", "it");
    checkOptions(this.world.checks, "add a system", options, systemOptions);
    const { name } = options;
    if (typeof name !== "string" || name.length === 0) {
      throw new ScheduleError(
        `Cannot add a system named ${describeValue(name)}. Give it a name that is not empty.`,
        { value: name },
      );
    }
    if (this.systems.has(name)) {
      throw new ScheduleError(
        `Cannot add system ${name}: there is one of that name. Rename one, or remove the other first.`,
        { subject: name },
      );
    }
    const phase = options.phase ?? "update";
    const names = this.phases.map((other) => other.name);
    if (!names.includes(phase)) {
      throw new ScheduleError(
        `Cannot add system ${name}: there is no phase ${describeValue(phase)}. ${nearestName(phase, names)}`,
        { subject: name, option: "phase", value: phase },
      );
    }
    this.systems.set(name, new System(options, phase));
    this.removed.delete(name);
    this.plan = undefined;
  }

  /**
   * Removes a system. Others may go on referring to it; that has no effect until a system of that name is added. While
   * a run is under way, it no longer gets its turn.
   * @throws ScheduleError when there is no such system.
   */
  remove(name: string): void {
    this.require(name, "remove").enabled = false;
    this.systems.delete(name);
    this.removed.add(name);
    this.plan = undefined;
  }

  /** Lets a disabled system run again. Its place in the order has not changed. */
  enable(name: string): void {
    this.require(name, "enable").enabled = true;
  }

  /** Passes over a system until it is enabled. The time of its fixed step stands still. */
  disable(name: string): void {
    this.require(name, "disable").enabled = false;
  }

  /** Every system in the order they run. Works out that order if something changed, and throws what `build` throws. */
  list(): SystemInfo[] {
    return this.ordered().map(({ name, phase, enabled, before, after }) => ({
      name,
      phase,
      enabled,
      before,
      after,
    }));
  }

  /**
   * Works out the order now instead of at the next run.
   * @throws ScheduleError for unknown names and orders that contradict the phases; ScheduleCycleError;
   * AmbiguousOrderError if the schedule was made with `ambiguity: "error"`.
   */
  build(): void {
    this.planned();
  }

  /**
   * Runs every system whose turn it is; `dt` is the time since the last run in seconds. Gives what became of all
   * commands that were flushed meanwhile.
   *
   * @throws SystemError when a system throws (unless `errors` is `report`): the systems after it do not run, what was
   * recorded so far is flushed, and the schedule can be run again. Also what `build` throws; then nothing has run.
   */
  run(dt: number): FlushResult {
    return this.runSystems(dt);
  }

  /**
   * Runs only the systems of these names, once each and in their order, outside of the time of the schedule: its `time`, its
   * `tick` and its fixed steps stand still. For what goes on while a game is paused. Names that no system has have no effect.
   *
   * @throws What `run` throws.
   */
  runOnly(names: readonly string[], dt: number): FlushResult {
    requireList(names, "run some systems", "the list of names");
    return this.runSystems(dt, new Set(names));
  }

  /** @param only - The names of those that run, without the clocks. All, in time, if left out. */
  private runSystems(dt: number, only?: ReadonlySet<string>): FlushResult {
    stateOf(this.world).requireUsable("run a schedule");
    if (typeof dt !== "number" || !(dt >= 0 && dt < Number.POSITIVE_INFINITY)) {
      throw new InvalidValueError(
        `Cannot run a schedule for ${describeValue(dt)} seconds. Give a number of at least 0.`,
        { value: dt },
      );
    }
    if (this.isRunning) {
      throw new ScheduleError("Cannot run a schedule inside itself: one of its systems called run().");
    }
    const plan = this.planned();
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

  /** Whether every system is measured. Turning it on resets the measurements; off, it costs nothing. */
  get timing(): boolean {
    return this.measures;
  }

  set timing(on: boolean) {
    if (on && !this.measures) {
      for (const system of this.systems.values()) system.calls = system.total = system.last = 0;
    }
    this.measures = on;
  }

  /** The name of the system that runs now; nothing between systems. For tools that show what changed a value. */
  get running(): string | undefined {
    return this.current?.name;
  }

  /** How long each system took since timing was turned on, in the order they run. */
  timings(): SystemTiming[] {
    return this.ordered().map(({ name, phase, last, total, calls }) => ({
      name,
      phase,
      last,
      average: calls === 0 ? 0 : total / calls,
      calls,
    }));
  }

  /**
   * The state of the fixed step of a phase or a system.
   * @throws ScheduleError when there is no such phase or system, or it has no fixed step.
   */
  fixedStepOf(name: string): FixedStepState {
    const owner = this.phases.find((phase) => phase.name === name && phase.clock) ?? this.systems.get(name);
    if (owner?.clock === undefined) {
      throw new ScheduleError(
        `Cannot give the fixed step of ${typeof name === "string" ? name : describeValue(name)}: no phase or system of that name has one.`,
        { value: name },
      );
    }
    const { step, steps, tick, alpha, dropped } = owner.clock;
    return { step, steps, tick, alpha, dropped };
  }

  /**
   * Ends the schedule's command buffer, which otherwise lives as long as the world. When a run is under way, systems after
   * this one no longer get their turn.
   */
  close(): void {
    this.isCut = this.isRunning;
    this.commands.close();
  }

  private get isOver(): boolean {
    return this.isCut || this.world.isDisposed;
  }

  private ordered(): System[] {
    return this.planned().flatMap(({ systems }) => systems);
  }

  private planned(): readonly PlannedPhase[] {
    if (this.plan !== undefined) return this.plan;
    const ordered = orderSystems(
      this.phases.map((phase) => phase.name),
      [...this.systems.values()],
      this.removed,
    );
    const mode = this.options.ambiguity ?? "warn";
    const pairs = ordered.flatMap(({ ambiguous }) => ambiguous);
    if (mode === "error" && pairs.length > 0) throw ambiguousOrder(pairs);
    this.plan = this.phases.map((phase, k) => ({ ...phase, systems: ordered[k]?.systems ?? [] }));
    if (mode === "warn") {
      const fresh = pairs.filter(({ first, second }) => {
        const key = JSON.stringify([first.name, second.name].sort());
        return !this.warned.has(key) && this.warned.add(key);
      });
      if (fresh.length > 0) this.world.onError(ambiguousOrder(fresh));
    }
    return this.plan;
  }

  private runPhase(phase: PlannedPhase, total: FlushTotal, only?: ReadonlySet<string>): void {
    for (const system of phase.systems) {
      if (!system.enabled || only?.has(system.name) === false) continue;
      this.inSteps(only ? undefined : system.clock, () => this.runSystem(system));
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

  private runSystem(system: System): void {
    const { context } = this;
    try {
      for (const condition of system.conditions) if (!condition(context)) return;
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
      if (this.options.errors !== "report") throw error;
      this.world.onError(error);
    } finally {
      this.current = undefined;
    }
  }

  private require(name: string, doing: string): System {
    const system = this.systems.get(name);
    if (system !== undefined) return system;
    throw new ScheduleError(
      `Cannot ${doing} system ${describeValue(name)}: there is no such system. ${nearestName(name, [...this.systems.keys()])}`,
      { value: name },
    );
  }
}

class FlushTotal implements FlushResult {
  applied = 0;
  readonly skipped: SkippedCommand[] = [];
  readonly refused: RefusedCommand[] = [];

  add(result: FlushResult): void {
    this.applied += result.applied;
    for (const skipped of result.skipped) this.skipped.push(skipped);
    for (const refused of result.refused) this.refused.push(refused);
  }
}

function phasesIn(phases: readonly (string | PhaseOptions)[]): Phase[] {
  requireList(phases, "make a schedule", "the list of phases");
  const seen = new Set<string>();
  const made = phases.map((phase) => {
    const { name, fixedStep, maxSteps } = (
      typeof phase === "string" ? { name: phase } : Object(phase)
    ) as PhaseOptions;
    if (typeof name !== "string" || name.length === 0 || seen.has(name)) {
      throw new ScheduleError(
        `Cannot make a schedule with a phase named ${describeValue(name)}. Give each phase a name of its own.`,
        { value: name },
      );
    }
    seen.add(name);
    const clock = fixedStep === undefined ? undefined : new FixedStep(`phase ${name}`, fixedStep, maxSteps);
    return { name, clock };
  });
  if (made.length === 0)
    throw new ScheduleError("Cannot make a schedule without phases. Give it at least one.");
  return made;
}
