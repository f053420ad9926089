/**
 * Checks that clips find their targets, without playing them: for tools, and for tests of a game's scenes.
 */
import { checkOptions, describeValue, type Entity, expectArguments, nearestName } from "../ecs/index.ts";
import type { Hierarchy } from "../hierarchy/index.ts";
import { KeyframeAnimation } from "./animation.ts";
import { bindClip } from "./bind-clip.ts";
import { InvalidClipError } from "./errors.ts";
import { clipNamed, type KeyframeClips, wrongClips } from "./keyframe-clip.ts";

/** A part of a clip that has no effect. */
export interface ClipProblem {
  /** The entity with the `KeyframeAnimation`. */
  readonly entity: Entity;
  /** The name of the clip; empty if the entity's own clips cannot be read. */
  readonly clip: string;
  /** What is wrong, as a sentence that begins with the path of the entity. */
  readonly message: string;
}

/** Options of `checkClips`. */
export interface CheckClipsOptions {
  /** Clips that all entities share. If left out, names without a clip of the entity are not checked. */
  readonly clips?: KeyframeClips;
}

/**
 * The parts of keyframe clips in a world that have no effect: targets that were renamed or removed, missing components and
 * fields, and clips that do
 * not exist. Checks all clips of entities, and the shared ones that they play.
 *
 * @throws InvalidClipError for shared clips that cannot be played.
 *
 * @example
 * ```ts
 * const slide = { path: "leaves", component: "Transform2D", field: "x", times: [0, 1], values: [0, 10] };
 * const door = world.spawn(KeyframeAnimation({ clips: { open: { seconds: 1, tracks: [slide] } } }));
 * tree.setName(door, "door");
 * checkClips(tree).map(({ message }) => message); // → ['/door cannot play all of "open": there is nothing at "leaves".']
 * ```
 */
export function checkClips(tree: Hierarchy, options: CheckClipsOptions = {}): readonly ClipProblem[] {
  const { world } = Object(tree) as Hierarchy;
  expectArguments("check clips", ["the world of the tree", world, "world"]);
  checkOptions(world.checks, "check clips", options, { clips: "anything" });
  const { clips: shared } = options;
  const wrong = shared === undefined ? undefined : wrongClips(shared);
  if (wrong !== undefined) throw new InvalidClipError(`Cannot check clips: ${wrong}.`, { value: shared });
  const problems: ClipProblem[] = [];
  for (const entity of [...world.query(KeyframeAnimation)].sort((a, b) => a - b)) {
    const { clip, previous, clips: own } = world.get(entity, KeyframeAnimation)!;
    // Such clips are refused when they are written only while keyframes run.
    const broken = wrongClips(own);
    if (broken !== undefined) {
      problems.push({
        entity,
        clip: "",
        message: `${tree.pathOf(entity)} cannot play its clips: ${broken}.`,
      });
      continue;
    }
    for (const name of new Set([...Object.keys(own), clip, previous])) {
      if (name === "") continue;
      const report = (what: string) =>
        problems.push({ entity, clip: name, message: `${tree.pathOf(entity)} cannot play ${what}` });
      const found = clipNamed(name, own, shared ?? {});
      if (found !== undefined)
        bindClip(tree, entity, found, (_, why) => report(`all of ${describeValue(name)}: ${why}`));
      else if (shared !== undefined)
        report(
          `${describeValue(name)}: there is no such clip. ${nearestName(name, [...Object.keys(own), ...Object.keys(shared)])}`,
        );
    }
  }
  return problems;
}
