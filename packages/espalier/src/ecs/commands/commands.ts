/**
 * Command buffers: changes that are recorded now and made at the next flush, in recorded order.
 *
 * Operations on a world are immediate. A buffer is for code where that is not wanted or not allowed: inside
 * `query.update()` and `query.run()`, or to let all systems of a phase see the same world.
 */
import { withoutBundles } from "../bundles/complete.ts";
import {
  refuseArgument,
  requireFunction,
  requireList,
  requireObject,
  requireText,
} from "../checks/arguments.ts";
import { checkOptions } from "../checks/check-options.ts";
import type {
  AnyComponent,
  AnyInit,
  Component,
  ComponentInit,
  Init,
  Resource,
} from "../components/component.ts";
import { initOf, isComponent } from "../components/component.ts";
import { describeValue, type InputOf, type Schema } from "../components/fields.ts";
import { checkInit, requireUnreserved } from "../components/validate.ts";
import { type Entity, type EntityLike, formatEntity, isHandle } from "../entities/entity.ts";
import { handleIn, handlesIn } from "../entities/handle-in.ts";
import { CommandError, InvalidEntityError, InvalidValueError } from "../errors.ts";
import { inserted } from "../listeners/observers.ts";
import { addToMatches, destroyMatches, removeFromMatches } from "../mutate/bulk.ts";
import { releaseReserved, reserveHandle } from "../mutate/create.ts";
import { Query } from "../queries/query.ts";
import type { Term } from "../queries/terms.ts";
import { stateOf, type World } from "../world.ts";
import {
  ADD,
  CommandQueue,
  CUSTOM,
  type CustomCommand,
  componentOf,
  DESTROY,
  REMOVE,
  SET,
  SPAWN,
  type WaitingCommand,
} from "./command-list.ts";
import { commandsOf, type FlushResult, flushQueues } from "./flush.ts";

/** Options of `createCommands`. */
export interface CommandsOptions {
  /** Shown in messages. */
  readonly name?: string;
  /** Where several buffers are flushed together, lower ones come first; 0 if left out. */
  readonly order?: number;
}

const commandsOptions = { name: "string", order: "number" } as const;

/**
 * Makes a command buffer for a world. `flush(world)` applies it together with all others; `close()` it when it is no
 * longer needed.
 *
 * @example
 * ```ts
 * const Burning = tag("Burning");
 * const commands = createCommands(world);
 * const e = commands.spawn(Burning); // the handle can be stored and used in further commands
 * commands.remove(e, Burning);
 * world.isAlive(e); // → false
 * commands.flush().applied; // → 2
 * world.has(e, Burning); // → false
 * ```
 */
export function createCommands(world: World, options: CommandsOptions = {}): Commands {
  stateOf(world).requireUsable("create a command buffer");
  checkOptions(world.checks, "create a command buffer", options, commandsOptions);
  return new Commands(world, options);
}

/** Whether a value is a command buffer of `world`, of this or of another copy of the library. */
export function isBufferOf(buffer: unknown, world: World): boolean {
  // The number tells a buffer from a hierarchy, which has a world too.
  const { pending, world: own } = Object(buffer) as Partial<Commands>;
  return own === world && typeof pending === "number";
}

/**
 * Records changes of one world. What can be checked is checked when it is recorded (components, values, handles) and
 * throws there; whether the entity lives is asked when the command is applied. Values are copied (their fields, not
 * what object fields refer to), so changing them afterwards has no effect.
 */
export class Commands {
  /** @internal The world that its commands change. */
  readonly world: World;
  private readonly queue: CommandQueue;
  private isClosed = false;

  /** @internal Use `createCommands(world)`. */
  constructor(world: World, options: CommandsOptions) {
    const order = options.order ?? 0;
    if (typeof order !== "number" || Number.isNaN(order)) {
      throw new InvalidValueError(
        `Cannot create a command buffer with order ${describeValue(order)}. Give a number.`,
        { option: "order", value: order },
      );
    }
    this.world = world;
    this.queue = new CommandQueue(options.name ?? "(unnamed)", order);
    const commands = commandsOf(world);
    commands.queues = inserted(commands.queues, this.queue);
  }

