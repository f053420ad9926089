/** Planets on spinning arms: what a hierarchy is for. */
import { box, disc, type Node, sceneText } from "./build-scene.ts";
import type { Sample } from "./sample.ts";

const planet = sceneText([
  {
    name: "planet",
    at: [0, 0],
    with: { Shape: disc(10, "#7aa2c9"), Spin: { degrees: 40 } },
    children: [{ name: "moon", at: [20, 0], with: { Shape: disc(3, "#cfd6dd") } }],
  },
]);

function arm(name: string, distance: number, degrees: number, radius: number, fill: string): Node {
  return {
    name: `${name} arm`,
    at: [0, 0],
    turn: distance * 3,
    with: { Spin: { degrees } },
    children: [{ name, at: [distance, 0], prefab: "planet", with: { Shape: { radius, fill } } }],
  };
}

export const solarSystem: Sample = {
  id: "solar-system",
  art: "radial-gradient(circle at 30% 55%, #ffd479 0 9%, #10182b 10% 40%, #1f2f4d 41% 42%, #10182b 43% 70%, #22345a 71%, #0d1322 72%)",
  prefabs: { planet },
  scene: sceneText([
    { name: "space", at: [0, 0], with: { Shape: box(900, 640, "#0f1526", 16), ZIndex: { z: -10 } } },
    {
      name: "sun",
      at: [0, 0],
      with: { Shape: { ...disc(34, "#ffc857"), stroke: "#ffe3a3", strokeWidth: 4 } },
      children: [
        arm("mercury", 64, 60, 5, "#b9a38c"),
        arm("venus", 96, 40, 8, "#d9b77e"),
        arm("earth", 138, 28, 10, "#5aa2d8"),
        arm("mars", 184, 20, 7, "#cc6b4e"),
        arm("jupiter", 250, 10, 20, "#c9a27a"),
      ],
    },
    {
      name: "comet",
      at: [-330, -220],
      turn: 30,
      with: {
        Shape: { kind: "ellipse", width: 36, height: 8, fill: "#dfeaf5" },
        Sway: { x: 200, y: 120, seconds: 9 },
      },
    },
    {
      name: "label",
      at: [0, 280],
      with: { TextBlock: { text: "Select an arm and turn it", size: 18, color: "#8fa3c4" } },
    },
  ]),
};
