/**
 * Timers, tweens and sequences as components: they are saved with the scene, undone with the history, and destroyed with
 * their entity. They hold names and numbers, no functions.
 *
 * Times are steps of the game, so that nothing is written while they wait; in files they are the remaining seconds.
 */
import { type AnyComponent, type Component, component, type Field, object } from "../../ecs/index.ts";
import type { Json } from "../../scene/index.ts";
import { wrongSequences, wrongTimers, wrongTweens } from "./check-entries.ts";
import type { EasingName } from "./easing.ts";

/** One timer: an event that is sent to the entity at a step, once or repeatedly. */
export interface TimerEntry {
  /** Unique among the timers of the entity. */
  readonly id: number;
  /** The name of the event that is sent. */
  readonly event: string;
  /** The payload of the event. */
  readonly payload: Json;
  /** The step in which it is due. */
  readonly at: number;
  /** Steps between two events; 0 for a single one. */
  readonly every: number;
}

/** One tween: fields of a component that change from one value to another. */
export interface TweenEntry {
  /** The name of the component. */
  readonly component: string;
  /** The fields that change, each with its first and last value. */
  readonly fields: { readonly [field: string]: readonly [from: number, to: number] };
  /** The step before the first one that moves it. */
  readonly start: number;
  /** How many steps it takes. */
  readonly steps: number;
  /** The easing. */
  readonly easing: EasingName;
  /** Sent to the entity at the end. */
  readonly arrived: string | null;
  /** Whether it repeats, back and forth, instead of ending. */
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
      /** The payload of the event. */
      readonly payload?: Json;
    }
  | {
      /** The name of the component. */
      readonly tween: string;
      /** The fields that change, with their last values. */
      readonly to: { readonly [field: string]: number };
      /** How long it takes. */
      readonly seconds: number;
      /** The easing. `linear` if left out. */
      readonly easing?: EasingName;
    };

/** The state of a sequence. */
export interface SequenceState {
  /** Its parts, in order. */
  readonly steps: readonly SequenceStep[];
  /** The index of the current part. */
  readonly index: number;
  /** The step in which it continues. */
  readonly until: number;
  /** Whether it starts over at its end. */
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
