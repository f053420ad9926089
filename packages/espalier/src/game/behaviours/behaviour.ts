/**
 * Behaviours: components whose entities do something. Their fields come from code or from scene files like those
 * of any component; their hooks are a plain object or a class.
 */
import {
  type AnyComponent,
  type Component,
  component,
  describeValue,
  isComponent,
  type Schema,
  type ValueOf,
} from "../../ecs/index.ts";
import type { EntityObject } from "../entity-object.ts";
import { InvalidBehaviourError } from "../errors.ts";
import type { Game } from "../game-api.ts";
import { type HookName, hookNames } from "./hooks.ts";

/** The context of a hook: one object per entity and behaviour, the same in every call. */
export interface Self<S extends Schema> {
  /** The entity that has the behaviour. */
  readonly entity: EntityObject;
  /** The game it is in. */
  readonly game: Game;
  /** The fields of the component, live: reading returns the current value, writing changes it. */
  readonly values: ValueOf<S>;
}

/** Hooks as functions. Each is optional, but at least one is required. */
export interface BehaviourHooks<S extends Schema> {
  /** Once, when the game runs and the entity has the behaviour. Parents before children. */
  awake?(self: Self<S>): void;
  /** Once, before the first update, after all existing behaviours have been awoken. */
  start?(self: Self<S>): void;
  /** Every fixed step. Parents before children. */
  update?(self: Self<S>, dt: number): void;
  /** Every fixed step, after all updates. */
  lateUpdate?(self: Self<S>, dt: number): void;
  /** When the entity becomes active in the tree, including the first time. */
  enable?(self: Self<S>): void;
  /** When it or an ancestor is deactivated, and before `shutdown` if it was active. */
  disable?(self: Self<S>): void;
  /** When the behaviour, the entity or the game ends. Children before parents; everything can still be read. */
  shutdown?(self: Self<S>): void;
}

/** Hooks as methods of an object of your own, one per entity. */
export interface BehaviourInstance {
  /** Once, when the game runs and the entity has the behaviour. Parents before children. */
  awake?(): void;
  /** Once, before the first update, after all existing behaviours have been awoken. */
  start?(): void;
  /** Every fixed step. Parents before children. */
  update?(dt: number): void;
  /** Every fixed step, after all updates. */
  lateUpdate?(dt: number): void;
  /** When the entity becomes active in the tree, including the first time. */
  enable?(): void;
  /** When it or an ancestor is deactivated, and before `shutdown` if it was active. */
  disable?(): void;
  /** When the behaviour, the entity or the game ends. Children before parents. */
  shutdown?(): void;
}

/** A class of such objects. It is constructed when the entity is awoken. */
export type BehaviourClass<S extends Schema> = new (self: Self<S>) => BehaviourInstance;

/** A component together with its hooks. */
export interface BehaviourBinding {
  /** The component that entities have. */
  readonly component: Component<Schema>;
  /** The names of its hooks. */
  readonly hooks: ReadonlySet<HookName>;
  /** Creates the instance for one entity. */
  readonly create: (self: Self<Schema>) => BehaviourInstance;
}

/** A component that is a behaviour: `world.spawn(Spinner({ speed: 2 }))`. */
export type Behaviour<S extends Schema> = Component<S> & {
  /** The component with its hooks. */
  readonly behaviour: BehaviourBinding;
};

/** A behaviour with any fields, or hooks bound to a component, as taken by `createGame({ behaviours })`. */
export type AnyBehaviour = (AnyComponent & { readonly behaviour: BehaviourBinding }) | BehaviourBinding;

/**
 * Component and hooks of a behaviour.
 * @throws InvalidBehaviourError for a value that is not a behaviour.
 */
export function bindingOf(given: AnyBehaviour): BehaviourBinding {
  const binding = (given as Partial<Behaviour<Schema>> | undefined)?.behaviour ?? (given as BehaviourBinding);
  if (typeof binding?.create === "function") return binding;
  throw new InvalidBehaviourError(
    `Cannot use ${describeValue(given)} as a behaviour. Define it with behaviour(name, fields, hooks) or bindBehaviour(component, hooks).`,
    { value: given },
  );
}

/**
 * Defines a behaviour: a component with fields and hooks.
 *
 * @throws InvalidBehaviourError without a name or without a hook; InvalidSchemaError for fields that cannot work.
 *
 * @example
 * ```ts
 * const Spinner = behaviour("Spinner", { speed: f32(1) }, {
 *   update({ entity, values }, dt) {
 *     entity.rotation += values.speed * dt;
 *   },
 * });
 * const game = createGame({ behaviours: [Spinner], step: 0.5 });
 * const wheel = game.spawn(Spinner({ speed: 2 }));
 * game.step(2);
 * wheel.rotation; // → 2
 * ```
 */
export function behaviour<const S extends Schema>(
  name: string,
  schema: S,
  hooks: BehaviourHooks<S> | BehaviourClass<S>,
): Behaviour<S> {
  if (typeof name !== "string" || name === "") {
    throw new InvalidBehaviourError(
      `Cannot define a behaviour named ${describeValue(name)}. Give it a name that is not empty; scene files refer to it.`,
      { value: name },
    );
  }
  const defined = component(name, schema);
  return Object.assign(defined, { behaviour: bindBehaviour(defined, hooks) });
}

/**
 * Binds hooks to an existing component: they run for every entity that has it.
 *
 * @throws InvalidBehaviourError for hooks that cannot work.
 */
export function bindBehaviour<S extends Schema>(
  bound: Component<S>,
  hooks: BehaviourHooks<S> | BehaviourClass<S>,
): BehaviourBinding {
  if (!isComponent(bound)) {
    throw new InvalidBehaviourError(
      `Cannot bind a behaviour to ${describeValue(bound)}: it is not a component. Define one with component() or tag().`,
      { value: bound },
    );
  }
  const source: unknown = typeof hooks === "function" ? hooks.prototype : hooks;
  const found = hookNames.filter(
    (name) => typeof (source as BehaviourInstance | undefined)?.[name] === "function",
  );
  if (found.length === 0) {
    throw new InvalidBehaviourError(
      `Cannot make a behaviour of ${bound.name}: it has no hook. Give at least one of ${hookNames.join(", ")}.`,
      { component: bound.name },
    );
  }
  const Instance = typeof hooks === "function" ? hooks : classOf(hooks);
  const create = (self: Self<S>) => new Instance(self);
  return {
    component: bound as unknown as Component<Schema>,
    hooks: new Set(found),
    create: create as unknown as BehaviourBinding["create"],
  };
}

/**
 * Creates a class from functions. One class per behaviour, with the functions as constants, so that an update costs about
 * as much as a method call: with a class shared by all behaviours it costs three times that.
 */
function classOf<S extends Schema>(hooks: BehaviourHooks<S>): BehaviourClass<S> {
  const { update = nothing, lateUpdate = nothing } = hooks;
  return class implements BehaviourInstance {
    private readonly self: Self<S>;

    constructor(self: Self<S>) {
      this.self = self;
    }

    awake(): void {
      hooks.awake?.(this.self);
    }

    start(): void {
      hooks.start?.(this.self);
    }

    update(dt: number): void {
      update.call(hooks, this.self, dt);
    }

    lateUpdate(dt: number): void {
      lateUpdate.call(hooks, this.self, dt);
    }

    enable(): void {
      hooks.enable?.(this.self);
    }

    disable(): void {
      hooks.disable?.(this.self);
    }

    shutdown(): void {
      hooks.shutdown?.(this.self);
    }
  };
}

function nothing(): void {}
