/**
 * The behaviours of entities, as the game keeps them.
 */
import type { Entity } from "../../ecs/index.ts";
import type { BehaviourBinding, BehaviourInstance } from "./behaviour.ts";

/** One behaviour that the game runs. */
export interface Kind {
  readonly binding: BehaviourBinding;
  /** Earlier registered runs earlier on one entity. */
  readonly rank: number;
  readonly byEntity: Map<Entity, Acting>;
  readonly values: (entity: Entity) => object;
}

/** One behaviour of one entity. */
export interface Acting {
  readonly kind: Kind;
  readonly entity: Entity;
  instance: BehaviourInstance | undefined;
  isStarted: boolean;
  isEnabled: boolean;
  /** A hook threw, and the policy is to leave it alone. */
  isBroken: boolean;
  hasEnded: boolean;
  /** Where it stands in the lists of the present pass. */
  updateAt: number;
  lateAt: number;
}
