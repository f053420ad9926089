/**
 * Where recorded commands wait: three parallel columns, so that a command costs no object of its own.
 */
import type { AnyComponent, AnyInit, ComponentInit } from "../components/component.ts";
import type { Entity, EntityLike } from "../entities/entity.ts";
import { grown } from "../grown.ts";
import type { World } from "../world.ts";

export const SPAWN = 0;
export const DESTROY = 1;
export const ADD = 2;
export const REMOVE = 3;
export const SET = 4;
export const CUSTOM = 5;

/** By kind. */
const labels = ["spawn", "destroy", "add", "remove", "set"];

/** A change that a buffer does not know by itself; other rooms record theirs this way. */
export interface CustomCommand {
  /** What it does, for messages: "attach". */
  readonly label: string;
  /** Those that must be alive when it is applied; else it is skipped. The first is the one it acts on. */
  readonly entities: readonly EntityLike[];
  /** Makes the change. To refuse it, throw before anything changed. */
  readonly apply: (world: World, entities: readonly Entity[]) => void;
}

/** A custom command as it waits, with handles only. */
export interface WaitingCommand extends CustomCommand {
  readonly entities: readonly Entity[];
}

/** Lists with room for more commands than this are not kept for reuse. */
const MOST_KEPT = 2 ** 17;

export class CommandList {
  count = 0;
  kinds = new Uint8Array(16);
  /** The entity acted on, 0 for none. */
  entities = new Float64Array(16);
  /** Components and inits, or a custom command. */
  readonly what: unknown[] = [];

  push(kind: number, entity: Entity | 0, what: unknown): void {
    const at = this.count;
    if (at === this.kinds.length) {
      this.kinds = grown(this.kinds, at * 2);
      this.entities = grown(this.entities, at * 2);
    }
    this.kinds[at] = kind;
    this.entities[at] = entity;
    this.what[at] = what;
    this.count = at + 1;
  }

  /** Forgets all commands but the first `count`, and lets go of what they held. */
  clear(count = 0): void {
    // The array keeps its length: giving it up means growing again at every flush.
    this.what.fill(undefined, count, this.count);
    this.count = count;
  }

  labelAt(at: number): string {
    const what = this.what[at];
    const kind = this.kinds[at];
    if (kind === CUSTOM) return (what as CustomCommand).label;
    if (kind <= DESTROY) return labels[kind];
    return `${labels[kind]} ${(what as ComponentInit[]).map((init) => componentOf(init).name).join(", ")}`;
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

export function componentOf(init: ComponentInit): AnyComponent {
  return typeof init === "function" ? (init as AnyComponent) : (init as AnyInit).component;
}
