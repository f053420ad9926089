/** What the tests call in the page: `window.harness`. */
import { animationPart } from "espalier/animation";
import { soundPart } from "espalier/audio";
import { openWebAudio } from "espalier/audio/web";
import {
  type AssetLoadError,
  type AssetProgress,
  assetFiles,
  createGame,
  onCanvas,
  sceneFiles,
} from "espalier/game";
import { createPixiRenderer } from "espalier/pixi";

export type Harness = typeof harness;

async function make(how: "canvas" | "pixi", base: string, textures: readonly string[], sound: string) {
  document.body.replaceChildren();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 64, height: 64 });
  document.body.append(canvas);
  const size = { width: 64, height: 64 };
  const pixi =
    how === "pixi"
      ? await (await import("pixi.js")).autoDetectRenderer({ canvas, ...size, preference: "webgl" })
      : undefined;
  const context = new OfflineAudioContext(2, 8000, 8000);
  const game = createGame({
    renderer: (made) =>
      pixi === undefined
        ? onCanvas(canvas, { ...size, resolution: 1 })(made)
        : createPixiRenderer(made.space, { renderer: pixi, load: false }),
    parts: { animations: animationPart(), sounds: soundPart(openWebAudio({ context })) },
    assets: assetFiles(
      {
        hero: "hero.json",
        boom: ["boom.wav", "boom.m4a"],
        effects: { sound: "boom.wav", parts: { hit: [0, 0.1], step: [0.1, 0.05] } },
        theme: { stream: "theme.wav" },
        vector: "vector.svg",
        letters: { font: "letters.woff2" },
      },
      { base },
    ),
    scenes: sceneFiles({
      level: {
        entities: [
          { id: "camera", components: { Transform2D: {}, Camera: {} } },
          ...textures.map((texture, k) => ({
            id: `sprite${k}`,
            components: {
              Transform2D: {},
              Sprite: { texture, ...(texture === "hero" ? { frame: "red" } : {}) },
            },
          })),
          ...(sound === "" ? [] : [{ id: "sound", components: { Transform2D: {}, Sound: { sound } } }]),
        ],
      },
    }),
    frames: null,
  });
  return { game, canvas };
}

const summary = (error: AssetLoadError) =>
  error.failures.map(
    ({ name, address, status, reason, path }) =>
      [name, new URL(address ?? "x:").pathname, status ?? 0, reason, path ?? ""] as const,
  );

const harness = {
  /** Loads a level, draws it, and reads the pixel in the middle of the page's canvas. */
  async show(how: "canvas" | "pixi", base: string, textures: readonly string[], sound: string) {
    const { game } = await make(how, base, textures, sound);
    const steps: AssetProgress[] = [];
    await game.preload("level", { onProgress: (step) => steps.push(step) });
    await game.load("level");
    game.step();
    Object.assign(window, { game });
    return { steps, clips: Object.keys(game.parts.animations.find("hero")?.clips ?? {}) };
  },
  /** Loads once more, then frees, then loads again. */
  async again() {
    const { game } = window as unknown as { game: Awaited<ReturnType<typeof make>>["game"] };
    await game.preload("level");
    const picture = game.assets.get("hero") === undefined ? undefined : game.renderer!.textures!;
    const before = game.renderer!.textures!.has("hero");
    game.unload("level");
    const freed = game.assets.unload();
    const after = game.renderer!.textures!.has("hero");
    game.step();
    await game.load("level");
    game.step();
    return { freed, before, after, isThere: picture?.has("hero") };
  },
  /** What the error lists; and whether anything was put to use. */
  async fail(base: string, textures: readonly string[], sound: string) {
    const { game } = await make("canvas", base, textures, sound);
    const error = await game.preload("level").then(
      () => undefined,
      (thrown: AssetLoadError) => thrown,
    );
    Object.assign(window, { error, game });
    return {
      failures: error === undefined ? [] : summary(error),
      used: textures.filter((name) => game.renderer!.textures!.has(name)),
      name: error?.name ?? "",
    };
  },
  async retry() {
    const { error, game } = window as unknown as {
      error: AssetLoadError;
      game: Awaited<ReturnType<typeof make>>["game"];
    };
    await error.retry();
    await game.load("level");
    return game.world.count;
  },
  async cancel(base: string) {
    const { game } = await make("canvas", base, ["slow.png"], "");
    const cancel = new AbortController();
    const loading = game.preload("level", {
      signal: cancel.signal,
      onProgress: ({ bytes }) => {
        if (bytes > 0) cancel.abort();
      },
    });
    return loading.then(
      () => "loaded",
      (error: Error) => `${error.name} ${game.renderer!.textures!.has("slow.png")}`,
    );
  },
  /** Sounds by name: which of them can be played. */
  async sounds(base: string, names: readonly string[]) {
    const { game } = await make("canvas", base, [], "");
    const failed: string[] = [];
    for (const name of names) {
      await game.preload([name]).catch((error: AssetLoadError) => {
        for (const failure of error.failures) failed.push(`${failure.name} ${failure.status ?? 0}`);
      });
    }
    const { output } = game.parts.sounds;
    const known = output.names();
    const seconds = ["boom", "hit", "step"].map((name) => output.secondsOf(name));
    game.assets.unload(["boom", "effects", "theme"]);
    return { known, seconds, failed, left: output.names() };
  },
};

Object.assign(window, { harness });
