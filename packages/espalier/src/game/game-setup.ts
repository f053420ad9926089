/**
 * The input of a game: the options of the user, and what `createGame` derives from them.
 */
import type { WorldOptions } from "../ecs/index.ts";
import type { HierarchyOptions } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import type { Particles, YAxis } from "../render/index.ts";
import type { AssetSetup, GameAssets } from "./assets/game-assets.ts";
import type { AnyBehaviour } from "./behaviours/behaviour.ts";
import type { BehaviourErrorPolicy } from "./behaviours/behaviour-runner.ts";
import type { UpdateOrder } from "./behaviours/update-order.ts";
import type { EntityCallsOptions } from "./entity-calls.ts";
import type { FixedClock } from "./fixed-clock.ts";
import type { FrameSource } from "./frame-loop.ts";
import type { Game, PartMap } from "./game-api.ts";
import type { GameFormatOptions } from "./game-format.ts";
import type { ActionMap } from "./input/actions.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
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
  /** The maximum number of steps per frame: 8 if left out. */
  readonly maxSteps?: number;
  /** The behaviours, in the order in which they run on one entity. */
  readonly behaviours?: readonly AnyBehaviour[];
  /** `tree` (the default) or `level`. */
  readonly updateOrder?: UpdateOrder;
  /** What happens when a behaviour or a system throws: `report` (the default) and continue, `disable` that behaviour, or `throw`. */
  readonly errors?: BehaviourErrorPolicy;
  /** Receives errors that did not end the step. The console if left out. */
  readonly onError?: (error: Error) => void;
  /** Receives warnings. The console if left out. */
  readonly onWarn?: (message: string) => void;
  /** Actions by name. */
  readonly actions?: ActionMap;
  /** Scene files: `sceneFiles({ level })`. Without, the game neither loads nor saves scenes. */
  readonly scenes?: (game: Game, setup: SceneSetup) => GameScenes;
  /** Files that are loaded before they are used: `assetFiles({ hero: "hero.png" })`. */
  readonly assets?: (game: Game, setup: AssetSetup) => GameAssets;
  /** Timers, tweens and sequences: `createTimers`. */
  readonly timers?: (game: Game) => TimeKeeper;
  /** Undo and redo: `({ world }) => createHistory(world)`, from `espalier/history`. */
  readonly history?: (game: Game) => UndoHistory;
  /** Runs particle emitters: `({ space }) => createParticles(space)`, from `espalier/render`. */
  readonly particles?: (game: Game) => Particles;
  /** Rooms that join the game, by name: `{ sounds: soundPart() }`. `game.parts` holds the result of each. */
  readonly parts?: Parts & PartMap;
  /** The seed of `game.random`: 1 if left out. */
  readonly seed?: number;
  /** Creates the renderer, once the game exists. */
  readonly renderer?: (game: Game) => Renderer;
  /** Creates the physics, once the game exists. */
  readonly physics?: (game: Game) => Physics;
  /** The direction of y in the world: `"up"` if left out. */
  readonly yAxis?: YAxis;
  /** Whether to keep the transforms of the last step, for interpolation: on with a renderer. */
  readonly interpolate?: boolean;
  /** The element whose pointers the game listens to: that of the renderer if left out; `null` for none. */
  readonly element?: HTMLElement | null;
  /** Where frames come from: `requestAnimationFrame` if left out; `null` for none. */
  readonly frames?: FrameSource | null;
  /** The longest frame in seconds; longer ones count as this: 0.25 if left out. */
  readonly longestFrame?: number;
  /** Options of the world that the game makes. */
  readonly world?: Omit<WorldOptions, "onError">;
  /** Options of the tree that the game makes. */
  readonly hierarchy?: HierarchyOptions;
}

/** What `createGame` derives from its options. */
export interface GameSetup extends Omit<GameOptions, "world" | "hierarchy" | "onWarn">, EntityCallsOptions {
  readonly clock: FixedClock;
  readonly longestFrame: number;
  readonly seed: number;
}
