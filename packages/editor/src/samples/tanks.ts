/** Tanks from a prefab, a turret that follows a target, shots that come and go. */
import { box, disc, sceneText } from "./build-scene.ts";
import type { Sample } from "./sample.ts";

const tank = sceneText([
  {
    name: "tank",
    at: [0, 0],
    with: { Shape: box(64, 40, "#5d7a54", 6) },
    children: [
      { name: "left track", at: [0, -22], with: { Shape: box(68, 10, "#37402f", 3) } },
      { name: "right track", at: [0, 22], with: { Shape: box(68, 10, "#37402f", 3) } },
      {
        name: "turret",
        at: [-4, 0],
        with: { Shape: disc(14, "#7d9a6d"), ZIndex: { z: 1 } },
        children: [
          { name: "barrel", at: [24, 0], with: { Shape: box(32, 7, "#8fae7d", 2) } },
          { name: "hatch", at: [-3, 0], with: { Shape: disc(5, "#4c6443") } },
        ],
      },
    ],
  },
]);

const crate = sceneText([
  {
    name: "crate",
    at: [0, 0],
    with: { Shape: { ...box(26, 26, "#b08a57", 2), stroke: "#7d5f38", strokeWidth: 2 } },
    children: [{ name: "plank", at: [0, 0], turn: 45, with: { Shape: box(30, 4, "#8a6a40") } }],
  },
]);

export const tanks: Sample = {
  id: "tanks",
  art: "linear-gradient(135deg, #2f3d2a, #7d9a6d 60%, #b08a57)",
  prefabs: { tank, crate },
  scene: sceneText([
    { name: "camera", at: [0, 0], with: { Camera: { zoom: 1 } } },
    {
      name: "ground",
      at: [0, 0],
      with: { Shape: box(720, 440, "#3b4436", 12), ZIndex: { z: -10 } },
      children: [
        { name: "road", at: [0, 40], with: { Shape: box(720, 90, "#4a4d4a") } },
        {
          name: "pond",
          at: [-220, -130],
          with: { Shape: { kind: "ellipse", width: 150, height: 90, fill: "#3f6f86" } },
        },
        {
          name: "pad",
          at: [230, -120],
          with: { Shape: { ...box(130, 110, "#555a55", 8), stroke: "#c9b458", strokeWidth: 3 } },
        },
      ],
    },
    {
      name: "units",
      children: [
        { name: "alpha", at: [-200, 40], prefab: "tank", with: { Sway: { x: 60, y: 0, seconds: 6 } } },
        { name: "bravo", at: [40, -60], turn: 25, prefab: "tank", with: { Shape: { fill: "#8a5a4a" } } },
        { name: "charlie", at: [230, -120], turn: 90, scale: 1.2, prefab: "tank" },
      ],
    },
    {
      name: "crates",
      children: [
        { name: "crate a", at: [120, 130], prefab: "crate" },
        { name: "crate b", at: [150, 136], turn: 12, prefab: "crate" },
        { name: "crate c", at: [134, 104], turn: -8, prefab: "crate" },
      ],
    },
    {
      name: "gun emplacement",
      at: [-60, 150],
      with: { Shape: disc(22, "#56605a"), LookAt: { target: "alpha" } },
      children: [
        {
          name: "muzzle",
          at: [34, 0],
          with: {
            Shape: box(44, 8, "#9aa69d", 2),
            Spawner: { original: "shell", every: 0.4, life: 1.6, speed: 180 },
          },
        },
      ],
    },
    {
      name: "shell",
      at: [-60, 196],
      with: { Shape: disc(4, "#f0c674"), Note: { text: "The muzzle makes copies of this one." } },
    },
    {
      name: "title",
      at: [0, -196],
      with: { TextBlock: { text: "Tank yard", size: 26, bold: true, color: "#dfe8d8" } },
    },
  ]),
};
