/**
 * The order of systems: phases first, then what systems say of each other, then the order they were added in.
 */

import { nearestName } from "../checks/nearest-name.ts";
import { AmbiguousOrderError, ScheduleCycleError, ScheduleError } from "../errors.ts";
import type { System, SystemAccess } from "./system.ts";

/** Which systems must come directly before each one, by position in the list. */
type Constraints = ReadonlySet<number>[];

/** The systems of one phase in the order they run, and the pairs whose order is left to chance. */
export interface Ordered {
  readonly systems: readonly System[];
  readonly ambiguous: readonly AmbiguousPair[];
}

export interface AmbiguousPair {
  readonly first: System;
  readonly second: System;
  /** What both touch. */
  readonly shared: readonly string[];
}

/**
 * Orders the systems of every phase.
 *
 * @param systems - In the order they were added.
 * @param known - Names that may be referred to without being there: systems that were removed.
 * @throws ScheduleError for unknown names and for orders that contradict the phases; ScheduleCycleError.
 */
export function orderSystems(
  phases: readonly string[],
  systems: readonly System[],
  known: ReadonlySet<string>,
): Ordered[] {
  const byName = new Map(systems.map((system) => [system.name, system]));
  for (const system of systems) checkReferences(system, byName, phases, known);
  return phases.map((phase) => {
    const members = systems.filter((system) => system.phase === phase);
    const constraints = constraintsOf(members);
    const order = sort(phase, members, constraints);
    return {
      systems: order.map((k) => members[k] as System),
      ambiguous: ambiguousPairs(members, order, constraints),
    };
  });
}

/** All pairs in one message. */
export function ambiguousOrder(pairs: readonly AmbiguousPair[]): AmbiguousOrderError {
  const lines = pairs.map(
    ({ first, second, shared }) =>
      `${first.name} and ${second.name} of phase ${first.phase} touch ${shared.join(", ")}`,
  );
  return new AmbiguousOrderError(
    `The order of some systems is left to chance: ${lines.join("; ")}. Say which comes first with before or after, or that it does not matter with ambiguousWith.`,
    { pairs: pairs.map(({ first, second }) => [first.name, second.name] as const) },
  );
}

function checkReferences(
  system: System,
  byName: ReadonlyMap<string, System>,
  phases: readonly string[],
  known: ReadonlySet<string>,
): void {
  for (const relation of ["before", "after", "ambiguousWith"] as const) {
    for (const name of system[relation]) {
      const other = byName.get(name);
      if (other === undefined) {
        if (known.has(name)) continue;
        const hint = phases.includes(name)
          ? `${name} is a phase; name a system.`
          : nearestName(name, [...byName.keys()]);
        throw new ScheduleError(
          `Cannot order system ${system.name}: it lists "${name}" under ${relation}, and there is no such system. ${hint}`,
          { subject: system.name, option: relation, value: name },
        );
      }
      const distance = phases.indexOf(other.phase) - phases.indexOf(system.phase);
      if ((relation === "before" && distance < 0) || (relation === "after" && distance > 0)) {
        throw new ScheduleError(
          `Cannot run ${system.name} ${relation} ${name}: phase ${system.phase} comes ${distance < 0 ? "after" : "before"} phase ${other.phase}. Move one of them to the other's phase, or drop the ${relation}.`,
          { subject: system.name, option: relation, value: name },
        );
      }
    }
  }
}

function constraintsOf(members: readonly System[]): Constraints {
  const at = new Map(members.map((system, k) => [system.name, k]));
  const predecessors = members.map(() => new Set<number>());
  members.forEach((system, k) => {
    for (const name of system.after) {
      const other = at.get(name);
      if (other !== undefined) predecessors[k]?.add(other);
    }
    for (const name of system.before) {
      const other = at.get(name);
      if (other !== undefined) predecessors[other]?.add(k);
    }
  });
  return predecessors;
}

/** Always takes the first in the list whose predecessors have all been taken. */
function sort(phase: string, members: readonly System[], predecessors: Constraints): number[] {
  const order: number[] = [];
  const taken = new Set<number>();
  const isReady = (k: number) =>
    !taken.has(k) && [...(predecessors[k] as Set<number>)].every((p) => taken.has(p));
  while (order.length < members.length) {
    const next = members.findIndex((_, k) => isReady(k));
    if (next < 0) throw cycleError(phase, members, predecessors, taken);
    taken.add(next);
    order.push(next);
  }
  return order;
}

function cycleError(
  phase: string,
  members: readonly System[],
  predecessors: Constraints,
  taken: ReadonlySet<number>,
): ScheduleCycleError {
  // Every system that is left waits for another one that is left, so going back from any of them meets one twice.
  const path: number[] = [];
  let at = members.findIndex((_, k) => !taken.has(k));
  while (!path.includes(at)) {
    path.push(at);
    at = [...(predecessors[at] as Set<number>)].find((p) => !taken.has(p)) as number;
  }
  const cycle = path.slice(path.indexOf(at)).reverse();
  // Begin with the one that was added first, so that the message does not depend on where the search began.
  const start = cycle.indexOf(Math.min(...cycle));
  const names = [...cycle.slice(start), ...cycle.slice(0, start)].map((k) => (members[k] as System).name);
  return new ScheduleCycleError(
    `Cannot order the systems of phase ${phase}: ${[...names, names[0]].join(" → ")} go round in a circle, each before the next. Drop one of their before or after.`,
    { systems: names },
  );
}

/** Pairs that touch the same, one of them writing, without a way from one to the other. */
function ambiguousPairs(
  members: readonly System[],
  order: readonly number[],
  predecessors: Constraints,
): AmbiguousPair[] {
  const earlier = members.map(() => new Set<number>());
  const pairs: AmbiguousPair[] = [];
  order.forEach((k, place) => {
    const before = earlier[k] as Set<number>;
    for (const p of predecessors[k] as Set<number>) {
      before.add(p);
      for (const further of earlier[p] as Set<number>) before.add(further);
    }
    for (const j of order.slice(0, place)) {
      if (before.has(j)) continue;
      const [first, second] = [members[j] as System, members[k] as System];
      if (first.ambiguousWith.includes(second.name) || second.ambiguousWith.includes(first.name)) continue;
      const shared = sharedBy(first, second);
      if (shared.length > 0) pairs.push({ first, second, shared });
    }
  });
  return pairs;
}

function sharedBy(a: System, b: System): string[] {
  const shared = new Set<SystemAccess>();
  for (const it of a.writes) if (b.writes.has(it) || b.reads.has(it)) shared.add(it);
  for (const it of b.writes) if (a.reads.has(it)) shared.add(it);
  return [...shared].map((it) => it.name);
}
