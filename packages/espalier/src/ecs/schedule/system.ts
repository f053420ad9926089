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
  /** Systems that must come after this one. */
  readonly before?: string | readonly string[];
  /** Systems that must come before this one. */
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
  /** Systems whose order relative to this one does not matter, although they touch the same. */
  readonly ambiguousWith?: string | readonly string[];
  /** Starts disabled when false. */
  readonly enabled?: boolean;
  /** What the system does, once per run of the schedule or per fixed step. */
  readonly run: (context: SystemContext) => void;
}

export const systemOptions: OptionKinds = {
  name: "anything",
  phase: "anything",
  before: "anything",
  after: "anything",
  runIf: "anything",
  fixedStep: "anything",
  flush: "boolean",
  reads: "anything",
  writes: "anything",
  ambiguousWith: "anything",
  enabled: "boolean",
  run: "anything",
};

/** A system as its schedule keeps it. */
export class System {
  readonly name: string;
  readonly phase: string;
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
  calls = 0;
  total = 0;
  last = 0;

  constructor(options: SystemOptions, phase: string) {
    const { name, run, fixedStep, runIf } = options;
    if (typeof run !== "function") {
      throw new ScheduleError(
        `Cannot add system ${name}: its run is ${describeValue(run)}, not a function.`,
        { subject: name, option: "run", value: run },
      );
    }
    this.name = name;
    this.phase = phase;
    this.before = namesIn(options, "before");
    this.after = namesIn(options, "after");
    this.ambiguousWith = namesIn(options, "ambiguousWith");
    this.reads = accessIn(options, "reads");
    this.writes = accessIn(options, "writes");
    this.conditions = runIf === undefined ? [] : typeof runIf === "function" ? [runIf] : [...runIf];
    if (fixedStep !== undefined) {
      const { step, maxSteps } = typeof fixedStep === "object" ? fixedStep : { step: fixedStep };
      this.clock = new FixedStep(`system ${name}`, step, maxSteps);
    }
    this.flush = options.flush ?? false;
    this.enabled = options.enabled ?? true;
    this.run = run;
  }
}

function namesIn(options: SystemOptions, key: "before" | "after" | "ambiguousWith"): readonly string[] {
  const given = options[key] ?? [];
  const names = typeof given === "string" ? [given] : [...given];
  const wrong = names.find((name) => typeof name !== "string");
  if (wrong === undefined) return names;
  throw new ScheduleError(
    `Cannot add system ${options.name}: ${key} lists ${describeValue(wrong)}. Give names of systems.`,
    { subject: options.name, option: key, value: wrong },
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
