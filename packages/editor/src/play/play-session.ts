/**
 * Play, pause, step, stop: a game runs a copy of the edited scene in a world of its own. It does not affect the scene, unless
 * the user keeps it.
 */
import { type AnyComponent, listComponents, type Schedule, type SystemTiming, type World } from "espalier";
import {
  type AnyBehaviour,
  createGame,
  createGameFormat,
  createTimers,
  type Game,
  type GameOptions,
  sceneFiles,
} from "espalier/game";
import { diff, restoreSnapshot, takeSnapshot } from "espalier/history";
import { createPhysics, RigidBody } from "espalier/physics";
import { createParticles } from "espalier/render";
import { keepPlayed } from "../commands/scene/keep-played.ts";
import type { EditorDocument } from "../document/document.ts";
import { EditorLock } from "../document/locked.ts";
import { PlayDocument } from "./play-document.ts";
import type { PlaySetup } from "./play-setup.ts";

/** One point of the plot of entity counts. */
export interface CountSample {
  readonly frame: number;
  readonly entities: number;
}

/** The options for playing. */
export interface PlayRequest {
  /** What runs while the scene plays. */
  readonly setup?: PlaySetup;
  /** Whether y points up on the screen: down if left out. */
  readonly yUp?: boolean;
  /** Receives errors of behaviours and systems. The console if left out. */
  readonly onError?: (error: Error) => void;
}

const MOST_SAMPLES = 600;
/** The viewport works in pixels; engines work best in metres. */
const PIXELS_PER_METRE = 50;

/**
 * Starts to play a document. Loads the engine first when the scene has a body.
 *
 * @throws what the setup or the engine throws; the document is unchanged then.
 */
export async function startPlaying(
  document: EditorDocument,
  request: PlayRequest = {},
): Promise<PlaySession> {
  const { setup = {} } = request;
  const hasBodies = document.world.query(RigidBody).count() > 0;
  const engine = hasBodies && setup.createPhysics === undefined ? await setup.loadEngine?.() : undefined;
  const gravity = { x: 0, y: (request.yUp === true ? -10 : 10) * PIXELS_PER_METRE };
  const physics: GameOptions["physics"] =
    setup.createPhysics ??
    (engine === undefined
      ? undefined
      : ({ space }) =>
          createPhysics(space, engine, { unitsPerMetre: PIXELS_PER_METRE, gravity, ...setup.physics }));
  return new PlaySession(document, physics, request);
}

/** A run of the game inside the editor. */
export class PlaySession {
  /** The edited document, which stays as it is. */
  readonly edited: EditorDocument;
  /** The game that plays the scene. */
  readonly game: Game;
  /** The playing document. */
  readonly document: PlayDocument;
  /** Whether it runs. */
  state: "playing" | "paused" | "stopped" = "playing";
  /** How many frames have run. */
  frame = 0;
  /** The number of entities, frame by frame. */
  samples: CountSample[] = [];
  private readonly snapshot: ArrayBuffer;
  private readonly cleanUp: (() => void) | undefined;

  /** @internal Use `startPlaying`. */
  constructor(edited: EditorDocument, physics: GameOptions["physics"], request: PlayRequest) {
    const { setup = {}, onError, yUp } = request;
    this.edited = edited;
    this.snapshot = takeSnapshot(edited.world, { trees: [edited.tree] });
    this.game = createGame({
      components: ownComponents(edited),
      behaviours: behavioursOf(edited, setup),
      transient: [EditorLock],
      // It is not known here what the project uses.
      scenes: sceneFiles(),
      timers: createTimers,
      particles: ({ space }) => createParticles(space),
      // The page may forbid generated code.
      world: { generate: false },
      hierarchy: { name: edited.tree.name },
      onWarn: () => {},
      frames: null,
      element: null,
      yAxis: yUp === true ? "up" : "down",
      ...(onError === undefined ? {} : { onError }),
      ...(setup.step === undefined ? {} : { step: setup.step }),
      ...(setup.seed === undefined ? {} : { seed: setup.seed }),
      ...(physics === undefined ? {} : { physics }),
    });
    const { world, tree, schedule } = this.game;
    try {
      restoreSnapshot(world, this.snapshot, { trees: [tree], components: componentsIn(edited.world) });
      schedule.timing = true;
      const cleanUp = setup.start?.(this.game);
      this.cleanUp = typeof cleanUp === "function" ? cleanUp : undefined;
      this.game.start();
      this.document = new PlayDocument(this.game, edited);
    } catch (error) {
      this.game.stop();
      throw error;
    }
  }

  /** The schedule of the game. */
  get schedule(): Schedule {
    return this.game.schedule;
  }

  /** How long the systems take. */
  get timings(): readonly SystemTiming[] {
    return this.game.schedule.timings();
  }

  /** Advances the game by `dt` seconds, if it plays. */
  tick(dt: number): void {
    if (this.state !== "playing") return;
    this.game.advance(dt);
    this.ran();
  }

  /** Pauses the game. */
  pause(): void {
    if (this.state === "playing") this.state = "paused";
    this.document.touch();
  }

  /** Resumes the game. */
  resume(): void {
    if (this.state === "paused") this.state = "playing";
    this.document.touch();
  }

  /** Pauses and runs exactly one step of the game. */
  step(): void {
    this.state = "paused";
    this.game.step();
    this.ran();
  }

  /** Ends it. The scene is unchanged or, with `keep`, takes over the played state as one step that can be undone. */
  stop(keep = false): void {
    if (this.state === "stopped") return;
    this.state = "stopped";
    const { edited, game } = this;
    const { world, tree } = game;
    const played = keep ? takeSnapshot(world, { trees: [tree] }) : undefined;
    const components = componentsIn(world);
    const isChanged = keep && diff(this.snapshot, { world, trees: [tree] }).length > 0;
    this.document.close();
    this.cleanUp?.();
    game.stop();
    if (played !== undefined && isChanged) keepPlayed(edited, played, components);
    edited.settle();
  }

  private ran(): void {
    this.frame++;
    this.samples.push({ frame: this.frame, entities: this.game.world.count });
    if (this.samples.length > MOST_SAMPLES) this.samples.shift();
    this.document.settle();
  }
}

/** The behaviours of components that the scene knows; its own behaviours with the same name are different ones. */
function behavioursOf({ components }: EditorDocument, { behaviours = [] }: PlaySetup): AnyBehaviour[] {
  const known = new Set(components);
  return behaviours.filter((given) => known.has(componentOf(given)));
}

/** The component that a behaviour belongs to. */
export function componentOf(given: AnyBehaviour): AnyComponent {
  return "behaviour" in given ? given : given.component;
}

/** All components that a world knows, including those of the library. */
function componentsIn(world: World): AnyComponent[] {
  return listComponents(world).flatMap(({ name }) => world.componentNamed(name) ?? []);
}

/** Components of the document, but not those that a game brings under the same name. */
function ownComponents({ components }: EditorDocument): AnyComponent[] {
  const brought = createGameFormat();
  return components.filter((one) => (brought.component(one.name) ?? one) === one);
}
