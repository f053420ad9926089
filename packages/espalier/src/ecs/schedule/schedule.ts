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
import type { FlushResult } from "../commands/flush.ts";
import { describeValue } from "../components/fields.ts";
import { InvalidValueError, ScheduleError } from "../errors.ts";
import { stateOf, type World } from "../world.ts";
import type { FixedStepState } from "./fixed-step.ts";
import { type Phase, type PhaseOptions, phasesIn } from "./phases.ts";
import { type PlannedPhase, RunLoop } from "./run-loop.ts";
import { ambiguousOrder, orderSystems } from "./schedule-order.ts";
import { findMembers } from "./set-members.ts";
import { System, type SystemOptions, systemOptions } from "./system.ts";
import { SystemSet, type SystemSetInfo, type SystemSetOptions, systemSetOptions } from "./system-set.ts";

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
  /** The set it belongs to. */
  readonly set: string | undefined;
  /** Whether it is switched on. It runs when each set around it is, too. */
  readonly enabled: boolean;
  /** Whether it runs only when asked for. */
  readonly onDemand: boolean;
  /** Systems and sets it runs before, as given. */
  readonly before: readonly string[];
  /** Systems and sets it runs after, as given. */
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

/** Systems in an order that follows from phases and constraints. Made by `createSchedule`. */
export class Schedule {
  /** The world of its systems. */
  readonly world: World;
  private readonly options: ScheduleOptions;
  private readonly phases: readonly Phase[];
  private readonly commands: Commands;
  private readonly systems = new Map<string, System>();
  private readonly systemSets = new Map<string, SystemSet>();
  /** Names of systems and sets that were removed: others may still refer to them. */
  private readonly removed = new Set<string>();
  private plan: readonly PlannedPhase[] | undefined;
  private readonly warned = new Set<string>();
  private readonly loop: RunLoop;

