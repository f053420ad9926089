/**
 * Runs timers, tweens and sequences, once per fixed step.
 */
import {
  type AnyComponent,
  type ArgumentTest,
  type Component,
  checkOptions,
  describeValue,
  type Entity,
  expectArguments,
  fieldTypeOf,
  isComponent,
  type Schema,
  type World,
} from "../../ecs/index.ts";
import type { EntityEventKind, EntityEvents, PayloadArgument } from "../../hierarchy/index.ts";
import type { Json } from "../../scene/index.ts";
import { type EntityHost, type EntityLike, idIn } from "../entity-object.ts";
import { InvalidTimerError } from "../errors.ts";
import { suggest } from "../nearest.ts";
import {
  type ListOf,
  type SequenceState,
  type SequenceStep,
  Sequences,
  Timers,
  type TweenEntry,
  Tweens,
} from "./components.ts";
import { type EasingName, easings } from "./easing.ts";

/** Options of a tween. */
export interface TweenOptions {
  readonly seconds: number;
  /** `linear` if left out. */
  readonly easing?: EasingName;
  /** Sent to the entity when it has arrived. */
  readonly arrived?: EntityEventKind<void>;
  /** There and back, again and again. */
  readonly loop?: boolean;
}

interface TimeHost extends EntityHost {
  readonly world: World;
  readonly events: EntityEvents;
}

/** The entities that have one of the components. */
interface Holders extends Iterable<Entity> {
  isEmpty(): boolean;
}

interface Later {
  readonly at: number;
  readonly run: () => void;
}

/** Timers, tweens and sequences of a game. */
export class TimeKeeper {
  private readonly host: TimeHost;
  private readonly clock: { readonly tick: number; readonly step: number };
  private readonly known: Map<string, AnyComponent>;
  private laters: Later[] = [];
  // Made once: a step in which nothing waits costs next to nothing.
  private readonly timed: Holders;
  private readonly tweened: Holders;
  private readonly sequenced: Holders;

  /** @param known - The components that tweens from files may name. */
  constructor(
    host: TimeHost,
    clock: { readonly tick: number; readonly step: number },
    known: Iterable<AnyComponent>,
  ) {
    this.host = host;
    this.clock = clock;
    this.timed = host.world.query(Timers);
    this.tweened = host.world.query(Tweens);
    this.sequenced = host.world.query(Sequences);
    this.known = new Map([...known].map((component) => [component.name, component]));
  }

  // Asking for something ---------------------------------------------------------------------------------------------------

  /**
   * Sends an event to an entity after some seconds. Kept in its component `Timers`. Gives the function that cancels it.
   * @throws InvalidTimerError for a time that cannot be.
   */
  after<Payload>(
    entity: EntityLike,
    seconds: number,
    kind: EntityEventKind<Payload>,
    ...payload: PayloadArgument<Payload>
  ): () => void {
    return this.addTimer(entity, seconds, 0, kind, payload[0]);
  }

  /** The same again and again. */
  every<Payload>(
    entity: EntityLike,
    seconds: number,
    kind: EntityEventKind<Payload>,
    ...payload: PayloadArgument<Payload>
  ): () => void {
    return this.addTimer(entity, seconds, this.steps(seconds), kind, payload[0]);
  }

  /** Calls a function after some seconds of game time. Belongs to no entity and is not saved. */
  later(seconds: number, run: () => void): () => void {
    expectArguments("call a function later", ["it", run, "function"]);
    const entry: Later = { at: this.clock.tick + this.steps(seconds), run };
    this.laters.push(entry);
    return () => {
      this.laters = this.laters.filter((other) => other !== entry);
    };
  }

