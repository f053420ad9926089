/**
 * A game: the order of a step, and who gets which call.
 *
 * One step: input, messages and timers, systems and behaviours, physics, propagation. One frame: the steps that are due,
 * then the renderer.
 */
import {
  type AnyComponent,
  type ArgumentTest,
  createSchedule,
  describeValue,
  expectArguments,
  type Schedule,
  type SystemOptions,
  type World,
} from "../ecs/index.ts";
import type { Hierarchy, PayloadArgument } from "../hierarchy/index.ts";
import { createHistory, type HistoryOptions, type UndoHistory } from "../history/index.ts";
import {
  type CameraView,
  createInterpolation,
  createParticles,
  type Interpolation,
  type Particles,
  type Size,
  type YAxis,
} from "../render/index.ts";
import type {
  InstantiateOptions,
  Prefab,
  ReloadSummary,
  Scene,
  SceneFile,
  SceneFormat,
} from "../scene/index.ts";
import type { Point, Transforms2D } from "../transform/index.ts";
import type { AnyBehaviour } from "./behaviours/behaviour.ts";
import { type BehaviourErrorPolicy, BehaviourRunner } from "./behaviours/behaviour-runner.ts";
import type { UpdateOrder } from "./behaviours/update-order.ts";
import { EntityCalls } from "./entity-calls.ts";
import { type EntityHost, type EntityLike, EntityObject, idIn } from "./entity-object.ts";
import { InvalidGameError, StoppedGameError } from "./errors.ts";
import type { FixedClock } from "./fixed-clock.ts";
import { browserFrames, FrameLoop, type FrameSource } from "./frame-loop.ts";
import type { Game, GameInstantiateOptions } from "./game-api.ts";
import type { ActionMap } from "./input/actions.ts";
import { type DomInput, listenToDom } from "./input/dom-input.ts";
import { Input } from "./input/input.ts";
import { checkRecording, type InputRecording } from "./input/recording.ts";
import { type Message, type MessageListener, Messages, Tick } from "./messages.ts";
import { createFollowers } from "./motion/follow.ts";
import { type GameSystemOptions, PausableSystems } from "./pausable-systems.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import { Pointing, pickerOf } from "./pointing/pointing.ts";
import { createRandom, type Random } from "./random.ts";
import { type LoadSceneOptions, SceneLoader } from "./scenes/scene-loader.ts";
import type { SceneSources } from "./scenes/scene-sources.ts";
import { StepBudget } from "./step-budget.ts";
import { TimeKeeper } from "./timers/time-keeper.ts";

const aPrefab: ArgumentTest = {
  expected: "that of a prefab. Pass what loadPrefab() or format.prefab() returned",
  fits: (value) => typeof value === "function",
};

/** The most steps of one call: hours of a game. More are a mistake that would seem to hang. */
const MOST_STEPS = 10_000_000;

/** What `createGame` has made of its options. */
export interface GameParts {
  readonly world: World;
  readonly tree: Hierarchy;
  readonly space: Transforms2D;
  readonly clock: FixedClock;
  readonly format: SceneFormat;
  /** The same with components of what is plugged in. */
  readonly formatWith: (plugged: readonly AnyComponent[]) => SceneFormat;
  readonly onWarn: (message: string) => void;
  readonly longestFrame: number;
  readonly seed: number;
  readonly behaviours?: readonly AnyBehaviour[];
  readonly updateOrder?: UpdateOrder;
  readonly errors?: BehaviourErrorPolicy;
  readonly actions?: ActionMap;
  readonly scenes?: SceneSources;
  readonly history?: boolean | HistoryOptions;
  readonly renderer?: (game: Game) => GameRenderer | undefined;
  readonly physics?: (game: Game) => GamePhysics | undefined;
  readonly yAxis?: YAxis;
  readonly interpolate?: boolean;
  readonly element?: HTMLElement | null;
  readonly frames?: FrameSource | null;
}

