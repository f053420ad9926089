/**
 * The codecs of timers, tweens and sequences for scene files.
 */
import { describeValue, InvalidArgumentError } from "../../ecs/index.ts";
import { type ComponentRegistration, type Json, withCodec } from "../../scene/index.ts";
import { type SequenceState, Sequences, Timers, type TweenEntry, Tweens } from "./components.ts";

/** Times are seconds from the moment of saving. */
export function timerRegistrations(clock: {
  readonly tick: number;
  readonly step: number;
}): readonly ComponentRegistration[] {
  const left = (at: number) => (at - clock.tick) * clock.step;
  // May be between two steps if time passes slower; rounded, because of the division.
  const at = (seconds: number) => clock.tick + Math.round((seconds / clock.step) * 1e6) / 1e6;
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
