/**
 * Every error this room throws. Each says what was refused, why, and what to do, and carries a stable code that has
 * a page in `docs/errors/`. When one is thrown, nothing has changed.
 */
import { DEVELOPMENT } from "./development.ts";
import { type Entity, type EntityLike, formatEntity, heldId } from "./entities/entity.ts";

/** The facts that any error may have: each is a field of the error, in every build. */
export type ErrorFacts = {
  readonly [Fact in "component" | "field" | "value" | "option" | "subject" | "limit" | "path"]?:
    | EspalierError[Fact]
    | undefined;
} & {
  /** The entities it is about; of objects, the error has the handles. */
  readonly entities?: readonly EntityLike[] | undefined;
  /** What was thrown before, and led to this. */
  readonly cause?: unknown;
};

/** The facts of one class of errors: those that any error may have, and its own. */
export type FactsOf<Thrown extends EspalierError, Own extends keyof Thrown> = ErrorFacts & Pick<Thrown, Own>;

/**
 * Base of all errors of Espalier that are the caller's to fix.
 *
 * The message is for people. Programs use the class, the `code` and the facts, which are the same in every build; in production the
 * message is made of them.
 */
export class EspalierError extends Error {
  /** Stable, documented: `ecs/dead-entity`. */
  readonly code: string;
  /** The entities it is about. */
  readonly entities: readonly Entity[];
  /** The component it is about, by its name. */
  declare readonly component?: string;
  /** The field it is about. */
  declare readonly field?: string;
  /** What was given and refused. */
  declare readonly value?: unknown;
  /** The option or argument that was given it. */
  declare readonly option?: string;
  /** What it is about, by its name: a system, a channel, a query, a hierarchy, a space, a scene, a step. */
  declare readonly subject?: string;
  /** The number that would be exceeded. */
  declare readonly limit?: number;
  /** The path or the file it is about. */
  declare readonly path?: string;

  /** @param message - What was refused, why, and what to do. If it is empty, the error says its code and its facts. */
  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    const { cause, entities, ...own } = facts;
    super(
      message === "" ? briefly(code, facts) : `${message} [${code}]`,
      cause === undefined ? undefined : { cause },
    );
    this.code = code;
    this.entities = entities?.map(handleOrSame) ?? [];
    Object.assign(this, own);
    if (DEVELOPMENT) showPage(this);
  }

  /** The name of the class. Each says it, because minifiers rename classes. */
  override get name(): string {
    return this.constructor === EspalierError ? "EspalierError" : this.constructor.name;
  }
}

function handleOrSame(entity: EntityLike): Entity {
  return heldId(entity) ?? (entity as Entity);
}

/** How many entities a message without prose names. */
const SHOWN = 8;

/** A message without prose: `ecs/missing-component (#3, component: Health): see …`. What is not a word or a number is only a field. */
function briefly(code: string, { entities = [], cause, ...facts }: ErrorFacts): string {
  const shown = [
    ...entities.slice(0, SHOWN).map((entity) => formatEntity(handleOrSame(entity))),
    ...Object.entries(facts)
      .filter(([, fact]) => typeof fact === "string" || typeof fact === "number")
      .map(([name, fact]) => `${name}: ${fact}`),
  ];
  return `${code}${shown.length === 0 ? "" : ` (${shown.join(", ")})`}: see ${pageOf(code)}`;
}

/** The page of the room, which has a section for the code. */
function pageOf(code: string): string {
  return `node_modules/espalier/docs/errors/${code.split("/", 1)[0]}.md`;
}

/** Adds one line to what is printed of an error: its page. To the stack, because the message is for tests and users too. */
function showPage(error: EspalierError): void {
  const line = `    see ${pageOf(error.code)}`;
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
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/dead-entity", message, facts);
  }
}

/** An object that stands for an entity was given to a call of another world. */
export class ForeignEntityError extends EspalierError {
  override get name(): string {
    return "ForeignEntityError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/foreign-entity", message, facts);
  }
}

/** Something that is not an entity was given where one is expected. */
export class InvalidEntityError extends EspalierError {
  override get name(): string {
    return "InvalidEntityError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/invalid-entity", message, facts);
  }
}

/** No index is left for another entity. */
export class EntityLimitError extends EspalierError {
  override get name(): string {
    return "EntityLimitError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/entity-limit", message, facts);
  }
}

/** Something that is not a component, or not of this world, was given where one is expected. */
export class UnknownComponentError extends EspalierError {
  override get name(): string {
    return "UnknownComponentError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/unknown-component", message, facts);
  }
}

/** Two different components of one world claim the same name. */
export class DuplicateComponentError extends EspalierError {
  override get name(): string {
    return "DuplicateComponentError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/duplicate-component", message, facts);
  }
}

