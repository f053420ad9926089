/**
 * The rooms below as one object: loop, life cycle, messages, timers, input, scenes.
 *
 * Its types name elements of a page: TypeScript needs `"dom"` in `lib`, or `skipLibCheck`, even if a game runs in Node.
 *
 * @packageDocumentation
 */

export { assetFiles } from "./assets/asset-files.ts";
export type { AssetProgress } from "./assets/asset-progress.ts";
export type { FetchAsset } from "./assets/fetch-asset.ts";
export type {
  AssetAddress,
  AssetFileOptions,
  AssetSetup,
  AssetSource,
  AssetSources,
  GameAssets,
  PreloadOptions,
} from "./assets/game-assets.ts";
export {
  type AnyBehaviour,
  type Behaviour,
  type BehaviourBinding,
  type BehaviourClass,
  type BehaviourHooks,
  type BehaviourInstance,
  behaviour,
  bindBehaviour,
  type Self,
} from "./behaviours/behaviour.ts";
export type { BehaviourErrorPolicy } from "./behaviours/behaviour-runner.ts";
export type { HookName, RunningBehaviour } from "./behaviours/hooks.ts";
export type { UpdateOrder } from "./behaviours/update-order.ts";
export { createGame } from "./create-game.ts";
export type { EntityCalls } from "./entity-calls.ts";
export type { EntityObject } from "./entity-object.ts";
export {
  type AssetFailure,
  AssetLoadError,
  BehaviourError,
  GameError,
  GoneEntityError,
  InvalidBehaviourError,
  InvalidBindingError,
  InvalidGameError,
  InvalidRecordingError,
  InvalidTimerError,
  LoadCancelledError,
  LoadFailedError,
  MessageListenerError,
  MissingPartError,
  ReadOnlyPropertyError,
  StoppedGameError,
  UnknownActionError,
  UnknownMessageError,
  UnknownPropertyError,
  UnknownSceneError,
  UnknownStateError,
} from "./errors.ts";
export type { FrameSource } from "./frame-loop.ts";
export type { Game, GameInstantiateOptions, GamePart, PartMap, RunningParts } from "./game-api.ts";
export { createGameFormat, type GameFormatOptions } from "./game-format.ts";
export type { GameOptions } from "./game-setup.ts";
export type { ActionBinding, ActionMap, AxisBinding, ButtonBinding, VectorBinding } from "./input/actions.ts";
export type { PointerState } from "./input/devices.ts";
export { type DomInput, listenToDom } from "./input/dom-input.ts";
export type { Input } from "./input/input.ts";
export type {
  AnyInput,
  BlurInput,
  DeviceInput,
  GamepadInput,
  GestureInput,
  GestureKind,
  KeyInput,
  PausedInput,
  PointerInput,
  PointerKind,
  ResizeInput,
  WheelInput,
} from "./input/input-event.ts";
export type { InputRecording } from "./input/recording.ts";
export { type Message, type MessageListener, message, Tick, type TickPayload } from "./messages.ts";
export {
  Attached,
  type AttachedSchema,
  Follow,
  type FollowSchema,
  motionComponents,
  whenGone,
} from "./motion/components.ts";
export { type OnCanvasOptions, onCanvas } from "./on-canvas.ts";
export type { LoadingFiles, RunningPart } from "./parts/part.ts";
export type { GameSystemOptions } from "./pausable-systems.ts";
export type { GamePhysics, GameRenderer, GameTextures } from "./plug-ins.ts";
export {
  Click,
  Drag,
  type EntityPointer,
  Gesture,
  type GesturePayload,
  Pinch,
  PointerDown,
  PointerEnter,
  PointerLeave,
  PointerMove,
  PointerUp,
  Rotate,
  Tap,
} from "./pointing/pointer-events.ts";
export { createRandom, type Random } from "./random.ts";
export { type HotContext, hotReload } from "./scenes/hot-reload.ts";
export { type GameScenes, loadOnlyScenes, type SceneSetup, sceneFiles } from "./scenes/scene-files.ts";
export type { LoadProgress, LoadSceneOptions } from "./scenes/scene-loader.ts";
export type { SceneContent, SceneSource, SceneSources } from "./scenes/scene-sources.ts";
export {
  type AllowedStates,
  InState,
  type InStateSchema,
  State,
  StateEntered,
  StateExited,
  type StateSchema,
  stateComponents,
} from "./states/components.ts";
export { inState } from "./states/in-state.ts";
export { TileCollider, type TileColliderSchema } from "./tiles/tile-collider.ts";
export { type TileColliders, tileColliderPart } from "./tiles/tile-colliders.ts";
export {
  type SequenceState,
  type SequenceStep,
  Sequences,
  type TimerEntry,
  Timers,
  type TweenEntry,
  Tweens,
  timerComponents,
} from "./timers/components.ts";
export { createTimers } from "./timers/create-timers.ts";
export { type EasingName, easings } from "./timers/easing.ts";
export type { TimeKeeper } from "./timers/time-keeper.ts";
export type { TweenOptions } from "./timers/tween.ts";
