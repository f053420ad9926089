/**
 * Runs the keyframes of a world, once per step.
 */
import {
  checkOptions,
  describeValue,
  type Entity,
  type EntityLike,
  expectArguments,
  guard,
  guardWrites,
  handleOf,
  InvalidArgumentError,
  indexOf,
  nearestName,
  type ValueOf,
} from "../ecs/index.ts";
import type { EntityEvents, Hierarchy } from "../hierarchy/index.ts";
import { paceOf } from "../inherit/index.ts";
import { type AnimationSchema, KeyframeAnimation } from "./animation.ts";
import { type BoundClip, type BoundTarget, bindClip, isBound } from "./bind-clip.ts";
import { InvalidAnimationValueError, InvalidClipError, UnknownClipError } from "./errors.ts";
import { clipNamed, type KeyframeClip, type KeyframeClips, wrongClips } from "./keyframe-clip.ts";
import { eventsBetween, isOver, type LoopMode } from "./play-clip.ts";
import { mix, sampleTrack } from "./sample-track.ts";
import { AnimationEnded } from "./sprite-animation.ts";

/** Options of `createKeyframes`. */
export interface KeyframesOptions {
  /** Sends events: those of tracks by name, and `AnimationEnded`. None are sent if left out. */
  readonly events?: EntityEvents;
  /** Clips that all entities share. Those of the entity itself take precedence. */
  readonly clips?: KeyframeClips;
}

/** Options of `play`. */
export interface PlayClipOptions {
  /** Seconds in which it replaces the current clip. 0 if left out: at once. */
  readonly fade?: number;
  /** The time in the clip to begin at, in seconds. 0 if left out. */
  readonly time?: number;
}

/** The keyframes of a world. Made by `createKeyframes`. */
export interface Keyframes {
  /**
   * Plays a clip with an entity that has a `KeyframeAnimation`, optionally with a fade: fields that both clips move are mixed
   * meanwhile; fields that only one of
   * them moves are not.
   * @throws UnknownClipError, InvalidAnimationValueError
   */
  play(entity: EntityLike, clip: string, options?: PlayClipOptions): void;
  /**
   * Plays everything for this many seconds, at the pace of each entity.
   * @throws InvalidAnimationValueError for an invalid time.
   */
  step(seconds: number): void;
  /** Ends the checks of values. */
  dispose(): void;
}

interface Bound {
  current: BoundClip | undefined;
  previous: BoundClip | undefined;
}

interface Notice {
  readonly target: Entity;
  /** The name of an event; `undefined` for the end of the clip. */
  readonly event: string | undefined;
  readonly clip: string;
}

type Values = ValueOf<AnimationSchema>;

/**
 * Runs the keyframes of a tree's world.
 *
 * @example
 * ```ts
 * const space = createTransforms2D(tree);
 * const keyframes = createKeyframes(tree);
 * const slide = { path: "leaf", component: "Transform2D", field: "x", times: [0, 1], values: [0, 10] };
 * const door = world.spawn(KeyframeAnimation({ clip: "open", clips: { open: { seconds: 1, tracks: [slide] } } }));
 * const leaf = tree.attachNew(door, space.at(0, 0));
 * tree.setName(leaf, "leaf");
 * keyframes.step(0.5);
 * space.localOf(leaf).x; // → 5
 * ```
 */
