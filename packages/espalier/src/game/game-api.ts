/**
 * Everything a game can do, in one place. `createGame` makes it.
 *
 * An interface, so that behaviours can refer to the game without an import cycle.
 */
import type { EntityLike, Schedule, SystemOptions } from "../ecs/index.ts";
import type { PayloadArgument } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import type { CameraView, Interpolation, Particles, YAxis } from "../render/index.ts";
import type {
  InstantiateOptions,
  Prefab,
  Registrable,
  ReloadSummary,
  Scene,
  SceneFile,
  SceneFormat,
} from "../scene/index.ts";
import type { Point } from "../transform/index.ts";
import type { GameAssets, PreloadOptions } from "./assets/game-assets.ts";
import type { RunningBehaviour } from "./behaviours/hooks.ts";
import type { EntityCalls } from "./entity-calls.ts";
import type { EntityObject } from "./entity-object.ts";
import type { Input } from "./input/input.ts";
import type { InputRecording } from "./input/recording.ts";
import type { Message, MessageListener } from "./messages.ts";
import type { RunningPart } from "./parts/part.ts";
import type { GameSystemOptions } from "./pausable-systems.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import type { Random } from "./random.ts";
import type { LoadSceneOptions } from "./scenes/scene-loader.ts";
import type { TimeKeeper } from "./timers/time-keeper.ts";

/** Options of `game.instantiate`: those of the prefab, but the parent may be an entity object. */
export interface GameInstantiateOptions extends Omit<InstantiateOptions, "parent"> {
  /** The parent; a root if left out. */
  readonly parent?: EntityLike | null;
}

/** Adds a room to a game: `createGame({ parts: { sounds: soundPart() } })`. */
export interface GamePart<Running extends RunningPart = RunningPart> {
  /** The components it works with: the scene files of the game may hold them. */
  readonly components?: readonly Registrable[];
  /** Creates it, once for each game. `game.parts` holds the result. */
  create(game: Game): Running;
}

/** Parts by name. */
export type PartMap = { readonly [name: string]: GamePart };

/** The type of `game.parts`: the results of `create` of each part, by the same names. */
export type RunningParts<Parts extends PartMap> = {
  readonly [Name in keyof Parts]: ReturnType<Parts[Name]["create"]>;
};

/**
 * A game: world, tree, transforms, input, timers, scenes and the loop as one object. Created by `createGame`; `Physics`,
 * `Renderer` and `Parts` are the results of its options.
 */
export interface Game<
  Physics extends GamePhysics | undefined = GamePhysics | undefined,
  Renderer extends GameRenderer | undefined = GameRenderer | undefined,
  Parts extends PartMap = PartMap,
