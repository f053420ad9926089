/**
 * A running game: the order of a step, and which part receives which call.
 *
 * One step: input, messages and timers, systems and behaviours, physics, followers, parts, propagation. One frame: the steps that are due,
 * then the renderer.
 */
import {
  type ArgumentTest,
  createSchedule,
  describeValue,
  type EntityLike,
  expectArguments,
  handleOf,
  installPlugin,
  type Schedule,
  type SystemOptions,
} from "../ecs/index.ts";
import type { PayloadArgument } from "../hierarchy/index.ts";
import type { UndoHistory } from "../history/index.ts";
import {
  type CameraView,
  createInterpolation,
  type Interpolation,
  type Particles,
  type Size,
  type YAxis,
} from "../render/index.ts";
import type { Prefab, ReloadSummary, Scene, SceneFile, SceneFormat } from "../scene/index.ts";
import type { Point } from "../transform/index.ts";
import type { AssetSetup, GameAssets, PreloadOptions } from "./assets/game-assets.ts";
import { BehaviourRunner } from "./behaviours/behaviour-runner.ts";
import type { RunningBehaviour } from "./behaviours/hooks.ts";
import { EntityCalls } from "./entity-calls.ts";
import type { EntityObject } from "./entity-object.ts";
import { InvalidGameError, MissingPartError, StoppedGameError } from "./errors.ts";
import { browserFrames } from "./frame-loop.ts";
import type { Game, GameInstantiateOptions } from "./game-api.ts";
import type { GameSetup } from "./game-setup.ts";
import { GameTime } from "./game-time.ts";
import { type DomInput, listenToDom } from "./input/dom-input.ts";
import { Input } from "./input/input.ts";
import { InputRecorder } from "./input/recorder.ts";
import type { InputRecording } from "./input/recording.ts";
import { type Message, type MessageListener, Messages, Tick } from "./messages.ts";
import { createFollowers } from "./motion/follow.ts";
import type { RunningPart } from "./parts/part.ts";
import { PartList } from "./parts/part-list.ts";
import { type GameSystemOptions, PausableSystems } from "./pausable-systems.ts";
import type { GamePhysics, GameRenderer } from "./plug-ins.ts";
import { Pointing, pickerOf } from "./pointing/pointing.ts";
import { createRandom, type Random } from "./random.ts";
import type { GameScenes } from "./scenes/scene-files.ts";
import type { LoadSceneOptions } from "./scenes/scene-loader.ts";
import { States } from "./states/states.ts";
import type { TimeKeeper } from "./timers/time-keeper.ts";

const aPrefab: ArgumentTest = {
  expected: "that of a prefab. Pass what loadPrefab() or format.prefab() returned",
  fits: (value) => typeof value === "function",
};

export class RunningGame extends EntityCalls implements Game {
  readonly schedule: Schedule;
  readonly history: UndoHistory | undefined;
  readonly physics: GamePhysics | undefined;
  readonly renderer: GameRenderer | undefined;
  readonly input: Input;
  readonly random: Random;
  readonly particles: Particles | undefined;
  readonly interpolation: Interpolation | undefined;
  readonly yAxis: YAxis;
  readonly parts: Readonly<Record<string, RunningPart>>;
  private readonly systems: PausableSystems;
  private readonly passing: GameTime;
  private readonly behaviours: BehaviourRunner;
  private readonly messages: Messages;
  private readonly pointing: Pointing;
  private readonly recorder: InputRecorder;
  private readonly sceneFiles: GameScenes | undefined;
  private readonly assetFiles: GameAssets | undefined;
  private readonly timeKeeper: TimeKeeper | undefined;
  private readonly list = new PartList();
  private readonly states: States;
  private readonly dom: DomInput | undefined;
  private stopped = false;

