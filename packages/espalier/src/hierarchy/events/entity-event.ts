/**
 * What an entity event is: a kind, described once, and one occurrence of it on its way through the tree.
 */

import { describeValue, type Entity } from "../../ecs/index.ts";
import { checkOptions } from "../../ecs/internal.ts";
import { EntityEventError } from "../errors.ts";

/** A kind of event that happens to one entity. `Payload` is what each occurrence carries. */
export interface EntityEventKind<Payload> {
  /** The name it was defined with; unique among the kinds of one tree. */
  readonly name: string;
  /** Whether it goes on to the ancestors after its target. */
  readonly bubbles: boolean;
  /** Marks kinds of entity events. */
  readonly isEntityEvent: true;
  /** Only for types. */
  readonly payload?: Payload;
}

/** Options of `entityEvent`. */
export interface EntityEventOptions {
  /** `true` if left out. */
  readonly bubbles?: boolean;
}

/** The payload as an argument: left out where an event carries nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: an event without payload is declared as one of void
export type PayloadArgument<Payload> = [Payload] extends [void] ? [payload?: Payload] : [payload: Payload];

/** Where an event is on its way: down to the target, at it, or up again. */
export type EventPhase = "capture" | "target" | "bubble";

/**
 * Describes a kind of event. The name must be unique among the kinds used with one tree.
 *
 * @throws EntityEventError for a name that is empty.
 *
 * @example
 * ```ts
 * const Hit = entityEvent<{ amount: number }>("hit");
 * const events = createEntityEvents(tree);
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * let sum = 0;
 * events.on(tank, Hit, (event) => { sum += event.payload.amount; });
 * events.emit(turret, Hit, { amount: 5 });
 * sum; // → 5
 * ```
 */
export function entityEvent<Payload = void>(
  name: string,
  options: EntityEventOptions = {},
): EntityEventKind<Payload> {
  if (typeof name !== "string" || name === "") {
    throw new EntityEventError(
      `Cannot describe an entity event named ${describeValue(name)}. Give it a name that is not empty.`,
      { value: name },
    );
  }
  checkOptions(true, `describe entity event ${name}`, options, { bubbles: "boolean" });
  return { name, bubbles: options.bubbles ?? true, isEntityEvent: true };
}

/** One event on its way. Handlers get it; `emit` returns it. */
export class EntityEvent<Payload> {
  /** The kind it was emitted as. */
  readonly kind: EntityEventKind<Payload>;
  /** The entity it happened to. */
  readonly target: Entity;
  /** What was given to `emit`. */
  readonly payload: Payload;
  /** The entity whose handlers run now. */
  current: Entity;
  /** Where the event is on its way: going down, at its target, or going up. */
  phase: EventPhase = "capture";
  /** Whether a handler prevented what usually follows. The code that emitted the event reads it. */
  defaultPrevented = false;
  /** Whether it stops after the handlers of the current entity. */
  stopped = false;

  constructor(kind: EntityEventKind<Payload>, target: Entity, payload: Payload) {
    this.kind = kind;
    this.target = target;
    this.current = target;
    this.payload = payload;
  }

  /** Keeps it from further entities. The other handlers of the current one still run. */
  stop(): void {
    this.stopped = true;
  }

  /** Prevents what usually follows. */
  preventDefault(): void {
    this.defaultPrevented = true;
  }
}
