/**
 * Finds keyframe clips in a scene whose targets do not exist.
 */
import { createWorld } from "espalier";
import { checkClips } from "espalier/animation";
import { createHierarchy } from "espalier/hierarchy";
import type { ReadOptions, SceneProblem } from "espalier/scene";
import type { Config } from "./config.ts";
import { exitCodes, Stop } from "./exit-codes.ts";
import { whyNot } from "./files.ts";

/** A problem of a scene itself, or of data in it for another room. */
export interface FoundProblem extends Omit<SceneProblem, "code"> {
  readonly code: string;
}

/** @param text - A scene that can be loaded. */
export function clipProblems(
  text: string,
  { format, clips, file: config }: Config,
  reading: ReadOptions,
): FoundProblem[] {
  // Entities of prefabs may have clips too.
  const mayHave =
    /"KeyframeAnimation"|"prefab"/.test(text) && format.components.includes("KeyframeAnimation");
  if (!mayHave) return [];
  const tree = createHierarchy(createWorld());
  const scene = format.load(tree, text, reading);
  try {
    return checkClips(tree, clips === undefined ? {} : { clips }).map(({ entity, message }) => ({
      code: "animation/invalid-clip",
      message,
      file: reading.file,
      line: undefined,
      column: undefined,
      path: "",
      entity: scene.idOf(entity),
    }));
  } catch (error) {
    throw new Stop(exitCodes.usage, `Cannot use the clips of ${config}: ${whyNot(error)}`);
  }
}
