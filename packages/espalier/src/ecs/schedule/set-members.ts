/**
 * Which systems are in which sets.
 */
import { nearestName } from "../checks/nearest-name.ts";
import { ScheduleError } from "../errors.ts";
import type { System } from "./system.ts";
import type { SystemSet } from "./system-set.ts";

/** What names of systems and sets stand for, once all of them are known. */
export interface SetMembers {
  /** In the order they were added. */
  readonly sets: readonly SystemSet[];
  /** Of all systems and sets. */
  readonly names: readonly string[];
  /** The system of that name, or all in the set of that name and in the sets inside it; nothing when there is neither. */
  systemsOf(name: string): readonly System[] | undefined;
  /** The sets that a system is in, the innermost first. */
  setsAround(system: System): readonly SystemSet[];
}

/**
 * @throws ScheduleError for sets that do not exist, and sets inside themselves.
 */
export function findMembers(systems: readonly System[], sets: ReadonlyMap<string, SystemSet>): SetMembers {
  const members = new Map<string, System[]>([...sets.keys()].map((name) => [name, []]));
  const around = new Map<System, readonly SystemSet[]>();
  for (const set of sets.values()) chainFrom("set", set.name, set.set, sets);
  for (const system of systems) {
    const chain = chainFrom("system", system.name, system.set, sets);
    around.set(system, chain);
    for (const set of chain) members.get(set.name)?.push(system);
    members.set(system.name, [system]);
  }
  return {
    sets: [...sets.values()],
    names: [...members.keys()],
    systemsOf: (name) => members.get(name),
    setsAround: (system) => around.get(system) ?? [],
  };
}

/** The set of that name and those around it. */
function chainFrom(
  kind: "system" | "set",
  owner: string,
  start: string | undefined,
  sets: ReadonlyMap<string, SystemSet>,
): readonly SystemSet[] {
  const chain: SystemSet[] = [];
  for (let name = start; name !== undefined; ) {
    const set = sets.get(name);
    const subject = chain.at(-1)?.name ?? owner;
    if (set === undefined) {
      throw new ScheduleError(
        `Cannot order ${chain.length === 0 ? kind : "set"} ${subject}: it is in the set "${name}", and there is no such set. ${nearestName(name, [...sets.keys()])} Add it with addSet().`,
        { subject, option: "set", value: name },
      );
    }
    chain.push(set);
    if (set.set === owner || chain.indexOf(set) < chain.length - 1) {
      throw new ScheduleError(
        `Cannot order set ${set.name}: it is inside itself (${[...chain.map((each) => each.name), set.set].join(" in ")}). Take one of them out of the other.`,
        { subject: set.name, option: "set", value: set.set },
      );
    }
    name = set.set;
  }
  return chain;
}
