/**
 * Animation clips of three.js that move entities: its mixer plays them, and the poses are written into the transforms.
 */
import {
  type AnimationAction,
  type AnimationClip,
  AnimationMixer,
  LoopOnce,
  LoopRepeat,
  type Object3D,
} from "three";
import {
  type ArgumentTest,
  checkOptions,
  describeValue,
  type Entity,
  expectArguments,
  nearestName,
} from "../ecs/index.ts";
import { paceOf } from "../inherit/index.ts";
import { aClip, anObject, aSpatialView, aTime } from "./arguments.ts";
import { ClipJoints } from "./clip-joints.ts";
import { UnknownClipError } from "./errors.ts";
import type { ThreeSync } from "./three-sync.ts";

/** Options of playing a clip. */
export interface PlayClipOptions {
  /** Seconds in which it replaces the current clips, or the rest pose. 0 if left out: at once. */
  readonly fade?: number;
  /** Whether it repeats. On if left out; otherwise the last pose stays. */
  readonly loop?: boolean;
  /** The speed as a factor. 1 if left out. */
  readonly speed?: number;
  /** The time in the clip to begin at, in seconds. 0 if left out. */
  readonly time?: number;
}

/** The clips of one model. Created by `attachClips`. */
export interface ClipActor {
  /** The names of the clips, in order. */
  readonly clips: readonly string[];
  /** The name of the clip that was played last; `null` before the first and after `stop`. */
  readonly playing: string | null;
  /** The mixer of three.js: for its events, such as `finished`, and other features. */
  readonly mixer: AnimationMixer;
  /**
   * Plays a clip, from its beginning.
   * @throws UnknownClipError, InvalidArgumentError
   */
  play(clip: string, options?: PlayClipOptions): void;
  /**
   * Ends all clips. Without a fade the pose from before the first clip is restored.
   * @throws InvalidArgumentError
   */
  stop(options?: Pick<PlayClipOptions, "fade">): void;
  /**
   * Advances by this many seconds, at the pace of the model: `TimeScale`, and 0 for an inactive one. Writes the pose into the transforms.
   * @throws InvalidArgumentError
   */
  step(seconds: number): void;
  /** Ends all clips and forgets them; the pose stays as it is. */
  dispose(): void;
}

/**
 * Plays clips of three.js with a model whose objects entities drive: see `joinGltf`. Poses are written into `Transform3D`, once
 * per step, so that
 * children of a hand, a collider on a head and a saved scene match the picture. Other changes of clips (weights of morph
 * targets, colours), and
 * objects that no entity drives, are applied directly by the mixer.
 *
 * @param root - The object below which names in the clips are looked up, such as `gltf.scene`.
 * @param clips - Such as `gltf.animations`. Their names must differ.
 * @throws InvalidArgumentError
 *
 * @example
 * ```ts
 * import { AnimationClip, Object3D, VectorKeyframeTrack } from "three";
 * const space = createTransforms3D(tree);
 * const view = createThreeSync(space);
 * const door = world.spawn(space.at(0, 0, 0));
 * const object = view.attach(door, new Object3D());
 * const slide = new AnimationClip("slide", 1, [new VectorKeyframeTrack(".position", [0, 1], [0, 0, 0, 4, 0, 0])]);
 * const actor = attachClips(view, object, [slide]);
 * actor.play("slide");
 * actor.step(0.5);
 * space.localOf(door).x; // → 2
 * ```
 */