  /** @internal Use `createSchedule(world)`. */
  constructor(world: World, options: ScheduleOptions) {
    this.world = world;
    this.options = options;
    this.phases = phasesIn(options.phases ?? ["early", "update", "late"]);
    this.commands = createCommands(world, { name: "schedule" });
    this.loop = new RunLoop(world, this.commands, options);
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
    this.requireFree("system", name);
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
   * Adds a set of systems, which are ordered, switched and shown as one. Systems join it with their option `set`, before or after
   * it is added.
   *
   * @throws ScheduleError for a name that is taken, or options that cannot work.
   *
   * @example
   * ```ts
   * const schedule = createSchedule(world);
   * schedule.addSet({ name: "combat", after: "move" });
   * schedule.add({ name: "aim", set: "combat", run: () => {} });
   * schedule.add({ name: "move", run: () => {} });
   * schedule.list().map(({ name }) => name); // → ["move", "aim"]
   * schedule.disable("combat"); // aim no longer runs
   * ```
   */
  addSet(options: SystemSetOptions | string): void {
    const given = typeof options === "string" ? { name: options } : options;
    requireObject(given, "add a set of systems", "it");
    checkOptions(this.world.checks, "add a set of systems", given, systemSetOptions);
    this.requireFree("set", given.name);
    this.systemSets.set(given.name, new SystemSet(given));
    this.removed.delete(given.name);
    this.plan = undefined;
  }

  /**
   * Removes a system, or a set that nothing is in. Others may go on referring to it; that has no effect until one of that name is
   * added. While a run is under way, a removed system no longer gets its turn.
   * @throws ScheduleError when there is neither a system nor a set of that name, or something is in the set.
   */
  remove(name: string): void {
    const removed = this.require(name, "remove");
    if (removed instanceof SystemSet) {
      const inside = [...this.systems.values(), ...this.systemSets.values()].find(({ set }) => set === name);
      if (inside !== undefined) {
        throw new ScheduleError(
          `Cannot remove set ${name}: ${inside.name} is in it. Remove what is in it first, or disable the set.`,
          { subject: name, value: inside.name },
        );
      }
      this.systemSets.delete(name);
    } else {
      removed.enabled = false;
      this.systems.delete(name);
    }
    this.removed.add(name);
    this.plan = undefined;
  }

  /** Lets a disabled system, or the systems of a disabled set, run again. Their position in the order has not changed. */
  enable(name: string): void {
    this.require(name, "enable").enabled = true;
  }

  /** Passes over a system, or all systems of a set, until it is enabled. The time of fixed steps stands still. */
  disable(name: string): void {
    this.require(name, "disable").enabled = false;
  }

  /**
   * Asks for one run of a system that was added with `onDemand`: in this run of the schedule if its turn is still to come, else in
   * the next. Asking several times before its turn counts once. A request stays while the system is disabled or a condition
   * keeps it from running. To run it at once, outside of the time of the schedule, call `runOnly([name], dt)` after this.
   *
   * @throws ScheduleError when there is no such system, or it runs by itself.
   */
  request(name: string): void {
    const system = this.require(name, "request");
    if (system instanceof SystemSet || !system.onDemand) {
      throw new ScheduleError(
        `Cannot request ${describeValue(name)}: ${system instanceof SystemSet ? "it is a set" : "it runs by itself"}. Add a system with onDemand: true.`,
        { subject: name },
      );
    }
    system.requested = true;
  }

  /** Every set in the order they were added. Works out the order of systems if something changed, and throws what `build` throws. */
  sets(): SystemSetInfo[] {
    const planned = this.planned().flatMap(({ systems }) => systems);
    return [...this.systemSets.values()].map((each) => {
      const inside = planned.filter(({ sets }) => sets.includes(each)).map(({ system }) => system);
      return {
        name: each.name,
        set: each.set,
        enabled: each.enabled,
        systems: inside.map(({ name }) => name),
        last: inside.reduce((sum, { last }) => sum + last, 0),
      };
    });
  }

  /** Every system in the order they run. Works out that order if something changed, and throws what `build` throws. */
  list(): SystemInfo[] {
    return this.ordered().map(({ name, phase, set, enabled, onDemand, before, after }) => ({
      name,
      phase,
      set,
      enabled,
      onDemand,
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
   * `tick` and its fixed steps stand still. The name of a set stands for all its systems; those that run on demand need a
   * request here too. For what goes on while a game is paused. Names that are not there have no effect.
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
    if (this.loop.isRunning) {
      throw new ScheduleError("Cannot run a schedule inside itself: one of its systems called run().");
    }
    return this.loop.run(this.planned(), dt, only);
  }

  /** Whether every system is measured. Turning it on resets the measurements; off, it costs nothing. */
  get timing(): boolean {
    return this.loop.measures;
  }

  set timing(on: boolean) {
    if (on && !this.loop.measures) {
      for (const system of this.systems.values()) system.calls = system.total = system.last = 0;
    }
    this.loop.measures = on;
  }

  /** The name of the system that runs now; nothing between systems. For tools that show what changed a value. */
  get running(): string | undefined {
    return this.loop.current?.name;
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
    this.loop.cut();
    this.commands.close();
  }

  private ordered(): System[] {
    return this.planned().flatMap(({ systems }) => systems.map(({ system }) => system));
  }

  private planned(): readonly PlannedPhase[] {
    if (this.plan !== undefined) return this.plan;
    const systems = [...this.systems.values()];
    const members = findMembers(systems, this.systemSets);
    const names = this.phases.map((phase) => phase.name);
    const ordered = orderSystems(names, systems, members, this.removed);
    const mode = this.options.ambiguity ?? "warn";
    const pairs = ordered.flatMap(({ ambiguous }) => ambiguous);
    if (mode === "error" && pairs.length > 0) throw ambiguousOrder(pairs);
    this.plan = this.phases.map((phase, k) => ({
      ...phase,
      systems: (ordered[k]?.systems ?? []).map((system) => ({ system, sets: members.setsAround(system) })),
    }));
    if (mode === "warn") {
      const fresh = pairs.filter(({ first, second }) => {
        const key = JSON.stringify([first.name, second.name].sort());
        return !this.warned.has(key) && this.warned.add(key);
      });
      if (fresh.length > 0) this.world.onError(ambiguousOrder(fresh));
    }
    return this.plan;
  }

  /** @internal When `change` throws, systems and sets are as they were before. */
  attempt(change: () => void): void {
    const { systems, systemSets, removed } = this;
    const before = { systems: [...systems], sets: [...systemSets], removed: [...removed] };
    const all = [...systems.values(), ...systemSets.values()];
    const enabled = all.map((each) => each.enabled);
    try {
      change();
    } catch (error) {
      for (const changed of [systems, systemSets, removed]) changed.clear();
      for (const [name, system] of before.systems) systems.set(name, system);
      for (const [name, set] of before.sets) systemSets.set(name, set);
      for (const name of before.removed) removed.add(name);
      all.forEach((each, k) => {
        each.enabled = enabled[k] === true;
      });
      this.plan = undefined;
      throw error;
    }
  }

  private require(name: string, doing: string): System | SystemSet {
    const found = this.systems.get(name) ?? this.systemSets.get(name);
    if (found !== undefined) return found;
    const names = [...this.systems.keys(), ...this.systemSets.keys()];
    throw new ScheduleError(
      `Cannot ${doing} system ${describeValue(name)}: there is no such system or set. ${nearestName(name, names)}`,
      { value: name },
    );
  }

  private requireFree(kind: "system" | "set", name: string): void {
    if (typeof name !== "string" || name.length === 0) {
      throw new ScheduleError(
        `Cannot add a ${kind} named ${describeValue(name)}. Give it a name that is not empty.`,
        { value: name },
      );
    }
    if (this.systems.has(name) || this.systemSets.has(name)) {
      throw new ScheduleError(
        `Cannot add ${kind} ${name}: there is a ${this.systems.has(name) ? "system" : "set"} of that name. Rename one, or remove the other first.`,
        { subject: name },
      );
    }
  }
}
