/**
 * Makes a game: the rooms below, wired together. Everything it does is a public call of one of them.
 */
import {
  type AnyComponent,
  type ArgumentTest,
  checkOptions,
  createWorld,
  describeValue,
  type ExpectedArgument,
  expectArguments,
  type WorldOptions,
} from "../ecs/index.ts";
import { createHierarchy, type HierarchyOptions } from "../hierarchy/index.ts";
import type { HistoryOptions } from "../history/index.ts";
import type { YAxis } from "../render/index.ts";
import { createTransforms2D } from "../transform/index.ts";
import type { AnyBehaviour } from "./behaviours/behaviour.ts";
import type { BehaviourErrorPolicy } from "./behaviours/behaviour-runner.ts";
import type { UpdateOrder } from "./behaviours/update-order.ts";
import { InvalidGameError } from "./errors.ts";
import { FixedClock } from "./fixed-clock.ts";
import type { FrameSource } from "./frame-loop.ts";
import type { Game } from "./game-api.ts";
import { formatWithClock, type GameFormatOptions } from "./game-format.ts";
import { gameOptions } from "./game-options.ts";
import type { ActionMap } from "./input/actions.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import { RunningGame } from "./running-game.ts";
import type { SceneSources } from "./scenes/scene-sources.ts";

/** Options of `createGame`. */
export interface GameOptions<
  Physics extends GamePhysics | undefined = GamePhysics | undefined,
  Renderer extends GameRenderer | undefined = GameRenderer | undefined,
> extends GameFormatOptions {
  /** Seconds per fixed step: 1 / 60 if left out. */
  readonly step?: number;
  /** Most steps in one frame: 8 if left out. */
  readonly maxSteps?: number;
  /** The behaviours, in the order in which they run on one entity. */
  readonly behaviours?: readonly AnyBehaviour[];
  /** `tree` (the default) or `level`. */
  readonly updateOrder?: UpdateOrder;
  /** When a behaviour or a system throws: `report` (the default) and go on, `disable` that behaviour, or `throw`. */
  readonly errors?: BehaviourErrorPolicy;
  /** Receives everything that went wrong without ending the step. The console if left out. */
  readonly onError?: (error: Error) => void;
  /** Gets warnings. The console if left out. */
  readonly onWarn?: (message: string) => void;
  /** Actions by name. */
  readonly actions?: ActionMap;
  /** Scenes and prefabs by name. */
  readonly scenes?: SceneSources;
  /** Undo and redo: off unless asked for. */
  readonly history?: boolean | HistoryOptions;
  /** For `game.random`: 1 if left out. */
  readonly seed?: number;
  /** Makes the renderer, once the game is there. */
  readonly renderer?: (game: Game) => Renderer;
  /** Makes the physics, once the game is there. */
  readonly physics?: (game: Game) => Physics;
  /** Which way y grows in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** Keeps the places of the last step, to draw in between: on when there is a renderer. */
  readonly interpolate?: boolean;
  /** Whose pointers the game listens to: that of the renderer if left out; `null` for none. */
  readonly element?: HTMLElement | null;
  /** Where frames come from: `requestAnimationFrame` if left out; `null` for nowhere. */
  readonly frames?: FrameSource | null;
  /** The longest frame in seconds; longer ones count as this: 0.25 if left out. */
  readonly longestFrame?: number;
  /** Options of the world that the game makes. */
  readonly world?: Omit<WorldOptions, "onError">;
  /** Options of the tree that the game makes. */
  readonly hierarchy?: HierarchyOptions;
}

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

/** What the options must be in every build, because the game would fail much later. */
function expectParts(options: GameOptions): void {
  const { actions, world, hierarchy, frames, element, onError, onWarn } = options;
  const expected: readonly ExpectedArgument[] = [
    ["actions", actions, "object"],
    ["world", world, "object"],
    ["hierarchy", hierarchy, "object"],
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
 * @throws InvalidGameError for options that cannot work; InvalidBehaviourError; SceneUseError for components that cannot
 * be registered.
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
>(options: GameOptions<Physics, Renderer> = {}): Game<Physics, Renderer> {
  if (typeof options !== "object" || options === null)
    throw new InvalidGameError(
      `Cannot make a game from ${describeValue(options)}. Give an object with options.`,
      { value: options },
    );
  expectParts(options);
  for (const key of ["renderer", "physics"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "function") {
      throw new InvalidGameError(
        `Cannot make a game with the ${key} ${describeValue(options[key])}. Give a function that makes it: ${key}: (game) => ….`,
        { option: key, value: options[key] },
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
  const format = formatWithClock(options, clock);
  const onError = options.onError ?? ((error: Error) => console.error(error));
  const onWarn = options.onWarn ?? ((message: string) => console.warn(message));
  const world = createWorld({ ...options.world, onError });
  checkOptions(world.checks, "make a game", options, gameOptions);
  const tree = createHierarchy(world, { onWarn, ...options.hierarchy });
  const space = createTransforms2D(tree);
  const formatWith = (plugged: readonly AnyComponent[]) => formatWithClock(options, clock, plugged);
  const parts = { ...options, longestFrame, seed, world, tree, space, clock, format, formatWith, onWarn };
  return new RunningGame(parts) as unknown as Game<Physics, Renderer>;
}