/** A component definition that cannot work. */
export class InvalidSchemaError extends EspalierError {
  override get name(): string {
    return "InvalidSchemaError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/invalid-schema", message, facts);
  }
}

/** A value does not fit the field it is meant for. */
export class InvalidValueError extends EspalierError {
  override get name(): string {
    return "InvalidValueError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/invalid-value", message, facts);
  }
}

/** An option that does not exist, or a value that means nothing for it. Thrown in development builds. */
export class InvalidOptionError extends EspalierError {
  override get name(): string {
    return "InvalidOptionError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/invalid-option", message, facts);
  }
}

/** An argument is not what the call takes: not a world, not a function, not an array. */
export class InvalidArgumentError extends EspalierError {
  override get name(): string {
    return "InvalidArgumentError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/invalid-argument", message, facts);
  }
}

/** The entity lacks a component that the call needs. */
export class MissingComponentError extends EspalierError {
  override get name(): string {
    return "MissingComponentError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/missing-component", message, facts);
  }
}

/** Only the owner of this component may write it; the message names the call to use instead. */
export class ReservedComponentError extends EspalierError {
  override get name(): string {
    return "ReservedComponentError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/reserved-component", message, facts);
  }
}

/** A relation that does not exist or cannot be asked: not a reference, not indexed, or not a pair. */
export class RelationError extends EspalierError {
  override get name(): string {
    return "RelationError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/relation", message, facts);
  }
}

/** An entity would be destroyed to which another entity refers with the policy `"refuse"`. */
export class ReferencedEntityError extends EspalierError {
  override get name(): string {
    return "ReferencedEntityError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/referenced-entity", message, facts);
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
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/query", message, facts);
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
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/missing-resource", message, facts);
  }
}

/** The call needs another room, which is not at work in this world. */
export class MissingRoomError extends EspalierError {
  override get name(): string {
    return "MissingRoomError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/missing-room", message, facts);
  }
}

/** An observer threw; `cause` is what it threw. Reported to `onError`, never thrown by the operation itself. */
export class ObserverError extends EspalierError {
  override get name(): string {
    return "ObserverError";
  }
  /** The name the observer was registered with. */
  declare readonly observer: string;
  constructor(message: string, facts: FactsOf<ObserverError, "observer">) {
    super("ecs/observer", message, facts);
  }
}

/** A command buffer was used in a way it does not allow, or one of its commands was refused. */
export class CommandError extends EspalierError {
  override get name(): string {
    return "CommandError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/command", message, facts);
  }
}

/** Events were overwritten before a reader came to them. Reported to `onError`, never thrown by `read()` itself. */
export class MissedEventsError extends EspalierError {
  override get name(): string {
    return "MissedEventsError";
  }
  /** The name of the channel. */
  declare readonly channel: string;
  /** How many events the reader will never see. */
  declare readonly missed: number;
  constructor(message: string, facts: FactsOf<MissedEventsError, "channel" | "missed">) {
    super("ecs/missed-events", message, facts);
  }
}

/** A reader of changes or events was used after `close()`. */
export class ClosedReaderError extends EspalierError {
  override get name(): string {
    return "ClosedReaderError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/closed-reader", message, facts);
  }
}

/** A system or a schedule that cannot work: unknown names, names used twice, options that contradict each other. */
export class ScheduleError extends EspalierError {
  override get name(): string {
    return "ScheduleError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("ecs/schedule", message, facts);
  }
}

/** Systems that must each run before the other. */
export class ScheduleCycleError extends EspalierError {
  override get name(): string {
    return "ScheduleCycleError";
  }
  /** The names along the cycle, each before the next and the last before the first. */
  declare readonly systems: readonly string[];
  constructor(message: string, facts: FactsOf<ScheduleCycleError, "systems">) {
    super("ecs/schedule-cycle", message, facts);
  }
}

/** Systems that use the same data, at least one of them writing, and whose order is not specified. */
export class AmbiguousOrderError extends EspalierError {
  override get name(): string {
    return "AmbiguousOrderError";
  }
  /** The names of the two systems of each pair. */
  declare readonly pairs: readonly (readonly [string, string])[];
  constructor(message: string, facts: FactsOf<AmbiguousOrderError, "pairs">) {
    super("ecs/ambiguous-order", message, facts);
  }
}

/** A system threw; `cause` is what it threw. */
export class SystemError extends EspalierError {
  override get name(): string {
    return "SystemError";
  }
  /** The name of the system. */
  declare readonly system: string;
  /** The phase that it belongs to. */
  declare readonly phase: string;
  constructor(message: string, facts: FactsOf<SystemError, "system" | "phase">) {
    super("ecs/system", message, facts);
  }
}
