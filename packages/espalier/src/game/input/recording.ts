/**
 * Recorded input: the events of each step. Played into a new game of the same kind it gives the same world.
 */
import { describeValue } from "../../ecs/index.ts";
import { InvalidRecordingError } from "../errors.ts";
import type { AnyInput } from "./input-event.ts";
import { inputProblem } from "./input-problem.ts";

/** A recording. Plain data: save it as JSON. */
export interface InputRecording {
  /** The version of the format. */
  readonly version: 1;
  /** Seconds per step of the game that was recorded. */
  readonly step: number;
  /** The seed of the game that was recorded. */
  readonly seed: number;
  /** How many steps were made while recording. */
  readonly steps: number;
  /** The steps with events. */
  readonly events: readonly (readonly [step: number, events: readonly AnyInput[]])[];
}

/** @throws InvalidRecordingError for an invalid recording, or one of a game with another step or seed. */
export function checkRecording(
  recording: InputRecording,
  game: { readonly step: number; readonly seed: number; readonly tick: number },
): void {
  const refuse = (why: string): never => {
    throw new InvalidRecordingError(`Cannot replay this recording: ${why}.`, { value: recording });
  };
  if (typeof recording !== "object" || recording === null || !Array.isArray(recording.events))
    refuse(`it is ${describeValue(recording)}, not what game.stopRecording() gives`);
  if (recording.version !== 1)
    refuse(`it has version ${describeValue(recording.version)}, and this game reads version 1`);
  if (recording.step !== game.step)
    refuse(
      `it was made with steps of ${describeValue(recording.step)} seconds, and this game has ${game.step}`,
    );
  if (recording.seed !== game.seed)
    refuse(`it was made with seed ${describeValue(recording.seed)}, and this game has ${game.seed}`);
  if (game.tick !== 0) refuse(`this game has made ${game.tick} steps. Replay into a new one`);
  const { steps } = recording;
  if (!Number.isInteger(steps) || steps < 0) refuse(`it has ${describeValue(steps)} steps`);
  let last = -1;
  for (const entry of recording.events) {
    if (!Array.isArray(entry)) refuse(`its entry ${describeValue(entry)} is damaged`);
    const [step, events] = entry;
    if (!Number.isInteger(step) || step <= last || !Array.isArray(events))
      refuse(`step ${describeValue(step)} is damaged`);
    const damaged = events.findIndex((event) => inputProblem(event) !== undefined);
    if (damaged >= 0) refuse(`event ${damaged} of step ${step} is damaged: ${inputProblem(events[damaged])}`);
    last = step;
  }
}
