/**
 * The easings of tweens are those of all animation.
 */
export { type EasingName, easings } from "../../transform/index.ts";
