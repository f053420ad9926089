/** The page: a canvas, menus in HTML, a stick for fingers, and what is kept between visits. */
import { openWebAudio } from "espalier/audio/web";
import { AssetLoadError, hotReload, onCanvas, StateEntered } from "espalier/game";
import nipplejs from "nipplejs";
import { Hero } from "./content.ts";
import { createCave } from "./game.ts";
import { readSettings, writeSettings } from "./settings.ts";

const $ = <E extends HTMLElement = HTMLElement>(selector: string) => document.querySelector(selector) as E;
const settings = readSettings();
const cave = createCave({
  renderer: onCanvas($<HTMLCanvasElement>("canvas"), { fit: "parent", smooth: false }),
  output: openWebAudio(),
  saved: settings.level,
});
const { game, flow, sounds, hero } = cave;
hotReload(game, import.meta.hot);

/** Shows the menu of a state: the elements that name it. */
function show(state: string): void {
  for (const menu of document.querySelectorAll<HTMLElement>("[data-state]"))
    menu.hidden = !menu.dataset.state!.split(" ").includes(state);
  $("#best").textContent = String(settings.best);
  $("#go-on").textContent = settings.level === undefined ? "Start" : "Go on";
}

function setVolume(volume: number): void {
  settings.volume = volume;
  sounds.setBus("master", volume);
  writeSettings(settings);
}

show("loading");
const scene = await cave
  .load((part) => {
    $<HTMLProgressElement>("progress").value = part;
  })
  .catch((error) => {
    if (error instanceof AssetLoadError) $("#problem").textContent = "Files are missing. Try again later.";
    else if (settings.level !== undefined) {
      // A level that this version of the game cannot read: forget it and begin anew.
      settings.level = undefined;
      writeSettings(settings);
      location.reload();
    }
    throw error;
  });

/** Saves the level, so that a reloaded page continues with it. */
function keep(): void {
  const isOver = cave.now() === "over";
  settings.best = Math.max(settings.best, hero().get(Hero).score);
  if (cave.now() !== "menu") settings.level = isOver ? undefined : scene.save();
  writeSettings(settings);
}

flow.on(StateEntered, ({ payload }) => {
  keep();
  show(payload.state);
});
addEventListener("pagehide", keep);
addEventListener("visibilitychange", () => {
  if (document.hidden && cave.now() === "playing") press("Escape");
});

/** Menus press keys, so that recordings contain them and the game has only one kind of input. */
function press(code: string): void {
  game.input.feed({ type: "key", code, down: true });
  game.input.feed({ type: "key", code, down: false });
}
for (const button of document.querySelectorAll<HTMLElement>("[data-press]"))
  button.addEventListener("click", () => press(button.dataset.press!));

const volume = $<HTMLInputElement>("#volume");
volume.value = String(settings.volume);
volume.addEventListener("input", () => setVolume(volume.valueAsNumber));
setVolume(settings.volume);

// The stick is a gamepad of its own.
const stick = nipplejs.create({ zone: $("#stick"), mode: "static", position: { left: "50%", top: "50%" } });
const lean = (x: number, y: number) =>
  game.input.feed({ type: "gamepad", index: 3, axes: [x, -y], buttons: [] });
stick.on("move", ({ data }) => lean(data.vector.x, data.vector.y));
stick.on("end", () => lean(0, 0));

game.start();
show("menu");

// For a look around in the console of the browser: game.find("/player").x
Object.assign(window, { game, cave });
