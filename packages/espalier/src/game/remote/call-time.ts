/** Calls about the time of a game: state, pause, steps, input, timings, and a picture of the current frame. */
import { describeValue } from "../../ecs/index.ts";
import type { AnyInput } from "../input/input-event.ts";
import { inputProblem } from "../input/input-problem.ts";
import { type CallContext, type CallDefinition, Refusal } from "./definition.ts";
import { pictureOf } from "./picture.ts";

/** Steps of one call: more would block the page for too long. */
const mostSteps = 10_000;

export const state: CallDefinition = {
  name: "state",
  summary: "the tick, the time, and whether the game is paused",
  isReadOnly: true,
  parameters: {},
  required: [],
  run: ({ game }) => stateOf(game),
};

export const pause: CallDefinition = {
  name: "pause",
  summary: "pause the game",
  isReadOnly: false,
  parameters: {},
  required: [],
  run: ({ game }) => {
    game.pause();
    return stateOf(game);
  },
};

export const resume: CallDefinition = {
  name: "resume",
  summary: "let the game go on",
  isReadOnly: false,
  parameters: {},
  required: [],
  run: (context) => {
    const { game } = context;
    game.resume();
    feedHeld(context);
    return stateOf(game);
  },
};

export const step: CallDefinition = {
  name: "step",
  summary: "run fixed steps of a paused game",
  isReadOnly: false,
  parameters: { count: { type: "integer", description: "How many, up to 10,000; 1 if left out." } },
  required: [],
  run: (context, { count = 1 }) => {
    const { game } = context;
    if (!game.isPaused && game.isRunning) throw new Refusal("the game is running by itself. Pause it first");
    if ((count as number) > mostSteps) throw new Refusal(`count is at most ${mostSteps}`);
    feedHeld(context);
    game.step(count as number);
    return stateOf(game);
  },
};

export const input: CallDefinition = {
  name: "input",
  summary: "send input events, which take effect at the next step",
  isReadOnly: false,
  parameters: {
    events: {
      type: "array",
      description:
        'Events in order: { "type": "key", "code": "KeyD", "down": true }, pointer, wheel, gamepad, gesture, blur or resize.',
    },
  },
  required: ["events"],
  run: (context, { events }) => {
    const given = events as unknown as AnyInput[];
    for (const event of given) {
      const why = inputProblem(event);
      if (why !== undefined) throw new Refusal(`it cannot feed ${describeValue(event)} as input: ${why}`);
    }
    context.held.push(...given);
    if (!context.game.isPaused) feedHeld(context);
    return { fed: given.length, ...stateOf(context.game) };
  },
};

export const timings: CallDefinition = {
  name: "timings",
  summary: "how long each system takes; the first call begins to measure",
  isReadOnly: true,
  parameters: {},
  required: [],
  run: ({ game }) => {
    const { schedule } = game;
    const isNew = !schedule.timing;
    if (isNew) schedule.timing = true;
    return { isMeasuring: !isNew, unit: "ms", systems: schedule.timings(), ...stateOf(game) };
  },
};

export const screenshot: CallDefinition = {
  name: "screenshot",
  summary: "a picture of what the game shows now",
  isReadOnly: true,
  parameters: {},
  required: [],
  run: async ({ game, screenshot: own }) => ({ ...stateOf(game), png: await pictureOf(game, own) }),
};

function feedHeld(context: CallContext): void {
  context.game.input.feed(...context.held);
  context.held = [];
}

function stateOf(game: CallContext["game"]) {
  const { tick, time, timeScale, isPaused, isRunning, isStopped, stepSeconds } = game;
  return { tick, time, timeScale, isPaused, isRunning, isStopped, stepSeconds, entities: game.world.count };
}