export class RunningGame extends EntityCalls implements Game {
  readonly schedule: Schedule;
  readonly format: SceneFormat;
  readonly history: UndoHistory | undefined;
  readonly physics: GamePhysics | undefined;
  readonly renderer: GameRenderer | undefined;
  readonly input: Input;
  readonly timers: TimeKeeper;
  readonly random: Random;
  readonly particles: Particles;
  readonly interpolation: Interpolation | undefined;
  readonly yAxis: YAxis;
  private readonly systems: PausableSystems;
  private readonly clock: FixedClock;
  private readonly seed: number;
  private readonly behaviours: BehaviourRunner;
  private readonly messages: Messages;
  private readonly pointing: Pointing;
  private readonly moveFollowers: (dt: number) => void;
  private readonly loader: SceneLoader;
  private readonly loop: FrameLoop | undefined;
  private readonly budget: StepBudget;
  private readonly dom: DomInput | undefined;
  private readonly ends: (() => void)[] = [];
  private speed = 1;
  private paused = false;
  /** Whether physics makes a step now. */
  private isSimulating = false;
  private stopped = false;
  private recordedFrom = 0;

  constructor(parts: GameParts) {
    super(parts);
    const { world, clock } = parts;
    this.clock = clock;
    this.budget = new StepBudget(clock.step, world.checks ? parts.onWarn : () => undefined);
    this.seed = parts.seed;
    this.format = parts.format;
    this.random = createRandom(parts.seed);
    this.input = new Input(parts.actions);
    this.messages = new Messages(world);
    this.timers = new TimeKeeper(this, clock, componentsOf(parts.format));
    this.schedule = createSchedule(world, { errors: parts.errors === "throw" ? "throw" : "report" });
    this.systems = new PausableSystems(this.schedule);
    this.behaviours = new BehaviourRunner(this, this, {
      order: parts.updateOrder ?? "tree",
      errors: parts.errors ?? "report",
      onWarn: parts.onWarn,
    });
    this.schedule.add({ name: "behaviours", run: ({ dt }) => this.behaviours.update(dt) });
    this.schedule.add({
      name: "late behaviours",
      phase: "late",
      run: ({ dt }) => this.behaviours.lateUpdate(dt),
    });
    for (const given of parts.behaviours ?? []) this.behaviours.register(given);
    const { history } = parts;
    this.history = history ? createHistory(world, history === true ? {} : history) : undefined;
    this.loader = new SceneLoader(this, parts.scenes ?? {});
    this.yAxis = parts.yAxis ?? "up";
    this.particles = createParticles(this.space);
    const isInterpolated = parts.interpolate ?? parts.renderer !== undefined;
    this.interpolation = isInterpolated ? createInterpolation(this.space) : undefined;
    this.physics = parts.physics?.(this);
    const plugged = this.physics?.components ?? [];
    if (plugged.length > 0) {
      this.format = parts.formatWith(plugged);
      this.timers.learn(plugged);
    }
    this.renderer = parts.renderer?.(this);
    this.moveFollowers = createFollowers(this);
    this.pointing = new Pointing(this, this.input, this.messages, this.yAxis, pickerOf(this.renderer));
    const element = parts.element === undefined ? this.renderer?.view : parts.element;
    this.dom = element ? listenToDom(element, (event) => this.input.feed(event)) : undefined;
    const frames = parts.frames === undefined ? browserFrames() : parts.frames;
    if (frames)
      this.loop = new FrameLoop(frames, parts.longestFrame, (seconds) => this.passTime(seconds, frames));
    this.watchVisibility();
  }

  // Time -------------------------------------------------------------------------------------------------------------------

  /** @internal */
  get screen(): Size {
    return this.input.size;
  }

  get stepSeconds(): number {
    return this.clock.step;
  }

  get tick(): number {
    return this.clock.tick;
  }

  get time(): number {
    return this.clock.time;
  }

  get alpha(): number {
    return this.clock.alpha;
  }

  get isPaused(): boolean {
    return this.paused;
  }