  /**
   * Moves numeric fields of a component to other values. A tween of a field ends an earlier one of the same field.
   * @throws InvalidTimerError for a field that is not a number, or an easing that does not exist.
   */
  tween<S extends Schema>(
    entity: EntityLike,
    component: Component<S>,
    to: { readonly [K in keyof S]?: number },
    options: TweenOptions,
  ): void {
    const id = idIn(this.host, entity);
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
    const id = idIn(this.host, entity);
    expectArguments("run a sequence", ["its list of steps", steps, "list"]);
    checkOptions(this.host.world.checks, "run a sequence", options, { loop: "boolean" });
    for (const step of steps) this.checkStep(step);
    if (
      steps.length === 0 ||
      (options.loop === true && !steps.some((step) => "wait" in step || "tween" in step))
    ) {
      throw new InvalidTimerError(
        `Cannot run a sequence of ${this.host.tree.label(id)} that takes no time. Give it a wait or a tween.`,
        [id],
      );
    }
    const state: SequenceState = { steps, index: 0, until: this.clock.tick, loop: options.loop ?? false };
    this.append(id, Sequences, state);
  }

  /** Ends all timers, tweens and sequences of an entity. */
  clear(entity: EntityLike): void {
    this.host.world.remove(idIn(this.host, entity), Timers, Tweens, Sequences);
  }

  // One step ---------------------------------------------------------------------------------------------------------------

  /** Everything that is due in this step. */
  step(): void {
    // Before tweens: one that a sequence starts moves in the same step.
    this.runSequences();
    this.runTweens();
    this.runTimers();
    this.runLaters();
  }

  private runTimers(): void {
    const { tick } = this.clock;
    for (const [entity, list] of this.lists(Timers, this.timed)) {
      const due = list.filter((timer) => timer.at <= tick);
      if (due.length === 0) continue;
      // Written before anything is sent: a handler may add and cancel.
      this.replace(
        entity,
        Timers,
        list.flatMap((timer) =>
          timer.at > tick ? [timer] : timer.every > 0 ? [{ ...timer, at: timer.at + timer.every }] : [],
        ),
      );
      for (const { event, payload } of due) this.send(entity, event, payload);
    }
  }

  private runTweens(): void {
    const { world } = this.host;
    const now = this.clock.tick + 1;
    for (const [entity, list] of this.lists(Tweens, this.tweened)) {
      const done: TweenEntry[] = [];
      for (const tween of list) {
        const component = this.known.get(tween.component) as Component<Schema> | undefined;
        if (component === undefined || !world.has(entity, component)) {
          done.push(tween);
          continue;
        }
        const values: Record<string, number> = {};
        const t = shareOf(tween, now);
        for (const [field, [from, to]] of Object.entries(tween.fields)) {
          const value = from + (to - from) * easings[tween.easing](t);
          values[field] = isInteger(component, field) ? Math.round(value) : value;
        }
        try {
          world.set(entity, component, values);
        } catch (error) {
          // Of a file that names other fields: once, and not in every step.
          this.report(error);
          done.push(tween);
          continue;
        }
        if (!tween.loop && now - tween.start >= tween.steps) done.push(tween);
        if (!world.isAlive(entity)) break;
      }
      if (done.length === 0 || !world.isAlive(entity)) continue;
      this.replace(
        entity,
        Tweens,
        (world.get(entity, Tweens)?.list ?? []).filter((tween) => !done.includes(tween)),
      );
      for (const { arrived } of done) if (arrived !== null) this.send(entity, arrived, null);
    }
  }

  private runSequences(): void {
    const { tick } = this.clock;
    for (const [entity, list] of this.lists(Sequences, this.sequenced)) {
      let hasChanged = false;
      const next = list.flatMap((state) => {
        if (state.until > tick) return [state];
        hasChanged = true;
        return this.goOn(entity, state);
      });
      if (hasChanged && this.host.world.isAlive(entity)) this.replace(entity, Sequences, next);
    }
  }

