/**
 * A scene is in one session at a time: two would send each other's edits as their own.
 */
import type { Scene } from "espalier/scene";
import { InvalidCollabError } from "./errors.ts";

const shared = /* @__PURE__ */ new WeakSet<Scene>();

/** @throws InvalidCollabError when it is in a session. */
export function takeScene(scene: Scene): void {
  if (shared.has(scene)) {
    throw new InvalidCollabError(
      "Cannot join a scene: it is in a session already. Leave that first, or load the scene once more.",
      { option: "scene" },
    );
  }
  shared.add(scene);
}

/** The session has ended. */
export function giveScene(scene: Scene): void {
  shared.delete(scene);
}
