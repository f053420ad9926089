/**
 * References that the world keeps both ways, as their field says it.
 */

/** What becomes of the owner of a reference when its target is destroyed; see `entityRef`. */
export type TargetPolicy = "null" | "removePair" | "removeComponent" | "destroyOwner" | "refuse";

/** An indexed reference. */
export interface FieldRelation {
  /** What becomes of the owner when a target is destroyed. */
  readonly onTargetDestroyed: TargetPolicy;
  /** Called when a world meets the component, with its state and its store. @internal */
  readonly met: (state: object, store: object, field: number) => void;
}
