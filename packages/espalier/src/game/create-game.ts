/**
 * Creates a game: the lower rooms, wired together. Everything it does is a public call of one of them.
 */
import {
  type ArgumentTest,
  checkOptions,
  createWorld,
  describeValue,
  type ExpectedArgument,
  expectArguments,
} from "../ecs/index.ts";
import { createHierarchy } from "../hierarchy/index.ts";
import { createTransforms2D } from "../transform/index.ts";
import { InvalidGameError } from "./errors.ts";
import { FixedClock } from "./fixed-clock.ts";
import type { FrameSource } from "./frame-loop.ts";
import type { Game, PartMap } from "./game-api.ts";
import { gameOptions } from "./game-options.ts";
import type { GameOptions, GameSetup } from "./game-setup.ts";
import { expectParts } from "./parts/part-list.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import { RunningGame } from "./running-game.ts";

const anElement: ArgumentTest = {
  expected: "an element of a page, or null",
  fits: (value) => value === null || typeof Object(Object(value).ownerDocument).defaultView === "object",
};

const someFrames: ArgumentTest = {
  expected: "an object with request and cancel, or null",
  fits: (value) => {
    const { request, cancel } = Object(value) as Partial<FrameSource>;
    return value === null || (typeof request === "function" && typeof cancel === "function");
  },
};

/** The options that create something for the game, with an example of each. */
const makers = {
  renderer: "onCanvas(canvas)",
  physics: "({ space }) => createPhysics(space, engine)",
  scenes: "sceneFiles({ level })",
  assets: 'assetFiles({ hero: "hero.png" })',
  timers: "createTimers",
  history: "({ world }) => createHistory(world)",
  particles: "({ space }) => createParticles(space)",
} as const;

/** Checks of options in every build, because the game would otherwise fail much later. */
function expectValues(options: GameOptions): void {
  const { actions, world, hierarchy, components, behaviours, plugins, frames, element, onError, onWarn } =
    options;
  const expected: readonly ExpectedArgument[] = [
    ["actions", actions, "object"],
    ["world", world, "object"],
    ["hierarchy", hierarchy, "object"],
    ["components", components, "list"],
    ["behaviours", behaviours, "list"],
    ["plugins", plugins, "list"],
    ["frames", frames, someFrames],
    ["element", element, anElement],
    ["onError", onError, "function"],
    ["onWarn", onWarn, "function"],
  ];
  for (const each of expected) if (each[1] !== undefined) expectArguments("make a game", each);
}

/**
 * Makes a game.
 *
 * @throws InvalidGameError for options that cannot work; InvalidBehaviourError; SceneUseError for components that scene files
 * cannot hold.
 *
 * @example
 * ```ts
 * const game = createGame({ step: 0.1 });
 * const tank = game.spawn(game.space.at(0, 0));
 * const turret = tank.spawn(game.space.at(0, 5));
 * game.system("drive", ({ dt }) => { tank.x += 10 * dt; });
 * game.step(10);
 * turret.absolutePosition; // ≈ { x: 10.0, y: 5.0 }
 * ```
 */
export function createGame<
  Physics extends GamePhysics | undefined = undefined,
  Renderer extends GameRenderer | undefined = undefined,
  // biome-ignore lint/complexity/noBannedTypes: a game without parts has no names of parts.
  Parts extends PartMap = {},
>(options: GameOptions<Physics, Renderer, Parts> = {}): Game<Physics, Renderer, Parts> {
  if (typeof options !== "object" || options === null)
    throw new InvalidGameError(
      `Cannot make a game from ${describeValue(options)}. Give an object with options.`,
      { value: options },
    );
  expectValues(options);
  expectParts(options.parts, "create");
  for (const [key, maker] of Object.entries(makers)) {
    const value = options[key as keyof typeof makers];
    if (value !== undefined && typeof value !== "function") {
      throw new InvalidGameError(
        `Cannot make a game with the ${key} ${describeValue(value)}. Give a function that makes it: ${key}: ${maker}.`,
        { option: key, value },
      );
    }
  }
  const { longestFrame = 0.25, seed = 1 } = options;
  if (!(typeof longestFrame === "number" && longestFrame > 0)) {
    throw new InvalidGameError(
      `Cannot make a game whose longest frame takes ${describeValue(longestFrame)} seconds. Give a number above 0.`,
      { option: "longestFrame", value: longestFrame },
    );
  }
  if (!Number.isInteger(seed))
    throw new InvalidGameError(`Cannot make a game with the seed ${describeValue(seed)}. Give an integer.`, {
      option: "seed",
      value: seed,
    });
  const clock = new FixedClock({ step: options.step ?? 1 / 60, maxSteps: options.maxSteps ?? 8 });
  const onError = options.onError ?? ((error: Error) => console.error(error));
  const onWarn = options.onWarn ?? ((message: string) => console.warn(message));
  const world = createWorld({ ...options.world, onError });
  checkOptions(world.checks, "make a game", options, gameOptions);
  const tree = createHierarchy(world, { onWarn, ...options.hierarchy });
  const space = createTransforms2D(tree);
  const setup: GameSetup = { ...options, longestFrame, seed, world, tree, space, clock, onWarn };
  return new RunningGame(setup) as unknown as Game<Physics, Renderer, Parts>;
}
