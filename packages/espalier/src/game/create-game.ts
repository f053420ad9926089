/**
 * Makes a game: the rooms below, wired together. Everything it does is a public call of one of them.
 */
import {
  type ArgumentTest,
  checkOptions,
  createWorld,
  describeValue,
  type ExpectedArgument,
  expectArguments,
  type WorldOptions,
} from "../ecs/index.ts";
import { createHierarchy, type HierarchyOptions } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import type { Particles, YAxis } from "../render/index.ts";
import { createTransforms2D } from "../transform/index.ts";
import type { AnyBehaviour } from "./behaviours/behaviour.ts";
import type { BehaviourErrorPolicy } from "./behaviours/behaviour-runner.ts";
import type { UpdateOrder } from "./behaviours/update-order.ts";
import { InvalidGameError } from "./errors.ts";
import { FixedClock } from "./fixed-clock.ts";
import type { FrameSource } from "./frame-loop.ts";
import type { Game } from "./game-api.ts";
import type { GameFormatOptions } from "./game-format.ts";
import { gameOptions } from "./game-options.ts";
import type { ActionMap } from "./input/actions.ts";
import type { PartMap } from "./parts/part.ts";
import { expectParts } from "./parts/part-list.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import { type GameSetup, RunningGame } from "./running-game.ts";
import type { GameScenes, SceneSetup } from "./scenes/scene-files.ts";
import type { TimeKeeper } from "./timers/time-keeper.ts";

/** Options of `createGame`. */
export interface GameOptions<
  Physics extends GamePhysics | undefined = GamePhysics | undefined,
  Renderer extends GameRenderer | undefined = GameRenderer | undefined,
  Parts extends PartMap = PartMap,
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
  /** Scene files: `sceneFiles({ level })`. Without, the game neither loads nor saves scenes. */
  readonly scenes?: (game: Game, setup: SceneSetup) => GameScenes;
  /** Timers, tweens and sequences: `createTimers`. */
  readonly timers?: (game: Game) => TimeKeeper;
  /** Undo and redo: `({ world }) => createHistory(world)`, from `espalier/history`. */
  readonly history?: (game: Game) => UndoHistory;
  /** Runs particle emitters: `({ space }) => createParticles(space)`, from `espalier/render`. */
  readonly particles?: (game: Game) => Particles;
  /** Rooms that join the game, by name: `{ sounds: soundPart() }`. `game.parts` has what each of them makes. */
  readonly parts?: Parts & PartMap;
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

/** The options that make something for the game, with what to write there. */
const makers = {
  renderer: "onCanvas(canvas)",
  physics: "({ space }) => createPhysics(space, engine)",
  scenes: "sceneFiles({ level })",
  timers: "createTimers",
  history: "({ world }) => createHistory(world)",
  particles: "({ space }) => createParticles(space)",
} as const;

/** What the options must be in every build, because the game would fail much later. */
function expectValues(options: GameOptions): void {
  const { actions, world, hierarchy, components, behaviours, frames, element, onError, onWarn } = options;
  const expected: readonly ExpectedArgument[] = [
    ["actions", actions, "object"],
    ["world", world, "object"],
    ["hierarchy", hierarchy, "object"],
    ["components", components, "list"],
    ["behaviours", behaviours, "list"],
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
  // biome-ignore lint/complexity/noBannedTypes: a game without parts has none that could be named.
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
