import type { AnyComponent } from "../ecs/index.ts";
import { InheritTransform } from "./spaces/inherit-mask.ts";
import { RectTransform } from "./spaces/rect.ts";
import { Transform2D } from "./transform-2d.ts";
import { Transform3D } from "./transform-3d.ts";

/** The components of this room, for scene formats: `createSceneFormat({ components: [transformComponents] })`. */
export const transformComponents: readonly AnyComponent[] = [
  Transform2D,
  Transform3D,
  RectTransform,
  InheritTransform,
];
