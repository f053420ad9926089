/** The game without a page: states, sounds, the level. `main.ts` gives it a screen; tests run it as it is. */
import { animationPart, readAtlas } from "espalier/animation";
import { type AudioOutput, Listener, Sound, soundPart } from "espalier/audio";
import {
  assetFiles,
  createGame,
  type EntityObject,
  type GameOptions,
  InState,
  State,
  sceneFiles,
} from "espalier/game";
import { Camera, OnScreen, TextBlock } from "espalier/render";
import type { Scene, SceneFile } from "espalier/scene";
import coin from "../assets/coin.wav?url";
import over from "../assets/over.wav?url";
import sheet from "../assets/sprites.json";
import sprites from "../assets/sprites.png?url";
import theme from "../assets/theme.wav?url";
import tiles from "../assets/tiles.png?url";
import level from "../maps/level.tmj?scene";
import { Bat, Caught, content, Hero, Taken } from "./content.ts";

const prefabs = import.meta.glob<string>("../scenes/*.json", { query: "?raw", import: "default" });

export interface CaveOptions extends Pick<GameOptions, "renderer"> {
  /** Plays sounds; if left out, they are only recorded. */
  readonly output?: AudioOutput;
  /** A level that was saved. */
  readonly saved?: string | undefined;
}

/** Makes the game, in the state "menu". `load()` fetches what the level needs, and puts it there. */
export function createCave({ renderer, output, saved }: CaveOptions = {}) {
  const game = createGame({
    ...content,
    ...(renderer === undefined ? {} : { renderer }),
    scenes: sceneFiles({ ...prefabs, level: saved ?? level }),
    assets: assetFiles({ tiles, coin, over, theme, sprites: { atlas: sheet, image: sprites } }),
    parts: {
      animations: animationPart({ atlases: { sprites: readAtlas(sheet) } }),
      sounds: soundPart(output, { buses: { music: 0.5, effects: 1 } }),
    },
  });
  const { sounds } = game.parts;

  // What is there in which state, and when time passes for it. Pausing is a state: its key ends it too.
  const flow = game.spawn(State({ now: "menu" }));
  const cave = flow.spawn(InState({ present: ["playing", "paused", "over"], running: ["playing"] }));
  const camera = game.spawn(game.space.at(160, -96), Camera({ width: 320, height: 192 }), Listener);
  const score = cave.spawn(
    OnScreen({ anchorY: 1 }),
    game.space.at(12, -12),
    TextBlock({ text: "0", size: 24, anchorX: 0, anchorY: 0 }),
  );

  const now = () => flow.get(State).now;
  const go = (state: string) => flow.set(State, { now: state });
  let scene: Scene | undefined;
  let things: readonly EntityObject[] = [];
  const hero = () => things.find((thing) => thing.has(Hero))!;

  /** Puts everything back to its position in the map. */
  function restart(): void {
    for (const { id, components } of (level as SceneFile).entities) {
      const thing = things.find((each) => scene?.idOf(each.id) === id);
      if (thing === undefined) continue;
      thing.isActive = true;
      const { x = 0, y = 0 } = (components?.Transform2D ?? {}) as { x?: number; y?: number };
      thing.setPosition(x, y);
      if (thing.has(Bat)) thing.set(Bat, { way: 1 });
    }
    hero().set(Hero, { score: 0 });
  }

  game.system("flow", () => {
    if (game.input.pressed("start")) {
      if (now() === "over") restart();
      if (now() !== "playing") go("playing");
    } else if (game.input.pressed("pause") && now() !== "menu" && now() !== "over")
      go(now() === "paused" ? "playing" : "paused");
    if (things.length > 0) score.set(TextBlock, { text: String(hero().get(Hero).score) });
  });
  game.listenFor(Taken, () => sounds.play("coin", { bus: "effects" }));
  game.listenFor(Caught, () => {
    if (now() !== "playing") return;
    sounds.play("over", { bus: "effects" });
    go("over");
  });

  return {
    game,
    camera,
    flow,
    sounds,
    hero,
    now,
    /** Loads everything, with a number from 0 to 1 for a bar. */
    async load(onProgress: (part: number) => void = () => {}) {
      await game.preload(undefined, { onProgress: ({ fraction }) => onProgress(fraction) });
      cave.add(Sound({ sound: "theme", loop: true, bus: "music" }));
      scene = await game.load("level", { parent: cave });
      things = cave.children.find(({ name }) => name === "things")!.children;
      return scene;
    },
  };
}