  /** Runs parts until one takes time. */
  private goOn(entity: Entity, state: SequenceState): SequenceState[] {
    const { tick } = this.clock;
    let { index } = state;
    // Every part once: a round in which nothing takes time, because what it moves is not there, goes on in the next step.
    for (let k = 0; k <= state.steps.length; k++) {
      if (index >= state.steps.length) {
        if (!state.loop || state.steps.length === 0) return [];
        index = 0;
      }
      const step = state.steps[index++] as SequenceStep;
      if ("wait" in step) return [{ ...state, index, until: tick + this.steps(step.wait) }];
      if ("emit" in step) {
        this.send(entity, step.emit, step.payload ?? null);
        if (!this.host.world.isAlive(entity)) return [];
        continue;
      }
      const component = this.known.get(step.tween) as Component<Schema> | undefined;
      if (component === undefined || !this.host.world.has(entity, component)) continue;
      const { seconds, easing } = step;
      try {
        this.startTween(entity, component, step.to, easing === undefined ? { seconds } : { seconds, easing });
      } catch (error) {
        this.report(error);
        continue;
      }
      return [{ ...state, index, until: tick + this.steps(seconds) }];
    }
    return [{ ...state, index, until: tick + 1 }];
  }

  private runLaters(): void {
    if (this.laters.length === 0) return;
    const { tick } = this.clock;
    const due = this.laters.filter((later) => later.at <= tick);
    if (due.length === 0) return;
    this.laters = this.laters.filter((later) => later.at > tick);
    for (const { run } of due) {
      try {
        run();
      } catch (cause) {
        this.report(cause);
      }
    }
  }

  private report(cause: unknown): void {
    this.host.world.onError(cause instanceof Error ? cause : new Error(String(cause)));
  }

  // ------------------------------------------------------------------------------------------------------------------------

  private addTimer<Payload>(
    entity: EntityLike,
    seconds: number,
    every: number,
    kind: EntityEventKind<Payload>,
    payload: unknown,
  ): () => void {
    const id = idIn(this.host, entity);
    const at = this.clock.tick + this.steps(seconds);
    this.host.events.use(kind);
    const others = this.host.world.get(id, Timers)?.list ?? [];
    const number = others.reduce((most, other) => Math.max(most, other.id), 0) + 1;
    this.append(id, Timers, { id: number, event: kind.name, payload: (payload ?? null) as Json, at, every });
    return () => {
      const { world } = this.host;
      const list = world.isAlive(id) ? world.get(id, Timers)?.list : undefined;
      if (list !== undefined)
        this.replace(
          id,
          Timers,
          list.filter((timer) => timer.id !== number),
        );
    };
  }

  private startTween(
    id: Entity,
    component: Component<Schema>,
    to: { readonly [field: string]: number },
    options: TweenOptions,
  ): void {
    const { world, tree, events } = this.host;
    const label = tree.label(id);
    checkOptions(world.checks, "tween", options ?? null, tweenOptions);
    expectArguments("tween", ["its options", options, "object"], ["the values to reach", to, "object"]);
    if (!isComponent(component)) expectArguments("tween", ["it", component, aComponent]);
    const easing = this.requireEasing(options.easing ?? "linear");
    const steps = this.steps(options.seconds);
    const now = world.get(id, component) as Record<string, unknown> | undefined;
    if (now === undefined) {
      throw new InvalidTimerError(
        `Cannot tween ${component.name} of ${label}: it has none. Add the component first.`,
        [id],
      );
    }
    const fields: Record<string, readonly [number, number]> = {};
    for (const [field, value] of Object.entries(to)) {
      const from = now[field];
      if (typeof from !== "number" || isReference(component, field) || !Number.isFinite(value)) {
        throw new InvalidTimerError(
          `Cannot tween ${component.name}.${field} of ${label} to ${describeValue(value)}. Tweens take numeric fields and finite numbers.`,
          [id],
        );
      }
      fields[field] = [from, value];
    }
    if (options.arrived !== undefined) events.use(options.arrived);
    this.known.set(component.name, component);
    const tween: TweenEntry = {
      component: component.name,
      fields,
      start: this.clock.tick,
      steps,
      easing,
      arrived: options.arrived?.name ?? null,
      loop: options.loop ?? false,
    };
    const others = (world.get(id, Tweens)?.list ?? []).filter(
      (other) =>
        other.component !== tween.component ||
        !Object.keys(other.fields).some((field) => Object.hasOwn(fields, field)),
    );
    this.replace(id, Tweens, [...others, tween]);
  }