  get isRunning(): boolean {
    return this.loop?.isRunning ?? false;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  get timeScale(): number {
    return this.speed;
  }

  set timeScale(scale: number) {
    if (!(typeof scale === "number" && scale >= 0 && scale < Number.POSITIVE_INFINITY)) {
      throw new InvalidGameError(
        `Cannot set the time scale to ${describeValue(scale)}. Give a number of at least 0; use pause() to stand still.`,
        { option: "timeScale", value: scale },
      );
    }
    this.speed = scale;
  }

  start(): this {
    this.requireRunning("start");
    this.behaviours.settle();
    this.loop?.start();
    return this;
  }

  step(count = 1): this {
    this.requireRunning("make a step");
    if (!Number.isInteger(count) || count < 0 || count > MOST_STEPS) {
      throw new InvalidGameError(
        `Cannot make ${describeValue(count)} steps. Give an integer from 0 to ${MOST_STEPS}.`,
        { value: count, limit: MOST_STEPS },
      );
    }
    for (let k = 0; k < count && !this.stopped; k++) this.runStep();
    this.draw(1);
    return this;
  }

  advance(seconds: number): this {
    this.requireRunning("advance");
    if (!(typeof seconds === "number" && seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) {
      throw new InvalidGameError(
        `Cannot advance by ${describeValue(seconds)} seconds. Give a number of at least 0.`,
        { value: seconds },
      );
    }
    this.passTime(seconds);
    return this;
  }

  /** @param frames - Where the frame comes from, when it is one in real time: then its steps have a budget. */
  private passTime(seconds: number, frames?: FrameSource): void {
    this.dom?.poll();
    if (this.paused) this.runPausedFrame(seconds);
    else {
      const due = this.clock.advance(seconds * this.speed);
      if (frames === undefined) this.runSteps(due);
      else this.budget.run(due, this.speed, frames, (count) => this.runSteps(count));
    }
    // While it stands still the last step is shown as it is, so that single steps can be seen.
    this.draw(this.paused ? 1 : this.clock.alpha);
  }

  /** Gives how many it made. A step that pauses the game is the last of its frame: what else was due belongs to the pause. */
  private runSteps(count: number): number {
    let made = 0;
    for (; made < count && !this.stopped && !this.paused; made++) this.runStep();
    return made;
  }

  pause(): void {
    this.requireRunning("pause");
    this.input.beginPause();
    this.paused = true;
  }

  resume(): void {
    this.requireRunning("resume");
    if (this.paused) this.input.endPause();
    this.paused = false;
    this.loop?.forget();
  }

  stop(): void {
    if (this.stopped) return;
    this.loop?.stop();
    this.loader.close();
    try {
      this.behaviours.stop();
    } finally {
      this.stopped = true;
      this.dom?.dispose();
      this.pointing.dispose();
      this.interpolation?.dispose();
      for (const end of this.ends.splice(0)) end();
      this.messages.clear();
      this.stopWatching();
      this.events.close();
      this.schedule.close();
      // An observer of what physics writes may stop the game: then it is disposed of when its step is over.
      if (!this.isSimulating) this.physics?.dispose();
      this.renderer?.dispose();
    }
  }

  /** Each part may stop the game. */
  private runStep(): void {
    const { clock } = this;
    const { step: dt, tick, time } = clock;
    this.interpolation?.keep();
    this.input.beginStep(tick, this.paused);
    this.pointing.step();
    if (this.stopped) return;
    this.messages.send(Tick, { dt, tick, time });
    if (this.stopped) return;
    this.timers.step();
    if (this.stopped) return;
    try {
      this.schedule.run(dt);
    } finally {
      clock.tick++;
    }
    if (this.stopped) return;
    this.simulate(dt);
    if (this.stopped) return;
    this.moveFollowers(dt);
    this.particles.step(dt);
    this.propagate();
  }

  /** No step: input is read, and the systems run that are marked for it. */
  private runPausedFrame(seconds: number): void {
    this.input.beginPausedFrame();
    if (this.systems.runWhilePaused(seconds) && !this.stopped) this.propagate();
  }

  private simulate(dt: number): void {
    if (this.physics === undefined) return;
    this.isSimulating = true;
    try {
      this.physics.step(dt);
    } finally {
      this.isSimulating = false;
      if (this.stopped) this.physics.dispose();
    }
  }

  private propagate(): void {
    this.space.propagate();
    this.visible.propagate();
    this.active.propagate();
    this.z.propagate();
  }

  private draw(alpha: number): void {
    if (!this.stopped) this.renderer?.render(alpha);
  }

  // Systems and messages ---------------------------------------------------------------------------------------------------

  system(given: string | GameSystemOptions, run?: SystemOptions["run"]): this {
    this.requireRunning("add a system");
    this.systems.add(typeof given === "string" ? { name: given, run: run as SystemOptions["run"] } : given);
    return this;
  }

  listenFor<Payload>(
    kind: Message<Payload>,
    listener: MessageListener<Payload>,
    owner?: EntityLike,
  ): () => void {
    this.requireRunning("listen for messages");
    return this.messages.listenFor(kind, listener, owner === undefined ? undefined : idIn(this, owner));
  }

  unlistenFrom<Payload>(kind: Message<Payload>, listener: MessageListener<Payload>): boolean {
    return this.messages.unlistenFrom(kind, listener);
  }

  send<Payload>(kind: Message<Payload>, ...payload: PayloadArgument<Payload>): void {
    this.requireRunning("send a message");
    this.messages.send(kind, ...payload);
  }

  // Input ------------------------------------------------------------------------------------------------------------------

  getInput(): Input {
    return this.input;
  }

  getMousePosition(): Point | undefined {
    return this.pointing.toGame(this.input.getMousePosition());
  }

  getTouch(index: number): Point | undefined {
    return this.pointing.toGame(this.input.getTouch(index));
  }

  view(): CameraView {
    return this.pointing.view();
  }

  pick(x: number, y: number): EntityObject | null {
    const [top] = this.pointing.pickAll(x, y);
    return top === undefined ? null : this.entity(top);
  }

  pickAll(x: number, y: number): EntityObject[] {
    return this.pointing.pickAll(x, y).map((entity) => this.entity(entity));
  }

  startRecording(): void {
    this.requireRunning("record");
    this.recordedFrom = this.tick;
    this.input.startRecording();
  }

  stopRecording(): InputRecording {
    const from = this.recordedFrom;
    return {
      version: 1,
      step: this.clock.step,
      seed: this.seed,
      steps: this.tick - from,
      events: this.input.stopRecording().map(([tick, events]) => [tick - from, events] as const),
    };
  }

  replay(recording: InputRecording): this {
    this.requireRunning("replay");
    checkRecording(recording, { step: this.clock.step, seed: this.seed, tick: this.tick });
    const byStep = new Map(recording.events);
    this.input.play((tick) => {
      const events = byStep.get(tick) ?? [];
      // What begins or ends a pause between two steps is not part of this run.
      for (const event of events) if (event.type === "paused") this.paused = !event.isOver;
      return events;
    });
    try {
      this.step(recording.steps);
    } finally {
      this.input.play(undefined);
    }
    return this;
  }

  // Scenes -----------------------------------------------------------------------------------------------------------------

  get scenes(): readonly Scene[] {
    return this.loader.scenes;
  }

  load(name: string, options?: LoadSceneOptions): Promise<Scene> {
    return this.loader.load(name, options);
  }

  unload(scene: Scene | string): void {
    this.requireRunning("unload a scene");
    this.loader.unload(scene);
  }

  loadPrefab(name: string, options?: Pick<LoadSceneOptions, "signal" | "onProgress">): Promise<Prefab> {
    return this.loader.loadPrefab(name, options);
  }

  instantiate(prefab: Prefab, options?: GameInstantiateOptions): EntityObject {
    this.requireRunning("make an instance");
    expectArguments("make an instance", ["it", Object(prefab).instantiate, aPrefab]);
    return this.entity(prefab.instantiate(this.tree, withParentId(this, options)).root);
  }

  reload(file: string, content: string | SceneFile): ReloadSummary[] {
    this.requireRunning("reload a scene");
    return this.loader.reload(file, content);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** @internal */
  requireRunning(doing: string): void {
    if (this.stopped) throw new StoppedGameError(doing);
  }

  /** A hidden tab gets no frames; what passed meanwhile does not count. */
  private watchVisibility(): void {
    if (this.loop === undefined || typeof document === "undefined") return;
    const forget = () => this.loop?.forget();
    document.addEventListener("visibilitychange", forget);
    this.ends.push(() => document.removeEventListener("visibilitychange", forget));
  }
}

/** The same options with the number of the parent. */
function withParentId(
  host: EntityHost,
  options: GameInstantiateOptions | undefined,
): InstantiateOptions | undefined {
  if (!(options?.parent instanceof EntityObject)) return options as InstantiateOptions | undefined;
  return { ...options, parent: idIn(host, options.parent) };
}

function componentsOf(format: SceneFormat) {
  return format.components.flatMap((name) => format.component(name) ?? []);
}
