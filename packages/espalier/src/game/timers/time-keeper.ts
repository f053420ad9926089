/**
 * Runs timers, tweens and sequences, once per fixed step.
 */
import {
  type AnyComponent,
  type Component,
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  expectArguments,
  handleOf,
  listComponents,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import type { EntityEventKind, EntityEvents, PayloadArgument } from "../../hierarchy/index.ts";
import type { Pace } from "../../inherit/index.ts";
import type { ComponentRegistration, Json } from "../../scene/index.ts";
import type { EntityHost } from "../entity-object.ts";
import { InvalidTimerError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import { timerRegistrations } from "./codecs.ts";
import {
  type SequenceState,
  type SequenceStep,
  Sequences,
  type TimerEntry,
  Timers,
  type TweenEntry,
  Tweens,
} from "./components.ts";
import { EntityLists } from "./entity-lists.ts";
import { reportTo } from "./report.ts";
import { stepsOf } from "./steps.ts";
import { requireEasing, runTween, type TweenOptions, tweenOf, withoutFieldsOf } from "./tween.ts";

interface TimeHost extends EntityHost {
  readonly world: World;
  readonly events: EntityEvents;
  readonly pace: Pace;
}

interface Later {
  readonly at: number;
  readonly run: () => void;
  isCancelled: boolean;
}

/** Timers, tweens and sequences of a game. */
export class TimeKeeper {
  /** Its components with their codecs, for the scene files of the game. */
  readonly components: readonly ComponentRegistration[];
  private readonly host: TimeHost;
  private readonly clock: { readonly tick: number; readonly step: number };
  private readonly componentNamed: (name: string) => AnyComponent | undefined;
  private laters: Later[] = [];
  private readonly timed: EntityLists<TimerEntry>;
  private readonly tweened: EntityLists<TweenEntry>;
  private readonly sequenced: EntityLists<SequenceState>;
  /** Numbers of timers are not reused: cancelling one that has ended must not cancel a newer one. */
  private lastTimer = 0;

  /**
   * @internal Use `game.timers`.
   * @param componentNamed - Finds the components that tweens from files and sequences name.
   */
  constructor(
    host: TimeHost,
    clock: { readonly tick: number; readonly step: number },
    componentNamed: (name: string) => AnyComponent | undefined,
  ) {
    this.host = host;
    this.clock = clock;
    this.timed = new EntityLists(host.world, Timers);
    this.tweened = new EntityLists(host.world, Tweens);
    this.sequenced = new EntityLists(host.world, Sequences);
    this.componentNamed = componentNamed;
    this.components = timerRegistrations(clock);
  }

  // Starting ---------------------------------------------------------------------------------------------------

  /**
   * Sends an event to an entity after some seconds. Stored in its component `Timers`. Returns the function that cancels it.
   * @throws InvalidTimerError for an invalid time.
   */
  after<Payload>(
    entity: EntityLike,
    seconds: number,
    kind: EntityEventKind<Payload>,
    ...payload: PayloadArgument<Payload>
  ): () => void {
    return this.addTimer(entity, seconds, 0, kind, payload[0]);
  }

  /** Sends an event to an entity repeatedly. Returns the function that cancels it. */
  every<Payload>(
    entity: EntityLike,
    seconds: number,
    kind: EntityEventKind<Payload>,
    ...payload: PayloadArgument<Payload>
  ): () => void {
    return this.addTimer(entity, seconds, stepsOf(seconds, this.clock.step), kind, payload[0]);
  }

  /** Calls a function after some seconds of game time. Belongs to no entity and is not saved. */
  later(seconds: number, run: () => void): () => void {
    expectArguments("call a function later", ["it", run, "function"]);
    const entry: Later = { at: this.clock.tick + stepsOf(seconds, this.clock.step), run, isCancelled: false };
    this.laters.push(entry);
    return () => {
      entry.isCancelled = true;
      this.laters = this.laters.filter((other) => other !== entry);
    };
  }

  /**
   * Moves numeric fields of a component to other values. A field that an earlier tween moves is taken over; the earlier tween continues
   * with its other fields, and ends without `arrived` when none is left.
   * @throws InvalidTimerError for a field that is not a number, or an easing that does not exist.
   */
  tween<S extends Schema>(
    entity: EntityLike,
    component: Component<S>,
    to: { readonly [K in keyof S]?: number },
    options: TweenOptions,
  ): void {
    const id = handleOf(this.host.world, entity);
    this.startTween(
      id,
      component as unknown as Component<Schema>,
      to as { [field: string]: number },
      options,
    );
  }

  /** Runs the parts one after the other; a tween lasts until it has arrived. */
  sequence(
    entity: EntityLike,
    steps: readonly SequenceStep[],
    options: { readonly loop?: boolean } = {},
  ): void {
    const id = handleOf(this.host.world, entity);
    expectArguments("run a sequence", ["its list of steps", steps, "list"]);
    checkOptions(this.host.world.checks, "run a sequence", options, { loop: "boolean" });
    for (const step of steps) this.checkStep(step);
    if (
      steps.length === 0 ||
      (options.loop === true && !steps.some((step) => "wait" in step || "tween" in step))
    ) {
      throw new InvalidTimerError(
        `Cannot run a sequence of ${this.host.tree.label(id)} that takes no time. Give it a wait or a tween.`,
        { entities: [id] },
      );
    }
    const state: SequenceState = { steps, index: 0, until: this.clock.tick, loop: options.loop ?? false };
    this.sequenced.append(id, state);
  }

  /** Ends all timers, tweens and sequences of an entity. */
  clear(entity: EntityLike): void {
    this.host.world.remove(handleOf(this.host.world, entity), Timers, Tweens, Sequences);
  }

  // One step ---------------------------------------------------------------------------------------------------------------

  /** Runs everything that is due in this step. @internal */
  step(): void {
    // Before tweens, so that a tween started by a sequence moves in the same step.
    this.runSequences();
    // A tween has its value for the end of the step; the others are due at its beginning.
    this.hold(this.tweened, (tween, by) => ({ ...tween, start: tween.start + by }));
    this.runTweens();
    this.runTimers();
    this.hold(this.timed, (timer, by) => ({ ...timer, at: timer.at + by }));
    this.hold(this.sequenced, (state, by) => ({ ...state, until: state.until + by }));
    this.runLaters();
  }

  /**
   * Times are steps of the game, so for entities whose time passes slower or not at all they are postponed. While all entities
   * keep pace with
   * the game nothing is written.
   */
  private hold<Entry extends object>(
    lists: EntityLists<Entry>,
    moved: (entry: Entry, by: number) => Entry,
  ): void {
    const { pace } = this.host;
    for (const entity of lists.holders()) {
      const late = 1 - pace.of(entity);
      if (late !== 0)
        lists.replace(
          entity,
          lists.of(entity).map((entry) => moved(entry, late)),
        );
    }
  }

  private *running(lists: { holders(): readonly Entity[] }): Iterable<Entity> {
    const { world, pace } = this.host;
    for (const entity of lists.holders()) if (world.isAlive(entity) && pace.of(entity) > 0) yield entity;
  }

  private runTimers(): void {
    const { tick } = this.clock;
    for (const entity of this.running(this.timed)) {
      for (const { id } of this.timed.of(entity).filter((timer) => timer.at <= tick)) {
        // One after the other: a handler may add timers and cancel those that are due with it.
        const list = this.timed.of(entity);
        const timer = list.find((other) => other.id === id);
        if (timer === undefined || timer.at > tick) continue;
        // Written before it is sent: a handler may also cancel this one.
        const { event, payload, at, every } = timer;
        if (every > 0) this.timed.swap(entity, timer, { ...timer, at: at + every });
        else this.timed.swap(entity, timer);
        this.send(entity, event, payload);
      }
    }
  }

  private runTweens(): void {
    const now = this.clock.tick + 1;
    for (const entity of this.running(this.tweened)) {
      const over: TweenEntry[] = [];
      for (const tween of this.tweened.of(entity)) {
        // An observer of an earlier tween's writes may have ended it.
        if (!this.tweened.has(entity, tween)) continue;
        const component = this.componentNamed(tween.component) as Component<Schema> | undefined;
        const end = runTween(this.host.world, entity, component, tween, now);
        if (end === undefined) continue;
        this.tweened.swap(entity, tween);
        if (end === "arrived") over.push(tween);
      }
      for (const { arrived } of over) if (arrived !== null) this.send(entity, arrived, null);
    }
  }

  private runSequences(): void {
    const { tick } = this.clock;
    for (const entity of this.running(this.sequenced)) {
      for (const state of this.sequenced.of(entity).filter(({ until }) => until <= tick)) {
        // A handler of an event of an earlier sequence may have ended it.
        if (!this.sequenced.has(entity, state)) continue;
        const next = this.goOn(entity, state);
        if (!this.sequenced.has(entity, state)) continue;
        if (next === undefined) this.sequenced.swap(entity, state);
        else this.sequenced.swap(entity, state, next);
      }
    }
  }

  /** Runs parts until one takes time. Returns `undefined` when the sequence has ended. */
  private goOn(entity: Entity, state: SequenceState): SequenceState | undefined {
    const { tick } = this.clock;
    // A sequence that began after the timers of its step ran, in a system, is as far as a timer that began there.
    const now = Math.max(state.until, tick - 1);
    let { index } = state;
    // Every part at most once: if nothing in a round takes time, because its target does not exist, it continues in the next step.
    for (let k = 0; k <= state.steps.length; k++) {
      if (index >= state.steps.length) {
        if (!state.loop || state.steps.length === 0) return undefined;
        index = 0;
      }
      const step = state.steps[index++] as SequenceStep;
      if ("wait" in step) return { ...state, index, until: now + stepsOf(step.wait, this.clock.step) };
      if ("emit" in step) {
        this.send(entity, step.emit, step.payload ?? null);
        if (!this.sequenced.has(entity, state)) return undefined;
        continue;
      }
      const component = this.componentNamed(step.tween) as Component<Schema> | undefined;
      if (component === undefined || !this.host.world.has(entity, component)) continue;
      const { seconds, easing } = step;
      try {
        const options = easing === undefined ? { seconds } : { seconds, easing };
        this.startTween(entity, component, step.to, options, now);
      } catch (error) {
        reportTo(this.host.world, error);
        continue;
      }
      return { ...state, index, until: now + stepsOf(seconds, this.clock.step) };
    }
    return { ...state, index, until: tick + 1 };
  }

  private runLaters(): void {
    if (this.laters.length === 0) return;
    const { tick } = this.clock;
    const due = this.laters.filter((later) => later.at <= tick);
    if (due.length === 0) return;
    this.laters = this.laters.filter((later) => later.at > tick);
    for (const later of due) {
      if (later.isCancelled) continue;
      try {
        later.run();
      } catch (cause) {
        reportTo(this.host.world, cause);
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private addTimer<Payload>(
    entity: EntityLike,
    seconds: number,
    every: number,
    kind: EntityEventKind<Payload>,
    payload: unknown,
  ): () => void {
    const id = handleOf(this.host.world, entity);
    const at = this.clock.tick + stepsOf(seconds, this.clock.step);
    this.host.events.use(kind);
    // Timers from files have numbers of their own.
    const number = this.timed.of(id).reduce((most, other) => Math.max(most, other.id), this.lastTimer) + 1;
    this.lastTimer = number;
    this.timed.append(id, { id: number, event: kind.name, payload: (payload ?? null) as Json, at, every });
    return () => {
      const timer = this.timed.of(id).find((other) => other.id === number);
      if (timer !== undefined) this.timed.swap(id, timer);
    };
  }

  private startTween(
    id: Entity,
    component: Component<Schema>,
    to: { readonly [field: string]: number },
    options: TweenOptions,
    start = this.clock.tick,
  ): void {
    const tween = tweenOf(this.host, id, component, to, options, { start, step: this.clock.step });
    const others = this.tweened.of(id).flatMap((other) => withoutFieldsOf(other, tween));
    this.tweened.replace(id, [...others, tween]);
  }

  private checkStep(step: SequenceStep): void {
    expectArguments("run a sequence", ["a step of it", step, "object"]);
    if ("wait" in step) stepsOf(step.wait, this.clock.step);
    else if ("tween" in step) {
      stepsOf(step.seconds, this.clock.step);
      requireEasing(step.easing ?? "linear");
      if (this.componentNamed(step.tween) === undefined) {
        throw new InvalidTimerError(
          `Cannot tween ${describeValue(step.tween)} in a sequence: no such component. ${suggest(
            step.tween,
            listComponents(this.host.world).map(({ name }) => name),
            "components",
          )}`,
          { value: step.tween },
        );
      }
    } else if (!("emit" in step)) {
      throw new InvalidTimerError(
        `Cannot run ${describeValue(step)} in a sequence. Give { wait }, { emit } or { tween }.`,
        { value: step },
      );
    }
  }

  private send(entity: Entity, event: string, payload: unknown): void {
    if (!this.host.world.isAlive(entity)) return;
    const kind = this.host.events.kindNamed(event);
    // The kind is unknown if it never had a handler: then nothing depends on it.
    if (kind !== undefined) this.host.events.emit(entity, kind, payload);
  }
}
