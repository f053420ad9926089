/**
 * Runs the behaviours of a game: which exist, when they are awoken, started and shut down, and what happens when a hook throws.
 */
import { type AnyComponent, DEVELOPMENT, type Entity, observe, type World } from "../../ecs/index.ts";
import type { Hierarchy } from "../../hierarchy/index.ts";
import type { Pace } from "../../inherit/index.ts";
import type { EntityObject } from "../entity-object.ts";
import { BehaviourError, InvalidBehaviourError } from "../errors.ts";
import type { Game } from "../game-api.ts";
import type { Acting, Kind } from "./acting.ts";
import { type AnyBehaviour, bindingOf } from "./behaviour.ts";
import type { HookName, RunningBehaviour } from "./hooks.ts";
import { liveValuesOf } from "./live-values.ts";
import { createUnlistedWarning } from "./unlisted-behaviours.ts";
import { UpdateLists } from "./update-lists.ts";
import { inUpdateOrder, type UpdateOrder } from "./update-order.ts";

/**
 * When a hook throws: `report` passes the error to `onError` and continues; `disable` does the same and never calls that behaviour of
 * that entity again; `throw` ends the step.
 */
export type BehaviourErrorPolicy = "report" | "disable" | "throw";

export interface BehaviourRunnerOptions {
  readonly order: UpdateOrder;
  readonly errors: BehaviourErrorPolicy;
  readonly onWarn: (message: string) => void;
  /** Whether the game has an option of that name. */
  readonly hasOption: (name: string) => boolean;
}

interface ActivityChanges {
  read(): { readonly added: readonly Entity[]; readonly changed: readonly Entity[] };
  close(): void;
}

interface BehaviourHost {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly active: {
    of(entity: Entity): boolean;
    propagate(): unknown;
    changes(): ActivityChanges;
  };
  readonly pace: Pace;
  entity(id: Entity): EntityObject;
}

/** If awoken entities create others that are awoken in turn more often than this in one step, it is taken for an endless loop. */
const MAX_ROUNDS = 100;

export class BehaviourRunner {
  private readonly host: BehaviourHost;
  private readonly game: Game;
  private readonly options: BehaviourRunnerOptions;
  private readonly kinds: Kind[] = [];
  private readonly ends: (() => void)[] = [];
  /** All behaviours of an entity, by rank. */
  private readonly actings = new Map<Entity, Acting[]>();
  private waiting: Acting[] = [];
  private unstarted: Acting[] = [];
  /** Behaviours shut down since the last step because they were about to be removed. */
  private leaving: { readonly kind: Kind; readonly entity: Entity }[] = [];
  private readonly activityChanges: ActivityChanges;
  /** In development builds. */
  private readonly warnOfUnlisted: (() => void) | undefined;
  private readonly lists: UpdateLists;
  /** The running hook outside of a pass, or in the middle of one: `awake`, `shutdown` and the like. */
  private calling: { readonly acting: Acting; readonly hook: HookName } | undefined;
  /** Errors thrown while hooks run together, if the policy is to throw. */
  private thrown: unknown[] | undefined;

  constructor(host: BehaviourHost, game: Game, options: BehaviourRunnerOptions) {
    this.host = host;
    this.game = game;
    this.options = options;
    host.active.propagate();
    this.lists = new UpdateLists(host, options.order, (acting, hook, cause) =>
      this.failed(acting, hook, cause),
    );
    this.activityChanges = host.active.changes();
    if (DEVELOPMENT && host.world.checks)
      this.warnOfUnlisted = createUnlistedWarning(
        host,
        (each) => this.knows(each),
        options.hasOption,
        options.onWarn,
      );
  }

  /** The number of behaviours of all entities. */
  get count(): number {
    return this.kinds.reduce((sum, { byEntity }) => sum + byEntity.size, 0);
  }

  /** The running hook; `undefined` outside of hooks. */
  get running(): RunningBehaviour | undefined {
    const running = this.calling ?? this.lists.running;
    if (running === undefined) return undefined;
    const { acting, hook } = running;
    return { entity: acting.entity, behaviour: acting.kind.binding.component.name, hook };
  }

