/** The kinds of new entities, and the components of each. */
import type { ComponentInit } from "espalier";
import { Camera, circle, ParticleEmitter, Shape, Sprite, TextBlock } from "espalier/render";
import { Transform2D, Transform3D } from "espalier/transform";

export const entityKinds = [
  "empty",
  "folder",
  "sprite",
  "rectangle",
  "circle",
  "text",
  "camera",
  "particles",
  "empty3d",
] as const;

export type EntityKind = (typeof entityKinds)[number];

/** Fresh components of a kind, large enough to be seen and clicked. */
export function componentsOf(kind: EntityKind): readonly ComponentInit[] {
  switch (kind) {
    case "folder":
      return [];
    case "empty3d":
      return [Transform3D];
    case "sprite":
      return [Transform2D, Sprite];
    case "rectangle":
      return [Transform2D, Shape({ width: 64, height: 64, fill: 0x6ea8e0 })];
    case "circle":
      return [Transform2D, circle(32, { fill: 0x7fd3ac })];
    case "text":
      return [Transform2D, TextBlock({ text: "Text", size: 24 })];
    case "camera":
      return [Transform2D, Camera];
    case "particles":
      return [Transform2D, ParticleEmitter];
    default:
      return [Transform2D];
  }
}
