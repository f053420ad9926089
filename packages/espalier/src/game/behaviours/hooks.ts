/** The hooks of behaviours, and the running one. */
import type { Entity } from "../../ecs/index.ts";

export const hookNames = ["awake", "start", "update", "lateUpdate", "enable", "disable", "shutdown"] as const;
/** The name of a hook of a behaviour. */
export type HookName = (typeof hookNames)[number];

/** A running hook of a behaviour. */
export interface RunningBehaviour {
  /** The entity that has the behaviour. */
  readonly entity: Entity;
  /** The name of its component. */
  readonly behaviour: string;
  /** Which hook: `"update"`, `"awake"` and so on. */
  readonly hook: HookName;
}