  constructor(setup: GameSetup) {
    super(setup);
    const { world, clock, onWarn, longestFrame, seed } = setup;
    const frames = setup.frames === undefined ? (browserFrames() ?? null) : setup.frames;
    const warn = world.checks ? onWarn : () => undefined;
    this.passing = new GameTime(this, clock, { frames, longestFrame, onWarn: warn });
    this.random = createRandom(seed);
    this.input = new Input(setup.actions);
    this.recorder = new InputRecorder(this, this.input, seed);
    this.messages = new Messages(world);
    this.schedule = createSchedule(world, { errors: setup.errors === "throw" ? "throw" : "report" });
    this.systems = new PausableSystems(this.schedule);
    this.behaviours = new BehaviourRunner(this, this, {
      order: setup.updateOrder ?? "tree",
      errors: setup.errors ?? "report",
      onWarn,
      hasOption: (name) => setup[name as keyof GameSetup] !== undefined,
    });
    this.schedule.add({ name: "behaviours", run: ({ dt }) => this.behaviours.update(dt) });
    this.schedule.add({
      name: "late behaviours",
      phase: "late",
      run: ({ dt }) => this.behaviours.lateUpdate(dt),
    });
    for (const given of setup.behaviours ?? []) this.behaviours.register(given);
    this.yAxis = setup.yAxis ?? "up";
    const isInterpolated = setup.interpolate ?? setup.renderer !== undefined;
    this.interpolation = isInterpolated ? createInterpolation(this.space) : undefined;
    try {
      // First, so that the other options can use what plugins add, and so that it is not a step of a history.
      for (const each of setup.plugins ?? []) installPlugin(this.schedule, each);
      this.history = made("history", setup.history?.(this), "undo");
      this.timeKeeper = made("timers", setup.timers?.(this), "step");
      const { timeKeeper } = this;
      const states = new States(this);
      this.states = states;
      this.list.add({ early: () => states.update(), dispose: () => states.close() });
      if (timeKeeper !== undefined) this.list.add({ early: () => timeKeeper.step(), dispose() {} });
      const physics = made("physics", setup.physics?.(this), "step");
      this.physics = physics;
      if (physics !== undefined)
        this.list.add({ step: (dt) => physics.step(dt), dispose: () => physics.dispose() });
      this.list.add({ step: createFollowers(this), dispose() {} });
      this.particles = made("particles", setup.particles?.(this), "step");
      const { particles } = this;
      // Under a name that no part of the user can have.
      const plugged = { "option physics": { components: physics?.components ?? [] } };
      const scenes = setup.scenes?.(this, {
        options: { ...setup, parts: { ...setup.parts, ...plugged } },
        timers: timeKeeper?.components ?? [],
        prepare: (files) => this.list.load(files),
        requireRunning: (doing) => this.requireRunning(doing),
      });
      this.sceneFiles = made("scenes", scenes, "load");
      this.parts = this.list.create(setup.parts ?? {}, this);
      this.list.add({ step: () => states.update(), dispose() {} });
      if (particles !== undefined) this.list.add({ step: (dt) => particles.step(dt), dispose() {} });
      const renderer = made("renderer", setup.renderer?.(this), "render");
      this.renderer = renderer;
      if (renderer !== undefined)
        this.list.add({ draw: (alpha) => renderer.render(alpha), dispose: () => renderer.dispose() });
      const assets = made("assets", setup.assets?.(this, this.assetSetup()), "preload");
      this.assetFiles = assets;
      // Last, so that it is disposed of first, while renderer and parts can release what they use of it.
      if (assets !== undefined)
        this.list.add({ load: (files) => assets.prepare(files), dispose: () => assets.close() });
    } catch (error) {
      this.list.dispose();
      throw error;
    }
    this.pointing = new Pointing(this, this.input, this.messages, this.yAxis, pickerOf(this.renderer));
    const element = setup.element === undefined ? this.renderer?.view : setup.element;
    this.dom = element ? listenToDom(element, (event) => this.input.feed(event)) : undefined;
  }

  // Results of options -----------------------------------------------------------------------------------------------------

  get timers(): TimeKeeper {
    return this.timeKeeper ?? this.lack("use timers", "timers", "createTimers");
  }

  get assets(): GameAssets {
    return this.assetFiles ?? this.lack("load assets", "assets", "assetFiles({ … })");
  }

  get format(): SceneFormat {
    return this.loader("use its scene format").format;
  }

  private loader(doing: string): GameScenes {
    return this.sceneFiles ?? this.lack(doing, "scenes", "sceneFiles({ … })");
  }

  private assetSetup(): AssetSetup {
    return {
      filesOf: (name, signal) => this.loader("preload a scene").fetch(name, signal),
      requireRunning: (doing) => this.requireRunning(doing),
    };
  }

  private lack(doing: string, option: string, value: string): never {
    throw new MissingPartError(
      `Cannot ${doing}: this game was made without ${option}. Import ${value.replace(/\(.*/, "")} from "espalier/game" and add it: createGame({ ${option}: ${value} }).`,
      { option },
    );
  }

  // Time -------------------------------------------------------------------------------------------------------------------

  /** @internal */
  get screen(): Size {
    return this.input.size;
  }

  get stepSeconds(): number {
    return this.passing.clock.step;
  }

  get tick(): number {
    return this.passing.clock.tick;
  }

  get time(): number {
    return this.passing.clock.time;
  }

  get alpha(): number {
    return this.passing.clock.alpha;
  }

  get runningBehaviour(): RunningBehaviour | undefined {
    return this.behaviours.running;
  }

  get isPaused(): boolean {
    return this.passing.isPaused;
  }

