/** What a client knows of an entity of the server. */
import type { ComponentState, EntityState } from "../state-classes.ts";

/** An entity of the server as it was applied here. */
export interface Known {
  readonly key: number;
  readonly state: EntityState;
  parent: number;
  order: number;
  name: string;
  owner: string;
  /** By position: what was applied. */
  readonly components: (ComponentState | boolean | undefined)[];
  /** Ends listening to its state. */
  detach: () => void;
  /** By position: ends listening to a component. */
  readonly detachComponents: (() => void)[];
}
