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

/** How a clip is played. */
export interface PlayClipOptions {
  /** Seconds in which it takes over from the clips that play now, or from the pose at rest. 0 if left out: at once. */
  readonly fade?: number;
  /** Whether it begins again at its end. `true` if left out; otherwise the last pose stays. */
  readonly loop?: boolean;
  /** Times as fast as it was made. 1 if left out. */
  readonly speed?: number;
  /** Where in the clip to begin, in seconds. 0 if left out. */
  readonly time?: number;
}

/** The clips of one model. Made by `attachClips`. */
export interface ClipActor {
  /** The names of the clips, in their order. */
  readonly clips: readonly string[];
  /** The name of the clip that was played last; `null` before the first and after `stop`. */
  readonly playing: string | null;
  /** The mixer of three.js: its events, such as `finished`, and whatever else it can do. */
  readonly mixer: AnimationMixer;
  /**
   * Plays a clip, from its beginning.
   * @throws UnknownClipError, InvalidArgumentError
   */
  play(clip: string, options?: PlayClipOptions): void;
  /**
   * Ends all clips. Without a fade the pose is again what it was before the first.
   * @throws InvalidArgumentError
   */
  stop(options?: Pick<PlayClipOptions, "fade">): void;
  /**
   * Lets so many seconds pass, at the pace of the model: `TimeScale`, and 0 for what is not active. Writes the pose into the transforms.
   * @throws InvalidArgumentError
   */
  step(seconds: number): void;
  /** Ends all clips and forgets them; the pose stays as it is. */
  dispose(): void;
}

/**
 * Plays clips of three.js with a model whose objects entities drive: see `joinGltf`. Poses are written into `Transform3D`, once a step, so that what
 * hangs on a hand, a collider on a head and a saved scene are where the picture has them. What clips change besides poses (weights of morph targets, colours), and
 * objects that no entity drives, the mixer changes directly.
 *
 * @param root - What the names in the clips are looked up below, such as `gltf.scene`.
 * @param clips - Such as `gltf.animations`. No two have the same name.
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
  /** What plays or fades. */
  let running: AnimationAction[] = [];
  let isIdle = true;

  function actionsOf(name: string): AnimationAction[] {
    const { poses, rest } = split.get(name)!;
    return [
      ...(poses === undefined ? [] : [mixer.clipAction(poses)]),
      ...(rest === undefined ? [] : [mixer.clipAction(rest, root)]),
    ];
  }

  /** Lets all but some actions end, now or slowly. Those that had faded out end now. */
  function end(fade: number, except: readonly AnimationAction[]): AnimationAction[] {
    const others = running.filter((action) => !except.includes(action));
    const fading = others.filter((action) => fade > 0 && action.enabled && action.getEffectiveWeight() > 0);
    for (const action of others)
      if (fading.includes(action)) {
        // From where it is: one that is still fading would jump to its full weight.
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
          // Weightless until the first step: another clip may be played before it.
          action.setEffectiveWeight(0).weight = 1;
          action.fadeIn(fade);
        }
        action.play();
      }
      // The new ones play before others end, so that what both move is not put back in between.
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

/** Clips are played by name: of two with the same, one could never be played. */
function aNewName(taken: ReadonlySet<string>): ArgumentTest {
  return {
    expected:
      "a clip whose name no other clip of the model has. Set clip.name of one of them, or leave one out",
    fits: (value) => !taken.has((value as AnimationClip).name),
  };
}

/** The entity that drives this very object, not one above it. */
function drivenBy(view: ThreeSync, object: Object3D): Entity | undefined {
  const entity = view.entityOf(object);
  return entity !== null && view.objectOf(entity) === object ? entity : undefined;
}
