/** A wall of bodies, a ball that knocks it over, and a gate on a hinge. */
import { box, disc, type Node, sceneText } from "./build-scene.ts";
import type { Sample } from "./sample.ts";

const SIDE = 30;
const block = sceneText([
  {
    name: "block",
    at: [0, 0],
    with: {
      Shape: { ...box(SIDE, SIDE, "#c98d5a", 3), stroke: "#8a5d38", strokeWidth: 2 },
      RigidBody: {},
      Collider: { shapes: [{ type: "box", width: SIDE, height: SIDE, friction: 0.6 }] },
    },
    children: [{ name: "mark", at: [0, -6], with: { Shape: disc(4, "#f0d9b5") } }],
  },
]);

function wall(columns: number, rows: number): Node[] {
  return Array.from({ length: columns * rows }, (_, k) => ({
    name: `block ${k + 1}`,
    at: [120 + (k % columns) * (SIDE + 1), 140 - SIDE / 2 - Math.floor(k / columns) * SIDE] as const,
    prefab: "block",
  }));
}

export const blocks: Sample = {
  id: "blocks",
  art: "linear-gradient(0deg, #6b7a5a 0 22%, transparent 22%), repeating-linear-gradient(90deg, #c98d5a 0 26px, #8a5d38 26px 28px)",
  prefabs: { block },
  scene: sceneText([
    { name: "sky", at: [0, 0], with: { Shape: box(720, 400, "#d5e3ea", 10), ZIndex: { z: -10 } } },
    {
      name: "ground",
      at: [0, 160],
      with: {
        Shape: box(720, 40, "#6b7a5a", 6),
        RigidBody: { type: "static" },
        Collider: { shapes: [{ type: "box", width: 720, height: 40, friction: 0.8 }] },
      },
    },
    {
      name: "ball",
      at: [-300, 20],
      with: {
        Shape: disc(24, "#54606b"),
        RigidBody: { velocityX: 620, velocityY: -60 },
        Collider: { shapes: [{ type: "circle", radius: 24, density: 4 }] },
      },
      children: [{ name: "shine", at: [-8, -8], with: { Shape: disc(5, "#aab6c0") } }],
    },
    ...wall(3, 5),
  ]),
};
