/**
 * Events of single entities, which travel as in the DOM: down to the target through capturing handlers, then the target,
 * then up through its ancestors.
 *
 * Handlers belong to an entity and end with it. Where a kind has no handler, emitting it costs one lookup.
 */

import { describeValue, type Entity, type EntityLike, handleOf, requireAlive } from "../../ecs/index.ts";
import { checkOptions, extend, stateOf } from "../../ecs/internal.ts";
import { requireTree } from "../arguments.ts";
import { EntityEventError, EntityEventHandlerError } from "../errors.ts";
import type { Hierarchy } from "../hierarchy.ts";
import { forEachAncestor } from "../walks/relatives.ts";
import { EntityEvent, type EntityEventKind, type EventPhase, type PayloadArgument } from "./entity-event.ts";

/** What is called when an event reaches the entity. */
export type EntityEventHandler<Payload> = (event: EntityEvent<Payload>) => void;

/** Options of a handler of entity events. */
export interface HandlerOptions {
  /** Run on the way down, before the target's own handlers. */
  readonly capture?: boolean;
  /** End after the first time. */
  readonly once?: boolean;
}

interface Handling {
  readonly handler: EntityEventHandler<never>;
  readonly capture: boolean;
  readonly once: boolean;
  ended: boolean;
}

/** The handlers of one kind. Lists are replaced, not changed, so one that is being walked stays as it is. */
interface KindHandlers {
  readonly kind: EntityEventKind<unknown>;
  readonly byEntity: Map<Entity, readonly Handling[]>;
}

/**
 * Makes the entity events of a tree. A tree may have several; they share no handlers.
 *
 * @example
 * ```ts
 * const Hit = entityEvent<number>("hit");
 * const events = createEntityEvents(tree);
 * const tank = world.spawn();
 * const turret = tree.attachNew(tank);
 * let damage = 0;
 * events.on(tank, Hit, ({ payload }) => { damage += payload; });
 * events.emit(turret, Hit, 5); // bubbles
 * damage; // → 5
 * ```
 */
export function createEntityEvents(tree: Hierarchy): EntityEvents {
  requireTree(tree, "create entity events");
  return new EntityEvents(tree);
}

const handlerOptions = { capture: "boolean", once: "boolean" } as const;

/** Events that go to an entity and bubble up to its ancestors. Made by `createEntityEvents`. */
export class EntityEvents {
  private readonly tree: Hierarchy;
  private readonly kinds = new Map<string, KindHandlers>();
  private readonly unhook: () => void;

  /** @internal Use `createEntityEvents(tree)`. */
  constructor(tree: Hierarchy) {
    this.tree = tree;
    const ecs = stateOf(tree.world);
    // After all observers, so that handlers of what one of them emits about the dying entity still run.
    this.unhook = extend(ecs, {
      life: {
        created: () => {},
        leaving: (ids, from, to) => {
          for (const { byEntity } of this.kinds.values()) {
            if (byEntity.size === 0) continue;
            for (let k = from; k < to; k++) byEntity.delete(ecs.handleAt(ids[k]));
          }
        },
      },
    });
  }

  /**
   * Calls `handler` for events of that kind that reach `entity`, until the entity is destroyed. The same handler twice
   * is called twice. Gives the function that ends it.
   *
   * @throws EntityEventError for a kind that was never described; DeadEntityError.
   */
  on<Payload>(
    entity: EntityLike,
    kind: EntityEventKind<Payload>,
    handler: EntityEventHandler<Payload>,
    options: HandlerOptions = {},
  ): () => void {
    const { world } = this.tree;
    entity = handleOf(world, entity);
    requireAlive(world, entity, "handle events of an entity");
    const { byEntity } = this.known(kind, "handle");
    if (typeof handler !== "function") {
      throw new EntityEventError(
        `Cannot handle ${kind.name} of ${this.tree.label(entity)} with ${describeValue(handler)}. Give a function.`,
        { entities: [entity], subject: kind.name, value: handler },
      );
    }
    checkOptions(this.tree.world.checks, `handle ${kind.name}`, options, handlerOptions);
    const handling: Handling = {
      handler: handler as EntityEventHandler<never>,
      capture: options.capture ?? false,
      once: options.once ?? false,
      ended: false,
    };
    byEntity.set(entity, [...(byEntity.get(entity) ?? []), handling]);
    const handled = entity;
    return () => this.end(byEntity, handled, handling);
  }