  /**
   * Registers a behaviour. Entities that already have its component take part too.
   * @throws InvalidBehaviourError for a value that is not a behaviour, or one that is already registered.
   */
  register(given: AnyBehaviour): void {
    const binding = bindingOf(given);
    const { component } = binding;
    if (this.knows(component)) {
      throw new InvalidBehaviourError(
        `Cannot use the behaviour ${component.name} twice in one game. List it once.`,
        { component: component.name },
      );
    }
    const { world } = this.host;
    const kind: Kind = {
      binding,
      rank: this.kinds.length,
      byEntity: new Map(),
      values: liveValuesOf(world, component),
    };
    this.kinds.push(kind);
    this.ends.push(
      observe(world, component, {
        name: `behaviour ${component.name}`,
        add: (entity) => this.arrived(kind, entity),
        // While everything still exists, for `shutdown`.
        removing: (entity) => {
          this.left(kind, entity);
          this.leaving.push({ kind, entity });
        },
        remove: (entity) => this.left(kind, entity),
      }),
    );
    for (const entity of world.query(component)) this.arrived(kind, entity);
  }

  /** Whether a behaviour of the component was registered. */
  private knows(component: AnyComponent): boolean {
    return this.kinds.some((kind) => kind.binding.component === component);
  }

  // One step ---------------------------------------------------------------------------------------------------------------

  /** Awakes new behaviours, notifies those that became active or inactive, starts new ones, and updates all. */
  update(dt: number): void {
    this.warnOfUnlisted?.();
    this.settle();
    this.lists.refresh(this.actings);
    this.lists.update(dt);
  }

  lateUpdate(dt: number): void {
    this.lists.lateUpdate(dt);
  }

  /** Awakes and starts existing behaviours, without an update. */
  settle(): void {
    this.together(() => this.awakeAndStart());
  }

  private awakeAndStart(): void {
    // A call that was refused after its observers had run leaves its entities in place.
    for (const { kind, entity } of this.leaving.splice(0)) this.arrived(kind, entity);
    for (let round = 0; this.waiting.length > 0; round++) {
      if (round === MAX_ROUNDS) {
        throw new InvalidBehaviourError(
          `Stopped awaking behaviours: awake() of ${this.waiting[0]?.kind.binding.component.name} created new ones ${MAX_ROUNDS} times over.`,
        );
      }
      const batch = this.inOrder(this.waiting.splice(0));
      for (const acting of batch) this.awake(acting);
    }
    this.switchActivity();
    const starting = this.unstarted;
    if (starting.length === 0) return;
    this.unstarted = [];
    for (const acting of this.inOrder(starting)) {
      if (acting.hasEnded) continue;
      if (!acting.isEnabled) {
        this.unstarted.push(acting);
        continue;
      }
      acting.isStarted = true;
      this.call(acting, "start");
      this.lists.isDirty = true;
    }
  }

  /** Shuts everything down, children first, and ends. */
  stop(): void {
    this.together(() => {
      const all = inUpdateOrder(this.host.tree, this.actings.keys(), "tree").reverse();
      for (const entity of all) {
        for (const acting of [...(this.actings.get(entity) ?? [])].reverse()) this.end(acting);
      }
      for (const end of this.ends.splice(0)) end();
      this.activityChanges.close();
      for (const { byEntity } of this.kinds) byEntity.clear();
      this.actings.clear();
    });
  }

  // Adding and removing -------------------------------------------------------------------------------------------------------

  private arrived(kind: Kind, entity: Entity): void {
    const { world } = this.host;
    // It may be destroyed by the time of this notification.
    if (kind.byEntity.has(entity) || !world.isAlive(entity) || !world.has(entity, kind.binding.component))
      return;
    const acting: Acting = {
      kind,
      entity,
      instance: undefined,
      isStarted: false,
      isEnabled: false,
      isBroken: false,
      hasEnded: false,
      updateAt: -1,
      lateAt: -1,
    };
    kind.byEntity.set(entity, acting);
    const list = this.actings.get(entity);
    if (list === undefined) this.actings.set(entity, [acting]);
    else {
      list.push(acting);
      list.sort((a, b) => a.kind.rank - b.kind.rank);
    }
    this.waiting.push(acting);
  }

  private left(kind: Kind, entity: Entity): void {
    const acting = kind.byEntity.get(entity);
    if (acting === undefined) return;
    kind.byEntity.delete(entity);
    const list = this.actings.get(entity);
    list?.splice(list.indexOf(acting), 1);
    if (list?.length === 0) this.actings.delete(entity);
    this.end(acting);
  }