> extends EntityCalls {
  // The rooms --------------------------------------------------------------------------------------------------------------

  /** Runs in every fixed step, with the phases `early`, `update` and `late`. */
  readonly schedule: Schedule;
  /**
   * The format of its scene files.
   * @throws MissingPartError without the option `scenes`.
   */
  readonly format: SceneFormat;
  /** The result of the option `history`. */
  readonly history: UndoHistory | undefined;
  /** The running parts of the game, by name. */
  readonly parts: RunningParts<Parts>;
  /** The result of the option `physics`. */
  readonly physics: Physics;
  /** The result of the option `renderer`. */
  readonly renderer: Renderer;
  /** Keys, pointers, gamepads and actions. */
  readonly input: Input;
  /**
   * Timers, tweens and sequences.
   * @throws MissingPartError without the option `timers`.
   */
  readonly timers: TimeKeeper;
  /**
   * Its files.
   * @throws MissingPartError without the option `assets`.
   */
  readonly assets: GameAssets;
  /** The result of the option `particles`. */
  readonly particles: Particles | undefined;
  /** Interpolation between the last two steps; only with a renderer, or with `interpolate: true`. */
  readonly interpolation: Interpolation | undefined;
  /** The direction of y in the world. */
  readonly yAxis: YAxis;
  /** Random numbers that are the same in every run with the same seed. */
  readonly random: Random;

  // Time -------------------------------------------------------------------------------------------------------------------

  /** Seconds per fixed step. */
  readonly stepSeconds: number;
  /** Steps made so far. */
  readonly tick: number;
  /** Seconds of game time: steps made, times their length. */
  readonly time: number;
  /** The fraction of time passed from the last step to the next, from 0 up to 1. */
  readonly alpha: number;
  /** The speed of time: 1 is normal, 0.5 half as fast, 0 stopped. */
  timeScale: number;
  /** Whether the game is paused. */
  readonly isPaused: boolean;
  /** Whether frames run automatically: after `start()` in a browser. */
  readonly isRunning: boolean;
  /** Whether `stop()` was called. */
  readonly isStopped: boolean;
  /** The running hook of a behaviour; `undefined` outside of hooks. For tools that show what changed a value. */
  readonly runningBehaviour: RunningBehaviour | undefined;

  /** Awakes everything and, if there are frames, runs in real time. */
  start(): this;
  /** Runs fixed steps now, as fast as possible, even while paused. Then draws once. */
  step(count?: number): this;
  /** Advances by real time: runs the steps that are due, then a frame, as `start` does for every frame. */
  advance(seconds: number): this;
  /**
   * Runs no step until `resume()`. Inside a step: that step is the last of its frame. Frames continue: they read the input,
   * run the systems with `whilePaused`, and draw.
   */
  pause(): void;
  /** Continues. Buttons pressed meanwhile count for steps only when they are pressed again; buttons released meanwhile are released. */
  resume(): void;
  /** Shuts everything down, children first. A stopped game does not run again; its world can still be read. */
  stop(): void;

  // Systems, behaviours, messages --------------------------------------------------------------------------------------------

  /**
   * Adds a system: a function that runs in every step, or all options of `schedule.add`, and `whilePaused`.
   *
   * @example
   * ```ts
   * const game = createGame({ step: 0.5 });
   * const tank = game.spawn(game.space.at(0, 0));
   * game.system("drive", ({ dt }) => { tank.x += 10 * dt; });
   * game.step(4);
   * tank.x; // → 20
   * ```
   */
  system(name: string, run: SystemOptions["run"]): this;
  system(options: GameSystemOptions): this;
  /** Calls `listener` for every message of that kind; with an owner, until that entity is destroyed. */
  listenFor<Payload>(
    kind: Message<Payload>,
    listener: MessageListener<Payload>,
    owner?: EntityLike,
  ): () => void;
  /** Removes a listener. `false` when there is no such listener. */
  unlistenFrom<Payload>(kind: Message<Payload>, listener: MessageListener<Payload>): boolean;
  /** Sends a message to all listeners of its kind. */
  send<Payload>(kind: Message<Payload>, ...payload: PayloadArgument<Payload>): void;

  // Input ------------------------------------------------------------------------------------------------------------------

  /** The raw input: positions in pixels, y downwards. */
  getInput(): Input;
  /** The position of the mouse in game coordinates, through camera and letterbox. `undefined` before its first event. */
  getMousePosition(): Point | undefined;
  /** The position of the `index`-th finger in game coordinates. */
  getTouch(index: number): Point | undefined;
  /** The view of the active camera, for `screenToWorld` and `worldToScreen`. */
  view(): CameraView;
  /** The topmost entity drawn at a point of the world. Hidden and inactive ones are skipped. */
  pick(x: number, y: number): EntityObject | null;
  /** All entities drawn at a point of the world, topmost first. */
  pickAll(x: number, y: number): EntityObject[];
  /** Starts recording all input. */
  startRecording(): void;
  /** Ends the recording and returns it. */
  stopRecording(): InputRecording;
  /** Plays recorded input into this game, which must be new, step by step, as fast as possible. */
  replay(recording: InputRecording): this;

  // States -----------------------------------------------------------------------------------------------------------------

  /** The state of an entity: that of the nearest entity upwards with a `State`, including itself; `null` without any. */
  stateOf(entity: EntityLike): string | null;

  // Scenes -----------------------------------------------------------------------------------------------------------------

  /** The scenes that are loaded. */
  readonly scenes: readonly Scene[];
  /**
   * Loads files before they are needed: those that a scene or prefab uses, those of a list of names, or all that are listed. All of
   * them, or none; loaded files are not fetched again.
   * @throws AssetLoadError listing all that are missing or broken; LoadCancelledError; MissingPartError without the option `assets`.
   */
  preload(what?: string | readonly string[], options?: PreloadOptions): Promise<void>;
  /**
   * Fetches a scene with its prefabs and loads it: all of it, or nothing. With the option `assets` it first loads the files that the scene
   * uses.
   * @throws MissingPartError without the option `scenes`.
   */
  load(name: string, options?: LoadSceneOptions): Promise<Scene>;
  /** Destroys the entities of a scene. */
  unload(scene: Scene | string): void;
  /** Fetches a prefab with those it needs. */
  loadPrefab(name: string, options?: Pick<LoadSceneOptions, "signal" | "onProgress">): Promise<Prefab>;
  /** Makes an instance of a prefab. */
  instantiate(prefab: Prefab, options?: GameInstantiateOptions): EntityObject;
  /** Applies a changed file to everything that was loaded from it; changes by the game meanwhile stay. */
  reload(file: string, content: string | SceneFile): ReloadSummary[];
}
