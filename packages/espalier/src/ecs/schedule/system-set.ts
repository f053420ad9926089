/**
 * Sets of systems: ordered, switched and shown as one.
 *
 * A set has no position of its own in the order. What it says applies to each of its systems, those of the sets inside it included.
 */
import type { OptionKinds } from "../checks/check-options.ts";
import { conditionsIn, namesIn, type RunCondition, setNameIn } from "./system.ts";

/** What all systems of a set have in common. */
export interface SystemSetOptions {
  /** Unique among the systems and sets of its schedule; systems join by it, and others refer to it. */
  readonly name: string;
  /** The set that this one is inside. */
  readonly set?: string;
  /** Systems and sets that must come after all systems of this one. */
  readonly before?: string | readonly string[];
  /** Systems and sets that must come before all systems of this one. */
  readonly after?: string | readonly string[];
  /**
   * Asked once in each pass through a phase, before the first system of the set has its turn there; its systems are passed over
   * unless all say yes.
   */
  readonly runIf?: RunCondition | readonly RunCondition[];
  /** Starts disabled when false. */
  readonly enabled?: boolean;
}

/** A set as tools see it. */
export interface SystemSetInfo {
  /** The name of the set. */
  readonly name: string;
  /** The set that it is inside. */
  readonly set: string | undefined;
  /** Whether it is switched on. Its systems run when each set around them is, and they are too. */
  readonly enabled: boolean;
  /** The systems in it and in the sets inside it, in the order they run. */
  readonly systems: readonly string[];
  /** Milliseconds of the last runs of its systems together; 0 unless `timing` is on. */
  readonly last: number;
}

export const systemSetOptions: OptionKinds = {
  name: "anything",
  set: "anything",
  before: "anything",
  after: "anything",
  runIf: "anything",
  enabled: "boolean",
};

/** A set as its schedule keeps it. */
export class SystemSet {
  readonly name: string;
  readonly set: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly conditions: readonly RunCondition[];
  enabled: boolean;

  constructor(options: SystemSetOptions) {
    const owner = `set ${options.name}`;
    this.name = options.name;
    this.set = setNameIn(options, owner);
    this.before = namesIn(options, "before", owner);
    this.after = namesIn(options, "after", owner);
    this.conditions = conditionsIn(options, owner);
    this.enabled = options.enabled ?? true;
  }
}
