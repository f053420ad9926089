/** A client's record of an entity of the server. */
import type { ComponentState, EntityState } from "../state-classes.ts";

/** An entity of the server as it was applied here. */
export interface Known {
  readonly key: number;
  readonly state: EntityState;
  parent: number;
  order: number;
  name: string;
  owner: string;
  /** By index of the component: the applied state. */
  readonly components: (ComponentState | boolean | undefined)[];
  /** Stops listening to its state. */
  detach: () => void;
  /** By index: stops listening to a component. */
  readonly detachComponents: (() => void)[];
}