  private checkStep(step: SequenceStep): void {
    expectArguments("run a sequence", ["a step of it", step, "object"]);
    if ("wait" in step) this.steps(step.wait);
    else if ("tween" in step) {
      this.steps(step.seconds);
      this.requireEasing(step.easing ?? "linear");
      if (!this.known.has(step.tween)) {
        throw new InvalidTimerError(
          `Cannot tween ${describeValue(step.tween)} in a sequence: no such component. ${suggest(step.tween, [...this.known.keys()], "components")}`,
        );
      }
    } else if (!("emit" in step)) {
      throw new InvalidTimerError(
        `Cannot run ${describeValue(step)} in a sequence. Give { wait }, { emit } or { tween }.`,
      );
    }
  }

  private requireEasing(name: EasingName): EasingName {
    if (typeof name === "string" && Object.hasOwn(easings, name)) return name;
    throw new InvalidTimerError(
      `Cannot ease by ${describeValue(name)}. ${suggest(name, Object.keys(easings), "easings")}`,
    );
  }

  /** Seconds as steps: at least one. */
  private steps(seconds: number): number {
    if (typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)
      return Math.max(1, Math.round(seconds / this.clock.step));
    throw new InvalidTimerError(
      `Cannot wait for ${describeValue(seconds)} seconds. Give a number of at least 0.`,
    );
  }

  private send(entity: Entity, event: string, payload: unknown): void {
    if (!this.host.world.isAlive(entity)) return;
    const kind = this.host.events.kindNamed(event);
    // Unknown when nobody ever handled it: then nobody misses it.
    if (kind !== undefined) this.host.events.emit(entity, kind, payload);
  }

  /** All lists of one kind, by entity: in the same order whatever happened before. */
  private lists<Entry>(component: ListOf<Entry>, query: Holders): (readonly [Entity, readonly Entry[]])[] {
    if (query.isEmpty()) return [];
    const found: (readonly [Entity, readonly Entry[]])[] = [];
    const { world } = this.host;
    for (const entity of query) {
      found.push([entity, (world.get(entity, component) as { list: readonly Entry[] }).list]);
    }
    return found.length < 2 ? found : found.sort(([a], [b]) => a - b);
  }

  private append<Entry>(entity: Entity, component: ListOf<Entry>, entry: Entry): void {
    const list =
      (this.host.world.get(entity, component) as { list: readonly Entry[] } | undefined)?.list ?? [];
    this.replace(entity, component, [...list, entry]);
  }

  private replace<Entry>(entity: Entity, component: ListOf<Entry>, list: readonly Entry[]): void {
    const { world } = this.host;
    if (!world.isAlive(entity)) return;
    if (list.length === 0) world.remove(entity, component);
    else if (world.has(entity, component)) world.set(entity, component, { list } as never);
    else world.add(entity, component({ list } as never));
  }
}

const tweenOptions = {
  seconds: "anything",
  easing: "anything",
  arrived: "anything",
  loop: "boolean",
} as const;
const aComponent: ArgumentTest = {
  expected: "a component. Pass what component() returned",
  fits: isComponent,
};

function shareOf({ start, steps, loop }: TweenEntry, now: number): number {
  const passed = (now - start) / steps;
  if (!loop) return Math.min(1, Math.max(0, passed));
  const there = passed % 2;
  return there <= 1 ? there : 2 - there;
}

function isInteger(component: Component<Schema>, field: string): boolean {
  return valueKindOf(component, field) === "integer";
}

function isReference(component: Component<Schema>, field: string): boolean {
  return valueKindOf(component, field) === "entity";
}

function valueKindOf({ schema }: Component<Schema>, field: string): string | undefined {
  return Object.hasOwn(schema, field) ? fieldTypeOf(schema[field]).valueKind : undefined;
}