  /** The name of the buffer, for messages and tools. */
  get name(): string {
    return this.queue.name;
  }

  /** How many commands wait. */
  get pending(): number {
    return this.queue.pending.count;
  }

  /** Creates an entity at the flush. Its handle is valid from then on, and in further commands from now on. */
  spawn(...inits: ComponentInit[]): Entity {
    const copies = this.copyAll(inits);
    this.requireOpen();
    const entity = reserveHandle(stateOf(this.world));
    this.queue.pending.push(SPAWN, entity, copies);
    return entity;
  }

  /** Destroys entities, with everything that must go with them. */
  destroy(...entities: EntityLike[]): void {
    const handles = entities.map((entity) => this.requireHandle(entity, "destroy"));
    for (const entity of handles) this.queue.pending.push(DESTROY, entity, undefined);
  }

  /** Adds components, all or none; see `world.add`. */
  add(entity: EntityLike, ...inits: ComponentInit[]): void {
    const handle = this.requireHandle(entity, "add a component");
    this.queue.pending.push(ADD, handle, this.copyAll(inits));
  }

  /** Removes components; those that are not there then are passed over. */
  remove(entity: EntityLike, ...components: AnyComponent[]): void {
    const handle = this.requireHandle(entity, "remove a component");
    this.requireRemovable(components, handle);
    this.queue.pending.push(REMOVE, handle, components);
  }

  /** Writes some fields; refused at the flush when the entity lacks a component then. See `world.set`. */
  set<S extends Schema>(entity: EntityLike, component: Component<S>, values: InputOf<S>): void;
  /** Writes some fields of several components: `commands.set(tank, Health({ hp: 5 }), Position({ x: 1 }))`. */
  set(entity: EntityLike, ...inits: Init<Schema>[]): void;
  set(entity: EntityLike, first: AnyComponent | AnyInit, ...rest: unknown[]): void {
    const handle = this.requireHandle(entity, "set a component");
    const inits = isComponent(first) ? [initOf(first, rest[0] as object)] : [first, ...(rest as AnyInit[])];
    this.queue.pending.push(SET, handle, this.copyAll(inits));
  }

  /** Sets a resource. Its value is kept as it is, not copied. */
  setResource<Value>(resource: Resource<Value>, value: Value): void {
    this.requireOpen();
    if (resource?.isResource !== true) refuseArgument(resource, "record a resource", "it", "a resource");
    this.recordOther(`set resource ${resource.name}`, (world) => world.setResource(resource, value));
  }

  /** Adds components to every entity that matches the query at the flush. */
  addAll(query: Query<readonly Term[]>, ...inits: ComponentInit[]): void {
    const copies = this.copyAll(inits);
    this.requireQuery(query, "add a component");
    this.recordOther(`add to all of ${query}`, (world) => addToMatches(stateOf(world), query, copies));
  }

  /** Removes components from every entity that matches the query at the flush. */
  removeAll(query: Query<readonly Term[]>, ...components: AnyComponent[]): void {
    this.requireRemovable(components, undefined);
    this.requireQuery(query, "remove a component");
    this.recordOther(`remove from all of ${query}`, (world) =>
      removeFromMatches(stateOf(world), query, components),
    );
  }

  /** Destroys every entity that matches the query at the flush. */
  destroyAll(query: Query<readonly Term[]>): void {
    this.requireQuery(query, "destroy an entity");
    this.recordOther(`destroy all of ${query}`, (world) => destroyMatches(stateOf(world), query));
  }

