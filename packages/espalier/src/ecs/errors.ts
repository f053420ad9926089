/**
 * Every error this room throws. Each says what was refused, why, and what to do, and carries a stable code that has
 * a page in `docs/errors/`. When one is thrown, nothing has changed.
 */
import { isDevelopment } from "./development.ts";
import type { Entity } from "./entities/entity.ts";

/** Base of all errors of Espalier that are the caller's to fix. */
export class EspalierError extends Error {
  /** Stable, documented: `ecs/dead-entity`. */
  readonly code: string;
  /** The entities the message speaks of. */
  readonly entities: readonly Entity[];

  constructor(code: string, message: string, entities: readonly Entity[] = [], options?: ErrorOptions) {
    super(`${message} [${code}]`, options);
    this.code = code;
    this.entities = entities;
    if (isDevelopment()) showPage(this);
  }

  /** The name of the class. Each says it, because minifiers rename classes. */
  override get name(): string {
    return this.constructor === EspalierError ? "EspalierError" : this.constructor.name;
  }
}

/**
 * Adds one line to what is printed of an error: the page of its room, which has a section for its code. To the stack, because the
 * message is for tests and users too and says the same in every build.
 */
function showPage(error: EspalierError): void {
  const line = `    see node_modules/espalier/docs/errors/${error.code.split("/", 1)[0]}.md`;
  const { stack = "", message, name } = error;
  // V8 begins with the message, other engines with the first call.
  const at = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  error.stack = at === 0 ? `${line}\n${stack}` : `${name}: ${message}\n${line}${stack.slice(at)}`;
}

/** What something that was thrown says. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** A fault of Espalier itself. Please report it with the message. */
export class InternalError extends EspalierError {
  override get name(): string {
    return "InternalError";
  }
  constructor(message: string) {
    super("ecs/internal", `${message} This is a fault in Espalier, please report it.`);
  }
}

/** The entity is dead, was never created, or belongs to another world. */
export class DeadEntityError extends EspalierError {
  override get name(): string {
    return "DeadEntityError";
  }
  constructor(message: string, entities: readonly Entity[]) {
    super("ecs/dead-entity", message, entities);
  }
}

/** Something that is not an entity was given where one is expected. */
export class InvalidEntityError extends EspalierError {
  override get name(): string {
    return "InvalidEntityError";
  }
  constructor(message: string) {
    super("ecs/invalid-entity", message);
  }
}

/** No place is left for another entity. */
export class EntityLimitError extends EspalierError {
  override get name(): string {
    return "EntityLimitError";
  }
  constructor(message: string) {
    super("ecs/entity-limit", message);
  }
}

/** Something that is not a component, or not of this world, was given where one is expected. */
export class UnknownComponentError extends EspalierError {
  override get name(): string {
    return "UnknownComponentError";
  }
  constructor(message: string) {
    super("ecs/unknown-component", message);
  }
}

/** Two different components of one world claim the same name. */
export class DuplicateComponentError extends EspalierError {
  override get name(): string {
    return "DuplicateComponentError";
  }
  constructor(message: string) {
    super("ecs/duplicate-component", message);
  }
}

/** A component definition that cannot work. */
export class InvalidSchemaError extends EspalierError {
  override get name(): string {
    return "InvalidSchemaError";
  }
  constructor(message: string) {
    super("ecs/invalid-schema", message);
  }
}

/** A value does not fit the field it is meant for. */
export class InvalidValueError extends EspalierError {
  override get name(): string {
    return "InvalidValueError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("ecs/invalid-value", message, entities);
  }
}

/** An option that does not exist, or a value that means nothing for it. Thrown in development builds. */
export class InvalidOptionError extends EspalierError {
  override get name(): string {
    return "InvalidOptionError";
  }
  constructor(message: string) {
    super("ecs/invalid-option", message);
  }
}

/** An argument is not what the call takes: not a world, not a function, not a list. */
export class InvalidArgumentError extends EspalierError {
  override get name(): string {
    return "InvalidArgumentError";
  }
  constructor(message: string) {
    super("ecs/invalid-argument", message);
  }
}

/** The entity lacks a component that the call needs. */
export class MissingComponentError extends EspalierError {
  override get name(): string {
    return "MissingComponentError";
  }
  constructor(message: string, entities: readonly Entity[]) {
    super("ecs/missing-component", message, entities);
  }
}

/** Only the owner of this component may write it; the message names the call to use instead. */
export class ReservedComponentError extends EspalierError {
  override get name(): string {
    return "ReservedComponentError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("ecs/reserved-component", message, entities);
  }
}

/** The world was disposed. */
export class DisposedWorldError extends EspalierError {
  override get name(): string {
    return "DisposedWorldError";
  }
  constructor(what: string) {
    super(
      "ecs/disposed-world",
      `Cannot ${what}: this world was disposed. Create a new one with createWorld().`,
    );
  }
}

