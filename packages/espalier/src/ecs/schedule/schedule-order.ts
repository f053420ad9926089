/**
 * The order of systems: phases first, then what systems say of each other, then the order they were added in.
 */

import { nearestName } from "../checks/nearest-name.ts";
import { AmbiguousOrderError, ScheduleCycleError, ScheduleError } from "../errors.ts";
import type { SetMembers } from "./set-members.ts";
import type { System, SystemAccess } from "./system.ts";
import type { SystemSet } from "./system-set.ts";

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
 * @param members - Which systems a name stands for, and which sets are around a system.
 * @param known - Names that may be referred to without being there: systems that were removed.
 * @throws ScheduleError for unknown names and for orders that contradict the phases; ScheduleCycleError.
 */
export function orderSystems(
  phases: readonly string[],
  systems: readonly System[],
  members: SetMembers,
  known: ReadonlySet<string>,
): Ordered[] {
  for (const system of systems) {
    checkReferences("system", system, [system], members, phases, known);
  }
  for (const set of members.sets) {
    checkReferences("set", set, members.systemsOf(set.name) ?? [], members, phases, known);
  }
  return phases.map((phase) => {
    const here = systems.filter((system) => system.phase === phase);
    const constraints = constraintsOf(here, members);
    const order = sort(phase, here, constraints);
    return {
      systems: order.map((k) => here[k] as System),
      ambiguous: ambiguousPairs(here, order, constraints, members),
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

/** @param own - The systems that `owner` speaks for: itself, or all of the set. */
function checkReferences(
  kind: "system" | "set",
  owner: System | SystemSet,
  own: readonly System[],
  members: SetMembers,
  phases: readonly string[],
  known: ReadonlySet<string>,
): void {
  for (const relation of ["before", "after", "ambiguousWith"] as const) {
    for (const name of relationOf(owner, relation)) {
      const others = members.systemsOf(name);
      if (others === undefined) {
        if (known.has(name)) continue;
        const hint = phases.includes(name)
          ? `${name} is a phase; name a system or a set.`
          : nearestName(name, members.names);
        throw new ScheduleError(
          `Cannot order ${kind} ${owner.name}: it lists "${name}" under ${relation}, and there is no such system or set. ${hint}`,
          { subject: owner.name, option: relation, value: name },
        );
      }
      if (relation === "ambiguousWith") continue;
      for (const system of own) {
        for (const other of others) checkPair(owner, system, relation, name, other, phases);
      }
    }
  }
}

function checkPair(
  owner: System | SystemSet,
  system: System,
  relation: "before" | "after",
  name: string,
  other: System,
  phases: readonly string[],
): void {
  if (system === other && (owner !== system || name !== system.name)) {
    throw new ScheduleError(
      `Cannot order ${owner.name} ${relation} ${name}: system ${system.name} belongs to both, and cannot come ${relation} itself. Drop the ${relation}.`,
      { subject: owner.name, option: relation, value: name },
    );
  }
  const distance = phases.indexOf(other.phase) - phases.indexOf(system.phase);
  if ((relation === "before" && distance < 0) || (relation === "after" && distance > 0)) {
    throw new ScheduleError(
      `Cannot run ${system.name} ${relation} ${other.name}: phase ${system.phase} comes ${distance < 0 ? "after" : "before"} phase ${other.phase}. Move one of them to the other's phase, or drop the ${relation}.`,
      { subject: owner.name, option: relation, value: name },
    );
  }
}

function relationOf(
  owner: System | SystemSet,
  relation: "before" | "after" | "ambiguousWith",
): readonly string[] {
  return relation === "ambiguousWith" && !("ambiguousWith" in owner) ? [] : (owner as System)[relation];
}

function constraintsOf(here: readonly System[], members: SetMembers): Constraints {
  const at = new Map(here.map((system, k) => [system, k]));
  const predecessors = here.map(() => new Set<number>());
  here.forEach((system, k) => {
    for (const owner of [system, ...members.setsAround(system)]) {
      for (const other of systemsIn(owner.after, members)) {
        const p = at.get(other);
        if (p !== undefined) predecessors[k]?.add(p);
      }
      for (const other of systemsIn(owner.before, members)) {
        const p = at.get(other);
        if (p !== undefined) predecessors[p]?.add(k);
      }
    }
  });
  return predecessors;
}

function systemsIn(names: readonly string[], members: SetMembers): System[] {
  return names.flatMap((name) => members.systemsOf(name) ?? []);
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
  sets: SetMembers,
): AmbiguousPair[] {
  const earlier = members.map(() => new Set<number>());
  const pairs: AmbiguousPair[] = [];
  order.forEach((k, position) => {
    const before = earlier[k] as Set<number>;
    for (const p of predecessors[k] as Set<number>) {
      before.add(p);
      for (const further of earlier[p] as Set<number>) before.add(further);
    }
    for (const j of order.slice(0, position)) {
      if (before.has(j)) continue;
      const [first, second] = [members[j] as System, members[k] as System];
      if (isAllowed(first, second, sets) || isAllowed(second, first, sets)) continue;
      const shared = sharedBy(first, second);
      if (shared.length > 0) pairs.push({ first, second, shared });
    }
  });
  return pairs;
}

/** Whether `first` says that its order relative to `second`, or to a set around it, does not matter. */
function isAllowed(first: System, second: System, sets: SetMembers): boolean {
  return first.ambiguousWith.some((name) => sets.systemsOf(name)?.includes(second) === true);
}

function sharedBy(a: System, b: System): string[] {
  const shared = new Set<SystemAccess>();
  for (const it of a.writes) if (b.writes.has(it) || b.reads.has(it)) shared.add(it);
  for (const it of b.writes) if (a.reads.has(it)) shared.add(it);
  return [...shared].map((it) => it.name);
}
