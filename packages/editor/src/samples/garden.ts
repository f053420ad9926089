/** A garden with an espalier: deep branches that sway. */
import { box, disc, type Node, sceneText } from "./build-scene.ts";
import type { Sample } from "./sample.ts";

const pear = sceneText([
  {
    name: "pear",
    at: [0, 0],
    with: { Shape: { kind: "ellipse", width: 12, height: 15, fill: "#d8c65a" } },
    children: [
      {
        name: "leaf",
        at: [5, -8],
        turn: 35,
        with: { Shape: { kind: "ellipse", width: 10, height: 5, fill: "#6fa35a" } },
      },
    ],
  },
]);

function branch(tier: number, side: -1 | 1): Node {
  const name = `${side < 0 ? "left" : "right"} branch ${tier}`;
  const length = 130 - tier * 14;
  return {
    name,
    at: [0, -40 - tier * 62],
    with: { Sway: { x: 0, y: 2, seconds: 4, phase: tier / 4 } },
    children: [
      {
        name: `${name} wood`,
        at: [(side * length) / 2, 0],
        with: { Shape: box(length, 8 - tier, "#7a5a3d", 3) },
      },
      ...[0.35, 0.65, 0.95].map(
        (part, k): Node => ({
          name: `${name} twig ${k + 1}`,
          at: [side * length * part, -12],
          with: {
            Shape: { kind: "ellipse", width: 30, height: 22, fill: k % 2 === 0 ? "#5c8f4c" : "#6ba158" },
          },
          children: k === 1 ? [{ name: `${name} pear`, at: [2, 16], prefab: "pear" }] : [],
        }),
      ),
    ],
  };
}

export const garden: Sample = {
  id: "garden",
  art: "linear-gradient(180deg, #a9c7d6 0 30%, #c7876a 30% 80%, #5c8f4c 80%)",
  prefabs: { pear },
  scene: sceneText([
    {
      name: "backdrop",
      at: [0, -120],
      with: { ZIndex: { z: -10 }, Shape: box(640, 460, "#a9c7d6", 10) },
      children: [
        { name: "wall", at: [0, 40], with: { Shape: box(560, 300, "#bd8468") } },
        { name: "lawn", at: [0, 200], with: { Shape: box(640, 60, "#5c8f4c") } },
        { name: "sun disc", at: [240, -180], with: { Shape: disc(24, "#ffe08a") } },
      ],
    },
    {
      name: "espalier",
      at: [0, 60],
      children: [
        { name: "trunk", at: [0, -120], with: { Shape: box(14, 250, "#6b4e34", 5) } },
        ...[0, 1, 2].flatMap((tier) => [branch(tier, -1), branch(tier, 1)]),
      ],
    },
    {
      name: "trellis",
      at: [0, 0],
      with: { Visibility: { mode: "hidden" } },
      children: [{ name: "wire", at: [0, 20], with: { Shape: box(420, 2, "#ccd2d6") } }],
    },
  ]),
};
