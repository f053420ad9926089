/**
 * Timers, tweens and sequences as components: they are saved with the scene, undone with the history, and end with
 * their entity. They hold names and numbers, no functions.
 *
 * Times are steps of the game, so that nothing is written while they wait; in files they are seconds that are left.
 */
import {
  type AnyComponent,
  type Component,
  component,
  describeValue,
  type Field,
  InvalidArgumentError,
  object,
} from "../../ecs/index.ts";
import { type ComponentRegistration, type Json, withCodec } from "../../scene/index.ts";
import { wrongSequences, wrongTimers, wrongTweens } from "./check-entries.ts";
import type { EasingName } from "./easing.ts";

/** One timer: an event that is sent to the entity at a step, and perhaps again and again. */
export interface TimerEntry {
  /** Unique among the timers of the entity. */
  readonly id: number;
  /** The name of the event that is sent. */
  readonly event: string;
  /** What is sent with it. */
  readonly payload: Json;
  /** The step in which it is due. */
  readonly at: number;
  /** Steps between two times; 0 for once. */
  readonly every: number;
}

/** One tween: fields of a component on their way from one value to another. */
export interface TweenEntry {
  /** The name of the component. */
  readonly component: string;
  /** The fields that change, each with its first and last value. */
  readonly fields: { readonly [field: string]: readonly [from: number, to: number] };
  /** The step before the first one that moves it. */
  readonly start: number;
  /** How many steps it takes. */
  readonly steps: number;
  /** How it speeds up and slows down. */
  readonly easing: EasingName;
  /** Sent to the entity at the end. */
  readonly arrived: string | null;
  /** Begins again, there and back, instead of ending. */
  readonly loop: boolean;
}

/** One part of a sequence. */
export type SequenceStep =
  | {
      /** Seconds until the next part. */
      readonly wait: number;
    }
  | {
      /** The name of an event that is sent to the entity. */
      readonly emit: string;
      /** What is sent with it. */
      readonly payload?: Json;
    }
  | {
      /** The name of the component. */
      readonly tween: string;
      /** The fields that change, with their last values. */
      readonly to: { readonly [field: string]: number };
      /** How long it takes. */
      readonly seconds: number;
      /** How it speeds up and slows down. `linear` if left out. */
      readonly easing?: EasingName;
    };

/** How far a sequence is. */
export interface SequenceState {
  /** What it does, one after the other. */
  readonly steps: readonly SequenceStep[];
  /** Which one is under way. */
  readonly index: number;
  /** The step in which it goes on. */
  readonly until: number;
  /** Whether it begins again at its end. */
  readonly loop: boolean;
}

/** A component that holds a list. */
export type ListOf<Entry> = Component<{ list: Field<readonly Entry[], "object"> }>;

/** The running timers of an entity. */
export const Timers: ListOf<TimerEntry> = /* @__PURE__ */ component(
  "Timers",
  { list: /* @__PURE__ */ object((): readonly TimerEntry[] => [], wrongTimers) },
  { storage: "sparse" },
);

/** The running tweens of an entity. */
export const Tweens: ListOf<TweenEntry> = /* @__PURE__ */ component(
  "Tweens",
  { list: /* @__PURE__ */ object((): readonly TweenEntry[] => [], wrongTweens) },
  { storage: "sparse" },
);

/** The running sequences of an entity. */
export const Sequences: ListOf<SequenceState> = /* @__PURE__ */ component(
  "Sequences",
  { list: /* @__PURE__ */ object((): readonly SequenceState[] => [], wrongSequences) },
  { storage: "sparse" },
);

/** The components of this folder. */
export const timerComponents: readonly AnyComponent[] = [Timers, Tweens, Sequences];

/** How they stand in files: times as seconds from the moment of saving. */
export function timerRegistrations(clock: {
  readonly tick: number;
  readonly step: number;
}): readonly ComponentRegistration[] {
  const left = (at: number) => (at - clock.tick) * clock.step;
  const at = (seconds: number) => clock.tick + Math.round(seconds / clock.step);
  return [
    withCodec(Timers, {
      fields: {
        list: {
          write: (list) =>
            list.map(({ event, payload, at: due, every }) => ({
              event,
              payload,
              left: left(due),
              every: every * clock.step,
            })),
          read: (json) =>
            entries(json).map(({ left: seconds, every, payload, event }, k) => ({
              id: k + 1,
              event: String(event),
              payload: payload ?? null,
              at: at(Number(seconds)),
              every: Math.round(Number(every ?? 0) / clock.step),
            })),
        },
      },
    }),
    withCodec(Tweens, {
      fields: {
        list: {
          write: (list) =>
            list.map(({ start, steps, ...rest }) => ({
              ...(rest as { [key: string]: Json }),
              begun: -left(start),
              seconds: steps * clock.step,
            })),
          read: (json) =>
            entries(json).map(({ begun, seconds, ...rest }) => ({
              ...(rest as unknown as TweenEntry),
              start: at(-Number(begun ?? 0)),
              steps: Math.max(1, Math.round(Number(seconds) / clock.step)),
            })),
        },
      },
    }),
    withCodec(Sequences, {
      fields: {
        list: {
          write: (list) =>
            list.map(({ until, ...rest }) => ({
              ...(rest as unknown as { [key: string]: Json }),
              left: left(until),
            })),
          read: (json) =>
            entries(json).map(({ left: seconds, ...rest }) => ({
              ...(rest as unknown as Pick<SequenceState, "steps">),
              index: Number(rest.index ?? 0),
              loop: rest.loop === true,
              until: at(Number(seconds ?? 0)),
            })),
        },
      },
    }),
  ];
}

function entries(json: Json): { readonly [key: string]: Json }[] {
  const isRight = Array.isArray(json) && json.every((entry) => typeof entry === "object" && entry !== null);
  if (!isRight)
    throw new InvalidArgumentError(`It takes an array of objects, got ${describeValue(json)}.`, {
      value: json,
    });
  return json as { readonly [key: string]: Json }[];
}
