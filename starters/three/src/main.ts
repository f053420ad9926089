import { createGame, hotReload, loadOnlyScenes, sceneFiles } from "espalier/game";
import { parts } from "./parts.ts";
import { makeRenderer } from "./renderer.ts";
import { scenes } from "./scenes.ts";

const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const game = createGame({
  ...parts,
  // While you work, saved scenes are carried into the game; the build only loads them. A game that saves scenes: sceneFiles alone.
  scenes: import.meta.env.DEV ? sceneFiles(scenes) : loadOnlyScenes(scenes),
  renderer: await makeRenderer(canvas),
});
hotReload(game, import.meta.hot);
await game.load("main");
game.start();

// For a look around in the console of the browser: game.find("/player").x
Object.assign(window, { game });
