/**
 * Every error this room throws. All of them are thrown before anything has changed, in every build.
 */
import { type Entity, type ErrorFacts, EspalierError, type FactsOf } from "../ecs/index.ts";

/** Base of the errors about the form of a tree. */
export class HierarchyError extends EspalierError {
  override get name(): string {
    return "HierarchyError";
  }
}

/** The entity would become its own ancestor. `chain` leads from the entity down to the parent it was to get. */
export class CircularHierarchyError extends HierarchyError {
  override get name(): string {
    return "CircularHierarchyError";
  }
  /** The entity that was to be moved. */
  declare readonly entity: Entity;
  /** From the entity down to the parent that it was to get. */
  declare readonly chain: readonly Entity[];
  constructor(message: string, { chain }: FactsOf<CircularHierarchyError, "chain">) {
    super("hierarchy/cycle", message, { entities: chain, chain, entity: chain[0] } as ErrorFacts);
  }
}

/** The `max` of the hierarchy's `depthLimit` would be exceeded. */
export class HierarchyTooDeepError extends HierarchyError {
  override get name(): string {
    return "HierarchyTooDeepError";
  }
  /** The levels below its root that the tree would have; `limit` is how many it may have. */
  declare readonly depth: number;
  constructor(message: string, facts: FactsOf<HierarchyTooDeepError, "depth">) {
    super("hierarchy/too-deep", message, facts);
  }
}

/** The `maxChildren` of the hierarchy would be exceeded. */
export class TooManyChildrenError extends HierarchyError {
  override get name(): string {
    return "TooManyChildrenError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/too-many-children", message, facts);
  }
}

/** The entity has children, and the policy is that such an entity is not destroyed. */
export class HasChildrenError extends HierarchyError {
  override get name(): string {
    return "HasChildrenError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/has-children", message, facts);
  }
}

/** The entity that was named as a position is not a child of that parent. */
export class NotAChildError extends HierarchyError {
  override get name(): string {
    return "NotAChildError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/not-a-child", message, facts);
  }
}

/** A list of entities names one twice, or options contradict each other. */
export class InvalidEditError extends HierarchyError {
  override get name(): string {
    return "InvalidEditError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/invalid-edit", message, facts);
  }
}

/** A constraint of the hierarchy refuses the change; `constraint` is its name. */
export class ConstraintError extends HierarchyError {
  override get name(): string {
    return "ConstraintError";
  }
  /** The name of the constraint. */
  declare readonly constraint: string;
  /** Why, in the words of the constraint. */
  declare readonly reason: string;
  constructor(message: string, facts: FactsOf<ConstraintError, "constraint" | "reason">) {
    super("hierarchy/constraint", message, facts);
  }
}

/** A sibling has that name already and the hierarchy wants unique names. */
export class DuplicateNameError extends HierarchyError {
  override get name(): string {
    return "DuplicateNameError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/duplicate-name", message, facts);
  }
}

/** A name or a path that cannot be read. */
export class InvalidPathError extends HierarchyError {
  override get name(): string {
    return "InvalidPathError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/invalid-path", message, facts);
  }
}

/** A hierarchy was created with options that do not go together. */
export class InvalidHierarchyError extends HierarchyError {
  override get name(): string {
    return "InvalidHierarchyError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/invalid-options", message, facts);
  }
}

/** What is left out of the middle of a longer chain. */
const SHOWN = 12;

/**
 * The error for a chain that would close to a ring. `chain` leads from the entity down to the parent it was to get.
 * @param why Put before "it would become its own ancestor".
 */
export function cycleError(
  chain: readonly Entity[],
  label: (entity: Entity) => string,
  why = "",
  advice = "Pick a parent outside it.",
): CircularHierarchyError {
  const [child, parent] = [chain[0] as Entity, chain.at(-1) as Entity];
  return new CircularHierarchyError(
    `Cannot move ${label(child)} under ${label(parent)}: ${why}it would become its own ancestor (${shownChain(chain, label)}). ${advice}`,
    { chain },
  );
}

function shownChain(chain: readonly Entity[], label: (entity: Entity) => string): string {
  const labels = (entities: readonly Entity[]) => entities.map(label);
  const half = SHOWN / 2;
  const shown =
    chain.length <= SHOWN
      ? labels(chain)
      : [...labels(chain.slice(0, half)), `… ${chain.length - SHOWN} more …`, ...labels(chain.slice(-half))];
  return shown.join(" > ");
}

/** An entity event that was never described, one of a name that another has, or a handler that is not a function. */
export class EntityEventError extends HierarchyError {
  override get name(): string {
    return "EntityEventError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/invalid-event", message, facts);
  }
}

/** A handler of an entity event threw; `cause` is what it threw. Reported to the world's `onError`. */
export class EntityEventHandlerError extends HierarchyError {
  override get name(): string {
    return "EntityEventHandlerError";
  }
  constructor(message: string, facts?: ErrorFacts) {
    super("hierarchy/event-handler", message, facts);
  }
}