  private awake(acting: Acting): void {
    const { kind, entity } = acting;
    if (acting.hasEnded) return;
    const self = { entity: this.host.entity(entity), game: this.game, values: kind.values(entity) };
    const outer = this.calling;
    this.calling = { acting, hook: "awake" };
    try {
      acting.instance = kind.binding.create(self as never);
    } catch (cause) {
      this.failed(acting, "awake", cause);
      acting.isBroken = true;
      return;
    } finally {
      this.calling = outer;
    }
    this.call(acting, "awake");
    if (acting.hasEnded) return;
    this.unstarted.push(acting);
    if (this.host.active.of(entity)) this.switchTo(acting, true);
  }

  private end(acting: Acting): void {
    if (acting.hasEnded) return;
    acting.hasEnded = true;
    this.lists.leave(acting);
    this.lists.isDirty = true;
    if (acting.instance === undefined) return;
    this.together(() => {
      if (acting.isEnabled) this.switchTo(acting, false);
      this.call(acting, "shutdown");
    });
  }

  // Activity ---------------------------------------------------------------------------------------------------------------

  private switchActivity(): void {
    const { active } = this.host;
    active.propagate();
    const { added, changed } = this.activityChanges.read();
    const affected: Acting[] = [];
    // New ones too: they may have been deactivated since they were awoken.
    for (const list of [added, changed]) {
      for (const entity of list) {
        for (const acting of this.actings.get(entity) ?? [])
          if (acting.instance !== undefined && acting.isEnabled !== active.of(entity)) affected.push(acting);
      }
    }
    for (const acting of this.inOrder(affected)) {
      if (acting.hasEnded || !this.host.world.isAlive(acting.entity)) continue;
      const isOn = active.of(acting.entity);
      if (isOn !== acting.isEnabled) this.switchTo(acting, isOn);
    }
  }

  private switchTo(acting: Acting, isOn: boolean): void {
    acting.isEnabled = isOn;
    this.lists.isDirty = true;
    if (!isOn) this.lists.leave(acting);
    this.call(acting, isOn ? "enable" : "disable");
  }

  // Order and errors -------------------------------------------------------------------------------------------------------

  private inOrder(actings: Acting[]): Acting[] {
    if (actings.length < 2) return actings;
    const chosen = new Map<Entity, Acting[]>();
    for (const acting of actings) {
      // A destroyed entity has no position in the tree.
      if (acting.hasEnded) continue;
      const list = chosen.get(acting.entity);
      if (list === undefined) chosen.set(acting.entity, [acting]);
      else list.push(acting);
    }
    return inUpdateOrder(this.host.tree, chosen.keys(), this.options.order).flatMap((entity) =>
      (chosen.get(entity) as Acting[]).sort((a, b) => a.kind.rank - b.kind.rank),
    );
  }

  private call(acting: Acting, hook: Exclude<HookName, "update" | "lateUpdate">): void {
    if (acting.isBroken || !acting.kind.binding.hooks.has(hook)) return;
    const outer = this.calling;
    this.calling = { acting, hook };
    try {
      acting.instance?.[hook]?.();
    } catch (cause) {
      this.failed(acting, hook, cause);
    } finally {
      this.calling = outer;
    }
  }

  private failed(acting: Acting, hook: HookName, cause: unknown): void {
    const { tree, world } = this.host;
    const { entity } = acting;
    const path = world.isAlive(entity) ? tree.pathOf(entity) : "a destroyed entity";
    const why = cause instanceof Error ? cause.message : String(cause);
    const behaviour = acting.kind.binding.component.name;
    const error = new BehaviourError(`${behaviour}.${hook} of ${path} threw: ${why}`, {
      entities: [entity],
      behaviour,
      hook,
      path,
      cause,
    });
    if (this.options.errors === "throw") {
      if (this.thrown === undefined) throw error;
      this.thrown.push(error);
      return;
    }
    if (this.options.errors === "disable") {
      acting.isBroken = true;
      this.lists.leave(acting);
      this.lists.isDirty = true;
    }
    world.onError(error);
  }

  /**
   * Runs hooks of which none may be skipped because another one threw: it would never be awoken, started or shut down later. With the
   * policy to throw, the first error is thrown when all have run; others are reported.
   */
  private together(run: () => void): void {
    if (this.thrown !== undefined) {
      run();
      return;
    }
    const thrown: unknown[] = [];
    this.thrown = thrown;
    try {
      run();
    } catch (error) {
      thrown.push(error);
    }
    this.thrown = undefined;
    const [first, ...others] = thrown;
    for (const error of others) this.host.world.onError(error as Error);
    if (thrown.length > 0) throw first;
  }
}
