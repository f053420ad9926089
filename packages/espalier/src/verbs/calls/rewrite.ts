/** Replaces the scene by another version of it. */
import { parseScene, type SceneFile, toFlat } from "../../scene/index.ts";
import type { Verb } from "../verb.ts";

/** The parameters of `rewrite`. */
export interface RewriteParameters {
  /** The scene as it should be. */
  readonly scene: SceneFile | string;
}

export const rewrite: Verb<RewriteParameters> = {
  name: "rewrite",
  aliases: [],
  summary: "replace the scene with another version of it, matched by id",
  isReadOnly: false,
  parameters: {
    scene: {
      type: ["object", "string"],
      form: "scene",
      description:
        "The scene as it should be: its text or value. On the command line and for agents, a scene file.",
    },
  },
  required: ["scene"],
  operands: ["scene"],
  run(context, { scene }) {
    context.reload(toFlat(typeof scene === "string" ? parseScene(scene) : scene));
    return null;
  },
};
