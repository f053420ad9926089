/**
 * What a system is and what it gets to work with.
 */
import type { OptionKinds } from "../checks/check-options.ts";
import type { Commands } from "../commands/commands.ts";
import { type AnyComponent, isComponent, type Resource } from "../components/component.ts";
import { describeValue } from "../components/fields.ts";
import { ScheduleError } from "../errors.ts";
import type { World } from "../world.ts";
import { FixedStep, type FixedStepOptions } from "./fixed-step.ts";

/** What a system is given. The same object every time, so do not keep it. */
export interface SystemContext {
  /** The world of the schedule. */
  readonly world: World;
  /** Recorded here, changes are made at the next sync point: after the phase, or after a system with `flush`. */
  readonly commands: Commands;
  /** Seconds to advance: what `run(dt)` was given, or the length of a fixed step. */
  readonly dt: number;
  /** Seconds before this run; in a fixed step, the time of that step. */
  readonly time: number;
  /** How many runs came before this one; in a fixed step, how many steps. */
  readonly tick: number;
  /**
   * How far time has gone from the last fixed step towards the next, from 0 up to 1: for drawing between the two.
   * Belongs to the fixed phase or system that had its turn last; 0 when there is none.
   */
  readonly alpha: number;
}

/** Says whether a system runs this time. */
export type RunCondition = (context: SystemContext) => boolean;
/** What a system may say it uses. */
export type SystemAccess = AnyComponent | Resource<unknown>;

/** When and where in the order a system runs. */
export interface SystemOptions {
  /** Unique within its schedule; others refer to it. */
  readonly name: string;
  /** "update" if left out. */
  readonly phase?: string;
  /** The set it belongs to, which must be added too, before or after it. */
  readonly set?: string;
  /** Systems and sets that must come after this one. */
  readonly before?: string | readonly string[];
  /** Systems and sets that must come before this one. */
  readonly after?: string | readonly string[];
  /** Asked before each run; the system is passed over unless all say yes. */
  readonly runIf?: RunCondition | readonly RunCondition[];
  /**
   * Runs as often as this many seconds fit, each time with exactly that `dt`. The steps of one run follow each other
   * directly; for several systems that must take turns, give the step to their phase.
   */
  readonly fixedStep?: number | FixedStepOptions;
  /** Makes the recorded changes right after this system, not only after its phase. */
  readonly flush?: boolean;
  /** What it reads and writes. Two systems that touch the same, one of them writing, must be put in order. */
  readonly reads?: readonly SystemAccess[];
  /** What it writes. See `reads`. */
  readonly writes?: readonly SystemAccess[];
  /** Systems and sets whose order relative to this one does not matter, although they touch the same. */
  readonly ambiguousWith?: string | readonly string[];
  /** Starts disabled when false. */
  readonly enabled?: boolean;
  /** Runs only when asked for with `schedule.request(name)`, once, at its position in the order. */
  readonly onDemand?: boolean;
  /** What the system does, once per run of the schedule or per fixed step. */
  readonly run: (context: SystemContext) => void;
}

export const systemOptions: OptionKinds = {
  name: "anything",
  phase: "anything",
  set: "anything",
  before: "anything",
  after: "anything",
  runIf: "anything",
  fixedStep: "anything",
  flush: "boolean",
  reads: "anything",
  writes: "anything",
  ambiguousWith: "anything",
  enabled: "boolean",
  onDemand: "boolean",
  run: "anything",
};

/** A system as its schedule keeps it. */
export class System {
  readonly name: string;
  readonly phase: string;
  readonly set: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly ambiguousWith: readonly string[];
  readonly reads: ReadonlySet<SystemAccess>;
  readonly writes: ReadonlySet<SystemAccess>;
  readonly conditions: readonly RunCondition[];
  readonly clock: FixedStep | undefined = undefined;
  readonly flush: boolean;
  readonly run: (context: SystemContext) => unknown;
  enabled: boolean;
  readonly onDemand: boolean;
  /** Asked for since its last turn. Counts only for one that runs on demand. */
  requested = false;
  calls = 0;
  total = 0;
  last = 0;

