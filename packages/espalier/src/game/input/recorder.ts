/**
 * Records the input of a game, and plays it into another one.
 */
import type { Input } from "./input.ts";
import { checkRecording, type InputRecording } from "./recording.ts";

interface RecordedGame {
  readonly tick: number;
  readonly stepSeconds: number;
  step(count: number): unknown;
}

export class InputRecorder {
  private readonly game: RecordedGame;
  private readonly input: Input;
  private readonly seed: number;
  private from = 0;

  constructor(game: RecordedGame, input: Input, seed: number) {
    this.game = game;
    this.input = input;
    this.seed = seed;
  }

  start(): void {
    this.from = this.game.tick;
    this.input.startRecording();
  }

  stop(): InputRecording {
    const { from } = this;
    return {
      version: 1,
      step: this.game.stepSeconds,
      seed: this.seed,
      steps: this.game.tick - from,
      events: this.input.stopRecording().map(([tick, events]) => [tick - from, events] as const),
    };
  }

  /** @param setPaused - Code that begins or ends a pause between two steps is not part of a replay, so pauses come from the recording. */
  replay(recording: InputRecording, setPaused: (isPaused: boolean) => void): void {
    const { tick, stepSeconds } = this.game;
    checkRecording(recording, { step: stepSeconds, seed: this.seed, tick });
    const byStep = new Map(recording.events);
    this.input.play((tick) => {
      const events = byStep.get(tick) ?? [];
      for (const event of events) if (event.type === "paused") setPaused(!event.isOver);
      return events;
    });
    try {
      this.game.step(recording.steps);
    } finally {
      this.input.play(undefined);
    }
  }
}