  /** Ends a handler. `false` when there was none. */
  off<Payload>(
    entity: EntityLike,
    kind: EntityEventKind<Payload>,
    handler: EntityEventHandler<Payload>,
    options: Pick<HandlerOptions, "capture"> = {},
  ): boolean {
    const byEntity = this.kinds.get(kind?.name)?.byEntity;
    entity = handleOf(this.tree.world, entity);
    checkOptions(this.tree.world.checks, "end a handler", options, handlerOptions);
    const capture = options.capture ?? false;
    const found = byEntity
      ?.get(entity)
      ?.find((handling) => handling.handler === handler && handling.capture === capture);
    if (byEntity === undefined || found === undefined) return false;
    this.end(byEntity, entity, found);
    return true;
  }

  /** Whether a handler for events of that kind exists. */
  isHandled(kind: EntityEventKind<unknown>): boolean {
    return (this.kinds.get(kind?.name)?.byEntity.size ?? 0) > 0;
  }

  /**
   * Registers a kind by its name before it is first handled or emitted.
   * @throws EntityEventError for what is not a kind, or another kind of that name.
   */
  use(kind: EntityEventKind<unknown>): void {
    this.known(kind, "use");
  }

  /** The kind of that name, if it was used with this tree: for events that are named in files. */
  kindNamed(name: string): EntityEventKind<unknown> | undefined {
    return this.kinds.get(name)?.kind;
  }

  /**
   * Sends an event to `entity`. The way is the one at the start; entities that die meanwhile are passed over. All
   * handlers of one entity run, also when one of them stops the event or throws; what was thrown goes to the world's
   * `onError`. Gives the event: ask it for `defaultPrevented`.
   *
   * @throws EntityEventError for a kind that was never described; DeadEntityError.
   */
  emit<Payload>(
    entity: EntityLike,
    kind: EntityEventKind<Payload>,
    ...[payload]: PayloadArgument<Payload>
  ): EntityEvent<Payload> {
    entity = handleOf(this.tree.world, entity);
    requireAlive(this.tree.world, entity, "send an event");
    const { byEntity } = this.known(kind, "emit");
    const event = new EntityEvent(kind, entity, payload as Payload);
    if (byEntity.size === 0) return event;
    const way: Entity[] = [];
    forEachAncestor(this.tree, entity, (ancestor) => void way.push(ancestor));
    for (let k = way.length - 1; k >= 0 && !event.stopped; k--)
      this.reach(byEntity, event, way[k], "capture", true);
    if (!event.stopped) {
      this.reach(byEntity, event, entity, "target", true);
      this.reach(byEntity, event, entity, "target", false);
    }
    if (!kind.bubbles) return event;
    for (let k = 0; k < way.length && !event.stopped; k++)
      this.reach(byEntity, event, way[k], "bubble", false);
    return event;
  }

  /** Forgets all handlers. */
  close(): void {
    this.unhook();
    this.kinds.clear();
  }

  private reach<Payload>(
    byEntity: KindHandlers["byEntity"],
    event: EntityEvent<Payload>,
    entity: Entity,
    phase: EventPhase,
    capture: boolean,
  ): void {
    const list = byEntity.get(entity);
    if (list === undefined) return;
    event.current = entity;
    event.phase = phase;
    for (const handling of list) {
      if (handling.capture !== capture || handling.ended) continue;
      if (handling.once) this.end(byEntity, entity, handling);
      try {
        (handling.handler as EntityEventHandler<Payload>)(event);
      } catch (cause) {
        const label = this.tree.world.isAlive(entity) ? this.tree.label(entity) : "a destroyed entity";
        const why = cause instanceof Error ? cause.message : String(cause);
        this.tree.world.onError(
          new EntityEventHandlerError(`A handler of ${event.kind.name} at ${label} threw: ${why}`, {
            entities: [entity],
            cause,
            subject: event.kind.name,
          }),
        );
      }
    }
  }

  private end(byEntity: KindHandlers["byEntity"], entity: Entity, handling: Handling): void {
    handling.ended = true;
    const rest = byEntity.get(entity)?.filter((other) => other !== handling);
    if (rest === undefined) return;
    if (rest.length === 0) byEntity.delete(entity);
    else byEntity.set(entity, rest);
  }

  private known(kind: EntityEventKind<unknown>, doing: string): KindHandlers {
    const found = this.kinds.get(kind?.name);
    if (found?.kind === kind && found !== undefined) return found;
    if (kind?.isEntityEvent !== true) {
      throw new EntityEventError(
        `Cannot ${doing} ${describeValue(kind)}: it is not an entity event. Describe it once with entityEvent(name).`,
        { value: kind },
      );
    }
    if (found !== undefined) {
      throw new EntityEventError(
        `Cannot ${doing} ${kind.name}: another entity event of that name is used with this tree. Describe it once and share it, or rename one.`,
        { subject: kind.name },
      );
    }
    const made: KindHandlers = { kind: kind as EntityEventKind<unknown>, byEntity: new Map() };
    this.kinds.set(kind.name, made);
    return made;
  }
}