  constructor(options: SystemOptions, phase: string) {
    const { name, run, fixedStep } = options;
    const owner = `system ${name}`;
    if (typeof run !== "function") {
      throw new ScheduleError(
        `Cannot add system ${name}: its run is ${describeValue(run)}, not a function.`,
        { subject: name, option: "run", value: run },
      );
    }
    this.name = name;
    this.phase = phase;
    this.set = setNameIn(options, owner);
    this.before = namesIn(options, "before", owner);
    this.after = namesIn(options, "after", owner);
    this.ambiguousWith = namesIn(options, "ambiguousWith", owner);
    this.reads = accessIn(options, "reads");
    this.writes = accessIn(options, "writes");
    this.conditions = conditionsIn(options, owner);
    if (fixedStep !== undefined) {
      if (options.onDemand === true) {
        throw new ScheduleError(
          `Cannot add system ${name}: it runs on demand, so it cannot have a fixed step. Drop one of the two options.`,
          { subject: name, option: "fixedStep", value: fixedStep },
        );
      }
      const { step, maxSteps } = typeof fixedStep === "object" ? fixedStep : { step: fixedStep };
      this.clock = new FixedStep(owner, step, maxSteps);
    }
    this.flush = options.flush ?? false;
    this.enabled = options.enabled ?? true;
    this.onDemand = options.onDemand ?? false;
    this.run = run;
  }
}

/** What systems and sets may say of others. */
interface Named {
  readonly name: string;
  readonly set?: string;
  readonly before?: string | readonly string[];
  readonly after?: string | readonly string[];
  readonly ambiguousWith?: string | readonly string[];
  readonly runIf?: RunCondition | readonly RunCondition[];
}

/** @param owner - What is added, for messages: "system move". */
export function namesIn(
  options: Named,
  key: "before" | "after" | "ambiguousWith",
  owner: string,
): readonly string[] {
  const given = options[key] ?? [];
  const names: readonly unknown[] = Array.isArray(given) ? [...given] : [given];
  const wrong = names.findIndex((name) => typeof name !== "string");
  if (wrong < 0) return names as readonly string[];
  throw new ScheduleError(
    `Cannot add ${owner}: ${key} lists ${describeValue(names[wrong])}. Give names of systems and sets.`,
    { subject: options.name, option: key, value: names[wrong] },
  );
}

export function conditionsIn(options: Named, owner: string): readonly RunCondition[] {
  const { runIf = [] } = options;
  const conditions: readonly unknown[] = Array.isArray(runIf) ? [...runIf] : [runIf];
  const wrong = conditions.findIndex((condition) => typeof condition !== "function");
  if (wrong < 0) return conditions as readonly RunCondition[];
  const value = conditions[wrong];
  throw new ScheduleError(`Cannot add ${owner}: runIf lists ${describeValue(value)}. Give functions.`, {
    subject: options.name,
    option: "runIf",
    value,
  });
}

export function setNameIn(options: Named, owner: string): string | undefined {
  const { set } = options;
  if (set === undefined || typeof set === "string") return set;
  throw new ScheduleError(
    `Cannot add ${owner}: its set is ${describeValue(set)}. Give the name of one set; sets may be inside each other.`,
    { subject: options.name, option: "set", value: set },
  );
}

function accessIn(options: SystemOptions, key: "reads" | "writes"): ReadonlySet<SystemAccess> {
  const given = options[key] ?? [];
  for (const access of given) {
    if (isComponent(access) || (access as Partial<Resource<unknown>> | undefined)?.isResource === true)
      continue;
    throw new ScheduleError(
      `Cannot add system ${options.name}: ${key} lists ${describeValue(access)}. Give components and resources.`,
      { subject: options.name, option: key, value: access },
    );
  }
  return new Set(given);
}
