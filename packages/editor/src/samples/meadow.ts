/** A meadow of images: sprites from prefabs, a flock that grazes, clouds that drift. */
import { box, type Node, sceneText } from "./build-scene.ts";
import { meadowArt } from "./meadow-art.ts";
import type { Sample } from "./sample.ts";

const sprite = (texture: string) => ({ Sprite: { texture: `${texture}.png` } });

const sheep = sceneText([
  { name: "sheep", at: [0, 0], with: { ...sprite("sheep"), Sway: { x: 3, y: 0, seconds: 3 } } },
]);

const tree = sceneText([
  {
    name: "tree",
    at: [0, 0],
    with: sprite("tree"),
    children: [{ name: "flower", at: [22, 36], with: sprite("flower") }],
  },
]);

const fence = (count: number): Node[] =>
  Array.from({ length: count }, (_, k) => ({
    name: `fence ${k + 1}`,
    at: [-224 + k * 64, 0] as const,
    with: sprite("fence"),
  }));

const flock = [
  [-150, 60, 0],
  [-90, 96, 0.3],
  [-34, 62, 0.5],
  [40, 104, 0.7],
] as const;

export const meadow: Sample = {
  id: "meadow",
  art: `center / 64px no-repeat url("${meadowArt["house.png"]}"), linear-gradient(180deg, #a9d0e6 0 55%, #7fb265 55%)`,
  images: meadowArt,
  prefabs: { sheep, tree },
  scene: sceneText([
    { name: "camera", at: [0, 0], with: { Camera: { zoom: 1 } } },
    {
      name: "land",
      at: [0, 0],
      with: { ZIndex: { z: -10 } },
      children: [
        { name: "sky", at: [0, -110], with: { Shape: box(640, 220, "#a9d0e6") } },
        { name: "grass", at: [0, 90], with: { Shape: box(640, 220, "#7fb265") } },
        { name: "path", at: [150, 80], with: { Shape: box(40, 160, "#d3b98a", 16) } },
      ],
    },
    {
      name: "clouds",
      at: [0, -150],
      children: [
        {
          name: "first cloud",
          at: [-200, 0],
          with: { ...sprite("cloud"), Sway: { x: 40, y: 0, seconds: 20 } },
        },
        {
          name: "second cloud",
          at: [60, -26],
          scale: 0.7,
          with: { ...sprite("cloud"), Sway: { x: 60, y: 0, seconds: 30 } },
        },
      ],
    },
    { name: "house", at: [150, -30], scale: 1.2, with: sprite("house") },
    {
      name: "orchard",
      at: [-160, -20],
      children: [
        { name: "old tree", at: [0, 0], scale: 1.2, prefab: "tree" },
        { name: "young tree", at: [90, 12], scale: 0.8, prefab: "tree" },
        { name: "far tree", at: [-90, -6], scale: 0.9, prefab: "tree" },
      ],
    },
    {
      name: "flock",
      at: [0, 0],
      children: flock.map(([x, y, phase], k) => ({
        name: `sheep ${k + 1}`,
        at: [x, y] as const,
        prefab: "sheep",
        with: { Sway: { phase } },
      })),
    },
    { name: "fences", at: [0, 160], with: { ZIndex: { z: 5 } }, children: fence(8) },
  ]),
};
