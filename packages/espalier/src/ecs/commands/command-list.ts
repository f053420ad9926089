/**
 * Where recorded commands wait: four parallel columns, so that a command costs no object of its own.
 */
import type { AnyComponent, AnyInit, ComponentInit, Resource } from "../components/component.ts";
import type { Entity } from "../entities/entity.ts";
import type { World } from "../world.ts";

export const SPAWN = 0;
export const DESTROY = 1;
export const ADD = 2;
export const REMOVE = 3;
export const SET = 4;
export const RESOURCE = 5;
export const CUSTOM = 6;

/** A change that a buffer does not know by itself; other rooms record theirs this way. */
export interface CustomCommand {
  /** What it does, for messages: "attach". */
  readonly label: string;
  /** Those that must be alive when it is applied; else it is skipped. The first is the one it acts on. */
  readonly entities: readonly Entity[];
  /** Makes the change. To refuse it, throw before anything changed. */
  readonly apply: (world: World, entities: readonly Entity[]) => void;
}

/** Lists with room for more commands than this are not kept for reuse. */
const MOST_KEPT = 2 ** 17;

export class CommandList {
  count = 0;
  kinds = new Uint8Array(16);
  /** The entity acted on, 0 for none. */
  entities = new Float64Array(16);
  /** A component, several components or inits, a resource, a custom command: depends on the kind. */
  readonly what: unknown[] = [];
  readonly values: unknown[] = [];

  push(kind: number, entity: Entity | 0, what: unknown, values: unknown): void {
    const at = this.count;
    if (at === this.kinds.length) this.grow();
    this.kinds[at] = kind;
    this.entities[at] = entity;
    this.what[at] = what;
    this.values[at] = values;
    this.count = at + 1;
  }

  /** Forgets all commands and lets go of what they held. */
  clear(): void {
    // The arrays keep their length: giving it up means growing again at every flush.
    this.what.fill(undefined, 0, this.count);
    this.values.fill(undefined, 0, this.count);
    this.count = 0;
  }

  labelAt(at: number): string {
    const what = this.what[at];
    switch (this.kinds[at]) {
      case SPAWN:
        return "spawn";
      case DESTROY:
        return "destroy";
      case ADD:
        return `add ${namesOf(what)}`;
      case REMOVE:
        return `remove ${namesOf(what)}`;
      case SET:
        return `set ${namesOf(what)}`;
      case RESOURCE:
        return `set resource ${(what as Resource<unknown>).name}`;
      default:
        return (what as CustomCommand).label;
    }
  }

  private grow(): void {
    const kinds = new Uint8Array(this.count * 2);
    kinds.set(this.kinds);
    this.kinds = kinds;
    const entities = new Float64Array(this.count * 2);
    entities.set(this.entities);
    this.entities = entities;
  }
}

/** The commands of one buffer: those that wait, and the list that is being applied or kept for the next turn. */
export class CommandQueue {
  readonly name: string;
  readonly order: number;
  pending = new CommandList();
  private idle: CommandList | undefined = undefined;

  constructor(name: string, order: number) {
    this.name = name;
    this.order = order;
  }

  /** Takes what waits. New commands gather in the other list; `giveBack` when done. */
  take(): CommandList {
    const list = this.pending;
    this.pending = this.idle ?? new CommandList();
    this.idle = undefined;
    return list;
  }

  giveBack(list: CommandList): void {
    // One that grew in a burst is left to the collector.
    if (list.kinds.length > MOST_KEPT) return;
    list.clear();
    this.idle = list;
  }
}

function namesOf(what: unknown): string {
  const list = (Array.isArray(what) ? what : [what]) as readonly ComponentInit[];
  return list.map((init) => componentOf(init).name).join(", ");
}

export function componentOf(init: ComponentInit): AnyComponent {
  return typeof init === "function" ? (init as AnyComponent) : (init as AnyInit).component;
}
