/**
 * The game's records of the behaviours of entities.
 */
import type { Entity } from "../../ecs/index.ts";
import type { BehaviourBinding, BehaviourInstance } from "./behaviour.ts";

/** One behaviour that the game runs. */
export interface Kind {
  readonly binding: BehaviourBinding;
  /** The order of registration, which is the order on one entity. */
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
  /** Whether a hook threw and the policy is to disable the behaviour. */
  isBroken: boolean;
  hasEnded: boolean;
  /** Its index in the lists of the current pass. */
  updateAt: number;
  lateAt: number;
}