  get isRunning(): boolean {
    return this.passing.isRunning;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  get timeScale(): number {
    return this.passing.scale;
  }

  set timeScale(scale: number) {
    this.passing.scale = scale;
  }

  start(): this {
    this.requireRunning("start");
    this.behaviours.settle();
    this.passing.start();
    return this;
  }

  step(count = 1): this {
    this.requireRunning("make a step");
    this.passing.step(count);
    return this;
  }

  advance(seconds: number): this {
    this.requireRunning("advance");
    this.passing.advance(seconds);
    return this;
  }

  pause(): void {
    this.requireRunning("pause");
    this.input.beginPause();
    this.passing.isPaused = true;
  }

  resume(): void {
    this.requireRunning("resume");
    if (this.isPaused) this.input.endPause();
    this.passing.isPaused = false;
    this.passing.forget();
  }

  stop(): void {
    if (this.stopped) return;
    this.passing.stop();
    this.sceneFiles?.close();
    try {
      this.behaviours.stop();
    } finally {
      this.stopped = true;
      this.dom?.dispose();
      this.pointing.dispose();
      this.interpolation?.dispose();
      this.messages.clear();
      this.stopWatching();
      this.events.close();
      this.schedule.close();
      this.list.dispose();
    }
  }

  /** @internal */
  poll(): void {
    this.dom?.poll();
  }

  /** @internal Each part may stop the game. */
  runStep(): void {
    const { clock } = this.passing;
    const { step: dt, tick, time } = clock;
    this.interpolation?.keep();
    this.input.beginStep(tick, this.isPaused);
    this.pointing.step();
    if (this.stopped) return;
    this.messages.send(Tick, { dt, tick, time });
    if (this.stopped) return;
    this.list.early(dt);
    if (this.stopped) return;
    try {
      this.schedule.run(dt);
    } finally {
      clock.tick++;
    }
    if (this.stopped) return;
    this.list.step(dt);
    if (this.stopped) return;
    this.propagate();
  }

  /** @internal */
  runPausedFrame(seconds: number): void {
    this.input.beginPausedFrame();
    if (this.systems.runWhilePaused(seconds) && !this.stopped) this.propagate();
  }

  private propagate(): void {
    this.space.propagate();
    this.visible.propagate();
    this.pace.propagate();
    this.z.propagate();
  }

  /** @internal */
  draw(alpha: number): void {
    this.list.draw(alpha);
  }

  stateOf(entity: EntityLike): string | null {
    return this.states.of(handleOf(this.world, entity));
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
    return this.messages.listenFor(
      kind,
      listener,
      owner === undefined ? undefined : handleOf(this.world, owner),
    );
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
    this.recorder.start();
  }

  stopRecording(): InputRecording {
    return this.recorder.stop();
  }

  replay(recording: InputRecording): this {
    this.requireRunning("replay");
    this.recorder.replay(recording, (isPaused) => {
      this.passing.isPaused = isPaused;
    });
    return this;
  }

  // Scenes -----------------------------------------------------------------------------------------------------------------

  get scenes(): readonly Scene[] {
    return this.sceneFiles?.scenes ?? [];
  }

  async preload(what?: string | readonly string[], options?: PreloadOptions): Promise<void> {
    await this.assets.preload(what, options);
  }

  async load(name: string, options?: LoadSceneOptions): Promise<Scene> {
    return this.loader("load a scene").load(name, options);
  }

  unload(scene: Scene | string): void {
    this.requireRunning("unload a scene");
    this.loader("unload a scene").unload(scene);
  }

  async loadPrefab(name: string, options?: Pick<LoadSceneOptions, "signal" | "onProgress">): Promise<Prefab> {
    return this.loader("load a prefab").loadPrefab(name, options);
  }

  instantiate(prefab: Prefab, options?: GameInstantiateOptions): EntityObject {
    this.requireRunning("make an instance");
    expectArguments("make an instance", ["it", Object(prefab).instantiate, aPrefab]);
    return this.entity(prefab.instantiate(this.tree, options).root);
  }

  reload(file: string, content: string | SceneFile): ReloadSummary[] {
    this.requireRunning("reload a scene");
    return this.loader("reload a scene").reload(file, content);
  }

  // ------------------------------------------------------------------------------------------------------------------------

  /** @internal */
  requireRunning(doing: string): void {
    if (this.stopped) throw new StoppedGameError(doing);
  }
}

/** The result of a function in the options, if it has the method that the game calls first. */
function made<Made>(option: string, value: Made, call: string): Made {
  if (value === undefined || typeof Object(value)[call] === "function") return value;
  throw new InvalidGameError(
    `Cannot make a game: its option ${option} made ${describeValue(value)}, which has no ${call}().`,
    { option, value },
  );
}