  /**
   * Records any other change: the door for rooms that have operations of their own.
   *
   * @example
   * ```ts
   * const e = world.spawn();
   * const seen: number[] = [];
   * const commands = createCommands(world);
   * commands.record({ label: "look at", entities: [e], apply: (_, [it]) => void seen.push(it!) });
   * commands.flush();
   * seen; // → [e]
   * ```
   */
  record(command: CustomCommand): void {
    requireObject(command, "record a command", "it");
    requireText(command.label, "record a command", "its label");
    requireList(command.entities, `record ${command.label}`, "its list of entities");
    requireFunction(command.apply, `record ${command.label}`, "apply");
    for (const entity of command.entities) this.requireHandle(entity, command.label);
    this.requireOpen();
    this.queue.pending.push(
      CUSTOM,
      0,
      withHandles(command, handlesIn(stateOf(this.world), command.entities)),
    );
  }

  /**
   * Applies what was recorded on this buffer, and only this one; see `flush(world)`.
   */
  flush(): FlushResult {
    this.requireOpen();
    const own = [this.queue];
    return flushQueues(this.world, () => own);
  }

  /** Forgets what was recorded. Handles that `spawn` gave out for it are dead. */
  discard(): void {
    this.forget(0);
  }

  /** @internal Records several commands, or none of them when one is refused. */
  allOrNone<Result>(record: () => Result): Result {
    const { count } = this.queue.pending;
    try {
      return record();
    } catch (error) {
      this.forget(count);
      throw error;
    }
  }

  /** Forgets the commands from number `first` on, last one first: handles are free again in the order in which they were taken. */
  private forget(first: number): void {
    const list = this.queue.pending;
    if (!this.world.isDisposed) {
      for (let at = list.count - 1; at >= first; at--) {
        if (list.kinds[at] === SPAWN) releaseReserved(stateOf(this.world), list.entities[at] as Entity);
      }
    }
    list.clear(first);
  }

  /** Forgets what was recorded and ends the buffer. Nothing happens when it is closed already. */
  close(): void {
    this.discard();
    this.isClosed = true;
    const commands = commandsOf(this.world);
    commands.queues = commands.queues.filter((other) => other !== this.queue);
  }

  private requireQuery(query: Query<readonly Term[]>, doing: string): void {
    if (!(query instanceof Query)) refuseArgument(query, `record to ${doing}`, "it", "a query");
  }

  private requireRemovable(components: readonly AnyComponent[], entity: Entity | undefined): void {
    for (const component of components) {
      requireUnreserved(stateOf(this.world).store(component), "remove", entity);
    }
  }

  private recordOther(label: string, apply: (world: World) => void): void {
    this.record({ label, entities: [], apply });
  }

  /** Checks inits and replaces them by copies. */
  private copyAll(given: ComponentInit[]): ComponentInit[] {
    const inits = withoutBundles(given);
    for (let k = 0; k < inits.length; k++) {
      const init = inits[k] as ComponentInit;
      const { component } = checkInit(stateOf(this.world), init, 0);
      for (let j = 0; j < k; j++) {
        if (componentOf(inits[j] as ComponentInit) !== component) continue;
        throw new InvalidValueError(
          `Cannot record ${component.name} twice in one command. Give each component once, with all its values.`,
          { component: component.name },
        );
      }
      const { values } = init as AnyInit;
      // A component stays a component and an init an init: `world.set` distinguishes its two forms by the first.
      if (typeof init !== "function") inits[k] = initOf(component, values && { ...values });
    }
    return inits;
  }

  private requireOpen(): void {
    if (this.isClosed) {
      throw new CommandError(
        `Cannot use command buffer ${this.name}: it was closed. Make another with createCommands().`,
        { subject: this.name },
      );
    }
    stateOf(this.world).requireUsable("record a command");
  }

  private requireHandle(given: EntityLike, doing: string): Entity {
    this.requireOpen();
    const entity = handleIn(stateOf(this.world), given);
    if (isHandle(entity)) return entity;
    throw new InvalidEntityError(
      `Cannot ${doing}: ${formatEntity(entity)} is not an entity. Pass a handle that spawn() returned.`,
      { value: entity },
    );
  }
}

/** The command itself where it was given no objects. */
function withHandles(command: CustomCommand, entities: readonly Entity[]): WaitingCommand {
  if (entities === command.entities) return command as WaitingCommand;
  return { label: command.label, entities, apply: (world, given) => command.apply(world, given) };
}