export function createKeyframes(tree: Hierarchy, options: KeyframesOptions = {}): Keyframes {
  const { world } = Object(tree) as Hierarchy;
  expectArguments("run keyframes", ["the world of the tree", world, "world"]);
  checkOptions(world.checks, "run keyframes", options, { events: "anything", clips: "anything" });
  const { events, clips: shared = {} } = options;
  const why = wrongClips(shared);
  if (why !== undefined) throw new InvalidClipError(`Cannot run keyframes: ${why}.`, { value: shared });
  const pace = paceOf(tree);
  const animated = world.query(KeyframeAnimation);
  const bounds: (Bound | undefined)[] = [];
  const reported = new Set<string>();
  let notices: Notice[] = [];
  /** Whether a step is writing times, which need no check. */
  let isStepping = false;

  // Validation ------------------------------------------------------------------------------------------------------------

  function check(label: () => string, given: Partial<Values>, clips: KeyframeClips): void {
    if (given.clips !== undefined) {
      const wrong = wrongClips(given.clips);
      if (wrong !== undefined)
        throw new InvalidClipError(`Cannot give ${label()} a KeyframeAnimation: ${wrong}.`, {
          component: "KeyframeAnimation",
          field: "clips",
          value: given.clips,
        });
    }
    for (const field of ["time", "speed", "previousTime", "fade", "faded"] as const) {
      const value = given[field];
      if (value === undefined || !(value < 0)) continue;
      throw new InvalidAnimationValueError(
        `Cannot give ${label()} the ${field} ${describeValue(value)} in KeyframeAnimation: give 0 or more.`,
        { component: "KeyframeAnimation", field, value },
      );
    }
    for (const name of [given.clip, given.previous]) if (name !== undefined) requireClip(label, name, clips);
  }

  function requireClip(label: () => string, name: string, clips: KeyframeClips): void {
    if (name === "" || clipOf(clips, name) !== undefined) return;
    throw new UnknownClipError(
      `Cannot play ${describeValue(name)} with ${label()}: there is no such clip. ${nearestName(name, [...Object.keys(clips), ...Object.keys(shared)])}`,
      { clip: String(name), component: "KeyframeAnimation", value: name },
    );
  }

  const ends = [
    guard(world, KeyframeAnimation, (index, given) => {
      const values = (given ?? {}) as Partial<Values>;
      const label = () => (index === 0 ? "a new entity" : tree.label(world.handleAt(index)));
      check(label, values, values.clips ?? {});
    }),
    guardWrites(world, KeyframeAnimation, (entity, given) => {
      if (isStepping) return;
      const values = given as Partial<Values>;
      check(() => tree.label(entity), values, values.clips ?? world.get(entity, KeyframeAnimation)!.clips);
    }),
  ];

  const clipOf = (clips: KeyframeClips, name: string) => clipNamed(name, clips, shared);

  // Playing ----------------------------------------------------------------------------------------------------------------

  function report(error: InvalidClipError): void {
    if (reported.has(error.message)) return;
    reported.add(error.message);
    world.onError(error);
  }

  function bind(bound: BoundClip | undefined, entity: Entity, name: string, clip: KeyframeClip): BoundClip {
    if (bound !== undefined && isBound(tree, bound, clip, entity)) return bound;
    return bindClip(tree, entity, clip, ({ path }, why) =>
      report(
        new InvalidClipError(`Cannot play all of ${describeValue(name)} with ${tree.label(entity)}: ${why}`, {
          entities: [entity],
          subject: name,
          path,
        }),
      ),
    );
  }

  function write(target: BoundTarget): void {
    try {
      world.set(target.target, target.component, target.values as never);
    } catch {
      // One field refused its value: the others are written anyway.
      for (const [field, value] of Object.entries(target.values)) writeField(target, field, value);
    }
  }

  function writeField({ target, component }: BoundTarget, field: string, value: unknown): void {
    try {
      world.set(target, component, { [field]: value } as never);
    } catch (cause) {
      report(
        new InvalidClipError(
          `Cannot write ${component.name}.${field} of ${tree.label(target)}: ${String((cause as Error).message)}`,
          { entities: [target], component: component.name, field, cause },
        ),
      );
    }
  }

  function playEntity(entity: Entity, seconds: number): void {
    const it = world.get(entity, KeyframeAnimation)!;
    const clip = it.clip === "" ? undefined : clipOf(it.clips, it.clip);
    if (clip === undefined || !it.playing) return;
    const rate = pace.of(entity);
    // If no time passes, its targets are left to other code.
    if (!(rate > 0)) return;
    const passed = seconds * it.speed * rate;
    const length = lengthOf(clip, it.loop);
    const isFading = it.previous !== "" && it.faded < it.fade;
    // At its end it leaves its targets to other code.
    if (isOver(length, it.time) && !isFading) return;
    const index = indexOf(entity);
    while (bounds.length <= index) bounds.push(undefined);
    const bound = bounds[index] ?? { current: undefined, previous: undefined };
    bounds[index] = bound;
    const current = bind(bound.current, entity, it.clip, clip);
    bound.current = current;

    const time = timeIn(length, clip.seconds, it.time + passed);
    const written: Partial<Values> = { time };
    let previous: BoundClip | undefined;
    let share = 1;
    let previousAt = 0;
    if (isFading) {
      // Clips may have been replaced since.
      const other = clipOf(it.clips, it.previous);
      const faded = Math.min(it.faded + seconds * rate, it.fade);
      share = faded / it.fade;
      if (other !== undefined)
        previousAt = timeIn(lengthOf(other, "clip"), other.seconds, it.previousTime + passed);
      Object.assign(written, { faded, previousTime: previousAt });
      if (other === undefined || share >= 1)
        Object.assign(written, { previous: "", fade: 0, faded: 0, previousTime: 0 });
      else previous = bind(bound.previous, entity, it.previous, other);
    }
    bound.previous = previous;
    isStepping = true;
    try {
      world.set(entity, KeyframeAnimation, written);
    } finally {
      isStepping = false;
    }

    for (const target of current.targets) {
      for (const { track, mixing, key } of target.tracks) {
        let value = sampleTrack(track, mixing, time);
        const other = previous?.byKey.get(key);
        if (other !== undefined && mixing !== "step") {
          const before = sampleTrack(other.track, other.mixing, previousAt);
          value = mix(before as number, value as number, share, mixing);
        }
        target.values[track.field] = value;
      }
      write(target);
    }
    if (events === undefined) return;
    for (const { target, times } of current.emits) {
      eventsBetween(times, length, it.time, it.time + passed, (event) =>
        notices.push({ target, event, clip: it.clip }),
      );
    }
    if (isOver(length, time) && !isOver(length, it.time))
      notices.push({ target: entity, event: undefined, clip: it.clip });
  }

  function send(): void {
    const list = notices;
    notices = [];
    for (const { target, event, clip } of list) {
      if (!world.isAlive(target)) continue;
      if (event === undefined) events!.emit(target, AnimationEnded, { clip });
      else {
        const kind = events!.kindNamed(event);
        if (kind !== undefined) events!.emit(target, kind, undefined);
      }
    }
  }

  return {
    play(given, clip, options = {}) {
      checkOptions(world.checks, "play a clip", options, { fade: "anything", time: "anything" });
      const { fade = 0, time = 0 } = options;
      const entity = handleOf(world, given);
      const it = world.get(entity, KeyframeAnimation);
      if (it === undefined) {
        throw new InvalidArgumentError(
          `Cannot play ${describeValue(clip)} with ${tree.label(entity)}: it has no KeyframeAnimation. Add one first.`,
          { entities: [entity], component: "KeyframeAnimation" },
        );
      }
      requireClip(() => tree.label(entity), clip, it.clips);
      for (const [option, value] of Object.entries({ fade, time })) {
        if (Number.isFinite(value) && value >= 0) continue;
        throw new InvalidAnimationValueError(
          `Cannot play ${describeValue(clip)} with the ${option} ${describeValue(value)}: give seconds, 0 or more.`,
          { entities: [entity], option, value },
        );
      }
      const from =
        fade > 0 && it.clip !== ""
          ? { previous: it.clip, previousTime: it.time }
          : { previous: "", previousTime: 0 };
      world.set(entity, KeyframeAnimation, { clip, time, playing: true, fade, faded: 0, ...from });
    },
    step(seconds) {
      if (!(typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) {
        throw new InvalidAnimationValueError(
          `Cannot play keyframes for ${describeValue(seconds)} seconds: give 0 or more.`,
          {
            value: seconds,
          },
        );
      }
      if (animated.isEmpty()) return;
      // In the order of entities, so that of two animations of one field always the same comes last.
      for (const entity of animated.ids().sort((a, b) => a - b))
        if (world.isAlive(entity)) playEntity(entity, seconds);
      if (notices.length > 0) send();
    },
    dispose() {
      for (const end of ends) end();
      bounds.length = 0;
    },
  };
}

/** The time within a clip: at its end, or in the current round. */
function timeIn(length: number, round: number, time: number): number {
  if (isOver(length, time)) return length;
  return length === Number.POSITIVE_INFINITY ? time % round : time;
}

function lengthOf(clip: KeyframeClip, loop: LoopMode): number {
  const isLooped = loop === "clip" ? clip.loop === true : loop === "forever";
  return isLooped ? Number.POSITIVE_INFINITY : clip.seconds;
}