export function attachClips(view: ThreeSync, root: Object3D, clips: readonly AnimationClip[]): ClipActor {
  const doing = "attach clips to a model";
  expectArguments(
    doing,
    ["the view", view, aSpatialView],
    ["the model", root, anObject],
    ["the clips", clips, "list"],
  );
  const names = new Set<string>();
  for (const clip of clips) {
    expectArguments(doing, ["the clip", clip, aClip], ["the clip", clip, aNewName(names)]);
    names.add(clip.name);
  }
  const { space } = view;
  const { tree } = space;
  const { checks } = tree.world;
  const joints = new ClipJoints(space, root);
  const split = joints.split(clips, root, (object) => drivenBy(view, object));
  const pace = paceOf(tree);
  const leader = drivenBy(view, root) ?? joints.first;
  const mixer = new AnimationMixer(joints.stage);
  let playing: string | null = null;
  /** Playing and fading actions. */
  let running: AnimationAction[] = [];
  let isIdle = true;

  function actionsOf(name: string): AnimationAction[] {
    const { poses, rest } = split.get(name)!;
    return [
      ...(poses === undefined ? [] : [mixer.clipAction(poses)]),
      ...(rest === undefined ? [] : [mixer.clipAction(rest, root)]),
    ];
  }

  /** Ends all but some actions, at once or with a fade. Actions that have faded out end at once. */
  function end(fade: number, except: readonly AnimationAction[]): AnimationAction[] {
    const others = running.filter((action) => !except.includes(action));
    const fading = others.filter((action) => fade > 0 && action.enabled && action.getEffectiveWeight() > 0);
    for (const action of others)
      if (fading.includes(action)) {
        // From its current weight: an action that is still fading would jump to its full weight.
        action.setEffectiveWeight(action.getEffectiveWeight()).fadeOut(fade);
      } else action.stop();
    return fading;
  }

  return {
    clips: [...split.keys()],
    get playing() {
      return playing;
    },
    mixer,
    play(clip, options = {}) {
      const playDoing = "play a clip";
      expectArguments(playDoing, ["the clip", clip, "text"]);
      if (!split.has(clip)) {
        throw new UnknownClipError(
          `Cannot play ${describeValue(clip)}: the model has no such clip. ${nearestName(clip, [...split.keys()])}`,
          { clip, value: clip },
        );
      }
      checkOptions(checks, playDoing, options, {
        fade: "anything",
        loop: "boolean",
        speed: "anything",
        time: "anything",
      });
      const { fade = 0, loop = true, speed = 1, time = 0 } = options;
      expectArguments(
        playDoing,
        ["fade", fade, aTime],
        ["speed", speed, "finite number"],
        ["time", time, aTime],
      );
      joints.pull();
      const actions = actionsOf(clip);
      for (const action of actions) {
        action.reset().setEffectiveWeight(1).setEffectiveTimeScale(speed);
        action.setLoop(loop ? LoopRepeat : LoopOnce, loop ? Number.POSITIVE_INFINITY : 1);
        action.clampWhenFinished = true;
        action.time = time;
        if (fade > 0 && !running.includes(action)) {
          // Without weight until the first step, because another clip may be played before it.
          action.setEffectiveWeight(0).weight = 1;
          action.fadeIn(fade);
        }
        action.play();
      }
      // The new ones play before others end, so that objects that both move are not reset in between.
      running = [...actions, ...end(fade, actions)];
      playing = clip;
      isIdle = false;
      joints.push();
    },
    stop(options = {}) {
      checkOptions(checks, "stop clips", options, { fade: "anything" });
      const { fade = 0 } = options;
      expectArguments("stop clips", ["fade", fade, aTime]);
      joints.pull();
      running = end(fade, []);
      playing = null;
      joints.push();
    },
    step(seconds) {
      expectArguments("step clips", ["the seconds", seconds, aTime]);
      if (isIdle) return;
      const passed = leader === undefined ? seconds : seconds * paceHere(leader);
      if (passed === 0) return;
      joints.pull();
      mixer.update(passed);
      // Stopping enables an action again.
      const ended = running.filter((action) => !action.enabled);
      running = running.filter((action) => action.enabled);
      for (const action of ended) action.stop();
      joints.push();
      isIdle = running.length === 0;
    },
    dispose() {
      mixer.stopAllAction();
      mixer.uncacheRoot(joints.stage);
      mixer.uncacheRoot(root);
      running = [];
      playing = null;
      isIdle = true;
    },
  };

  function paceHere(entity: Entity): number {
    return tree.world.isAlive(entity) ? pace.of(entity) : 1;
  }
}

/** Clips are played by name: of two with the same name, one could never be played. */
function aNewName(taken: ReadonlySet<string>): ArgumentTest {
  return {
    expected:
      "a clip whose name no other clip of the model has. Set clip.name of one of them, or leave one out",
    fits: (value) => !taken.has((value as AnimationClip).name),
  };
}

/** The entity that drives this object itself, not one above it. */
function drivenBy(view: ThreeSync, object: Object3D): Entity | undefined {
  const entity = view.entityOf(object);
  return entity !== null && view.objectOf(entity) === object ? entity : undefined;
}
