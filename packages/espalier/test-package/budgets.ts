/**
 * How large programs are that users write: bytes after minifying and gzip, in a production build.
 *
 * An aim is what such a program should come to; a limit is what it may, a little above what it has. Raise a limit in the commit that
 * needs it, and say here what the bytes buy; lower it in one that saves them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/workspace.mjs";

export interface Budget {
  title: string;
  /** In bytes; 1 kB is 1,000. */
  aim: number;
  limit: number;
  reason: string;
}

/** A budget whose program is here, and is bundled against the packed library. */
export interface ProgramBudget extends Budget {
  /** The program, in TypeScript. */
  code: string;
}

export const budgets: readonly ProgramBudget[] = [
  {
    title: "a world and one query",
    code: `
      import { component, createWorld, f32 } from "espalier";
      const Position = component("Position", { x: f32(), y: f32() });
      const Speed = component("Speed", { x: f32(), y: f32() });
      const world = createWorld();
      world.spawn(Position, Speed({ x: 1, y: 2 }));
      world.query(Position, Speed).update((at, speed) => {
        at.x += speed.x;
        at.y += speed.y;
      });`,
    aim: 19_000,
    limit: 20_900,
    reason:
      "Entities, components with what they require, bundles, queries with generated loops, resources, hooks of rooms, and the kinds of fields that are used. Change readers, observers, guards, change terms, sorted queries, bulk calls and tables come with their imports. `World` is one object, so its methods come together.",
  },
  {
    title: "a world, a hierarchy and 2D transforms",
    code: `
      import { createWorld } from "espalier";
      import { createHierarchy } from "espalier/hierarchy";
      import { createTransforms2D } from "espalier/transform";
      const tree = createHierarchy(createWorld());
      const space = createTransforms2D(tree);
      const tank = tree.world.spawn(space.at(100, 0));
      const turret = tree.attachNew(tank, space.at(0, 20));
      space.setPosition(tank, 200, 0);
      console.log(space.worldPosition(turret));`,
    aim: 48_000,
    limit: 51_000,
    reason:
      "Ordered trees with events and names, and transforms that are right at once. Further edits, walks and listeners are functions; WebAssembly kernels, limits of depth and other forms of links are loaded or named by those who want them.",
  },
  {
    title: "the program of the README",
    code: readmeProgram(),
    aim: 55_000,
    limit: 51_000,
    reason: "As it is printed there: today the rooms of the program above.",
  },
  {
    title: "a game with a canvas and one shape",
    code: `
      import { createCanvasRenderer } from "espalier/canvas";
      import { createGame } from "espalier/game";
      import { Shape } from "espalier/render";
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const game = createGame({ renderer: ({ space }) => createCanvasRenderer(space, { canvas }) });
      game.spawn(game.space.at(100, 100), Shape({ kind: "circle", width: 50 }));
      game.start();`,
    aim: 105_000,
    limit: 100_200,
    reason:
      "The rooms of the core wired together with input, behaviours, states and the canvas renderer, which draws on the screen too and turns tiles. Scene files, assets, timers, undo and particles come with their options, relations with `indexedRef`.",
  },
  {
    title: "a game with a canvas that loads scene files",
    code: `
      import { createGame, loadOnlyScenes, onCanvas } from "espalier/game";
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const game = createGame({ renderer: onCanvas(canvas), scenes: loadOnlyScenes({ level: "level.json" }) });
      game.load("level").then(() => game.start());`,
    aim: 120_000,
    limit: 128_400,
    reason:
      "Reading scene files with the places of all their problems, prefabs with overrides and of several others (1 kB), migrations, and taking back what was refused: 28 kB.",
  },
  {
    title: "a game with a canvas that loads and saves scene files",
    code: `
      import { createGame, onCanvas, sceneFiles } from "espalier/game";
      const canvas = document.querySelector("canvas") as HTMLCanvasElement;
      const game = createGame({ renderer: onCanvas(canvas), scenes: sceneFiles({ level: "level.json" }) });
      game.load("level").then((scene) => console.log(scene.save()));`,
    aim: 130_000,
    limit: 149_000,
    reason:
      "The same with writing, also line by line and in slices, reloading, overrides that are applied and reverted, the record that rolls these back, copies and the JSON Schema.",
  },
];

/** What `npx @espalier/cli new` makes, after its `vite build`: all of its JavaScript. */
export const templateBudget: Budget = {
  title: "the template",
  aim: 120_000,
  limit: 132_000,
  reason:
    "A game that loads scenes, with a prefab and a behaviour, on a canvas, and the WebAssembly kernel that large worlds fetch. Scene files are 28 kB of it.",
};

/** How much more than the template the one called `complete` may be: all of its JavaScript, the map and the prefabs in it too. */
export const completeBudget: Budget = {
  title: "the template complete, beyond the template",
  aim: 40_000,
  limit: 47_400,
  reason:
    "Sprite animation, sound, assets, states, text on the screen, and the stick for fingers: 27 kB. It also saves its level, and the template only loads: 20 kB.",
};

/** The first program of the README, as it stands there. */
function readmeProgram(): string {
  const text = readFileSync(join(root, "README.md"), "utf8");
  return /^```ts\n(.*?)^```$/ms.exec(text)![1]!;
}
