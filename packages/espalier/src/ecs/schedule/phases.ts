/**
 * The phases of a schedule, in the order they run.
 */
import { requireList } from "../checks/arguments.ts";
import { describeValue } from "../components/fields.ts";
import { ScheduleError } from "../errors.ts";
import { FixedStep } from "./fixed-step.ts";

/** A phase; with a fixed step, all its systems run once per step, one after the other, with a flush at its end. */
export interface PhaseOptions {
  /** The name that systems refer to. */
  readonly name: string;
  /** Seconds per step. */
  readonly fixedStep?: number;
  /** Most steps in one run; see `FixedStepOptions`. */
  readonly maxSteps?: number;
}

/** A phase as its schedule keeps it. */
export interface Phase {
  readonly name: string;
  readonly clock: FixedStep | undefined;
}

/** @throws ScheduleError for phases that cannot work. */
export function phasesIn(phases: readonly (string | PhaseOptions)[]): Phase[] {
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