/** A query that cannot be built, or `single()` on a query that does not match exactly one entity. */
export class QueryError extends EspalierError {
  override get name(): string {
    return "QueryError";
  }
  constructor(message: string, entities: readonly Entity[] = []) {
    super("ecs/query", message, entities);
  }
}

/** Entities or components would change inside `update` or `run`, which walk the columns directly. */
export class StructureLockedError extends EspalierError {
  override get name(): string {
    return "StructureLockedError";
  }
  constructor(doing: string) {
    super(
      "ecs/structure-locked",
      `Cannot ${doing} inside query.update() or query.run(): they walk the columns directly. Use query.each(), or record the change on a command buffer and flush it after the loop.`,
    );
  }
}

/** A guard, a constraint or a keeper tried to change the world. */
export class NestedEditError extends EspalierError {
  override get name(): string {
    return "NestedEditError";
  }
  constructor(doing: string) {
    super(
      "ecs/nested-edit",
      `Cannot ${doing} inside a guard, a constraint or a keeper: these are asked before a change and must not make one. Only read there, and make the change in an observer, or after the call.`,
    );
  }
}

/** A resource was read before it was set. */
export class MissingResourceError extends EspalierError {
  override get name(): string {
    return "MissingResourceError";
  }
  constructor(message: string) {
    super("ecs/missing-resource", message);
  }
}

/** The call needs another room, which is not at work in this world. */
export class MissingRoomError extends EspalierError {
  override get name(): string {
    return "MissingRoomError";
  }
  constructor(message: string) {
    super("ecs/missing-room", message);
  }
}

/** An observer threw; `cause` is what it threw. Reported to `onError`, never thrown by the operation itself. */
export class ObserverError extends EspalierError {
  override get name(): string {
    return "ObserverError";
  }
  /** The name the observer was registered with. */
  readonly observer: string;
  constructor(observer: string, message: string, entities: readonly Entity[], cause: unknown) {
    super("ecs/observer", message, entities, { cause });
    this.observer = observer;
  }
}

/** A command buffer was used in a way it does not allow, or one of its commands was refused. */
export class CommandError extends EspalierError {
  override get name(): string {
    return "CommandError";
  }
  constructor(message: string, entities: readonly Entity[] = [], cause?: unknown) {
    super("ecs/command", message, entities, cause === undefined ? undefined : { cause });
  }
}

/** Events were overwritten before a reader came to them. Reported to `onError`, never thrown by `read()` itself. */
export class MissedEventsError extends EspalierError {
  override get name(): string {
    return "MissedEventsError";
  }
  /** The name of the channel. */
  readonly channel: string;
  /** How many events the reader will never see. */
  readonly missed: number;
  constructor(channel: string, missed: number, message: string) {
    super("ecs/missed-events", message);
    this.channel = channel;
    this.missed = missed;
  }
}

/** A reader of changes or events was used after `close()`. */
export class ClosedReaderError extends EspalierError {
  override get name(): string {
    return "ClosedReaderError";
  }
  constructor(message: string) {
    super("ecs/closed-reader", message);
  }
}

/** A system or a schedule that cannot work: unknown names, names used twice, options that contradict each other. */
export class ScheduleError extends EspalierError {
  override get name(): string {
    return "ScheduleError";
  }
  constructor(message: string) {
    super("ecs/schedule", message);
  }
}

/** Systems that must each run before the other. */
export class ScheduleCycleError extends EspalierError {
  override get name(): string {
    return "ScheduleCycleError";
  }
  /** The names along the cycle, each before the next and the last before the first. */
  readonly systems: readonly string[];
  constructor(message: string, systems: readonly string[]) {
    super("ecs/schedule-cycle", message);
    this.systems = systems;
  }
}

/** Systems that use the same data, at least one of them writing, and whose order is not specified. */
export class AmbiguousOrderError extends EspalierError {
  override get name(): string {
    return "AmbiguousOrderError";
  }
  /** The systems without an order between them, as pairs of names. */
  readonly pairs: readonly (readonly [string, string])[];
  constructor(message: string, pairs: readonly (readonly [string, string])[]) {
    super("ecs/ambiguous-order", message);
    this.pairs = pairs;
  }
}

/** A system threw; `cause` is what it threw. */
export class SystemError extends EspalierError {
  override get name(): string {
    return "SystemError";
  }
  /** The name of the system that threw. */
  readonly system: string;
  /** The phase the system runs in. */
  readonly phase: string;
  constructor(system: string, phase: string, message: string, cause: unknown) {
    super("ecs/system", message, [], { cause });
    this.system = system;
    this.phase = phase;
  }
}
