import { type AssetKind, asset, component } from "espalier";
import { animationPart, SpriteAnimation } from "espalier/animation";
import { createSoundRecorder, Sound, soundPart } from "espalier/audio";
import {
  AssetLoadError,
  type AssetProgress,
  assetFiles,
  createGame,
  InvalidGameError,
  LoadCancelledError,
  MissingPartError,
  sceneFiles,
} from "espalier/game";
import { Sprite } from "espalier/render";
import { beforeEach, describe, expect, it } from "vitest";

const Portrait = component("Portrait", { picture: asset("picture") });

const sheet = {
  frames: { a: { frame: { x: 0, y: 0, w: 8, h: 8 } }, b: { frame: { x: 8, y: 0, w: 8, h: 8 } } },
  animations: { run: ["a", "b"] },
  meta: { image: "hero.png" },
};

/** What was fetched, and what answers there are; others are 404. */
let fetched: string[];
let answers: { [address: string]: () => Response | Promise<Response> };
const fetch = async (address: string) => {
  fetched.push(address);
  return (await answers[address]?.()) ?? new Response("", { status: 404, statusText: "Not Found" });
};
beforeEach(() => {
  fetched = [];
  answers = {};
});

const text = (body: string) => () =>
  new Response(body, { headers: { "content-length": String(body.length) } });

/** A kind of file that writes down what is done with it. */
function notes() {
  const calls: string[] = [];
  const kind: AssetKind = {
    kind: "picture",
    endings: ["pic"],
    has: (name) => name === "given",
    async read({ name, blob }) {
      const held = await blob!.text();
      if (held === "broken") throw new Error("it is broken");
      return {
        value: held,
        use: () => void calls.push(`use ${name}`),
        free: () => void calls.push(`free ${name}`),
      };
    },
  };
  return { calls, kinds: [kind] };
}

const scene = (...pictures: string[]) => ({
  entities: [
    {
      id: "level",
      children: pictures.map((picture, k) => ({ id: `e${k}`, components: { Portrait: { picture } } })),
    },
  ],
});

describe("game.preload", () => {
  it("loads what a scene uses, reports progress up to exactly 1, and fetches nothing the second time", async () => {
    const { calls, kinds } = notes();
    answers = { "x/a.pic": text("aaaa"), "x/b.pic": text("bb"), "x/c.pic": () => new Response("c") };
    let texts = 0;
    const game = createGame({
      components: [Portrait],
      assets: assetFiles({ first: "a.pic", third: ["c.nope", "c.pic"] }, { base: "x/", fetch, kinds }),
      scenes: sceneFiles({
        level: () => {
          texts++;
          return scene("first", "b.pic", "first", "given", "third", "");
        },
      }),
    });
    const steps: AssetProgress[] = [];
    await game.preload("level", { onProgress: (step) => steps.push(step) });
    expect(fetched.sort()).toEqual(["x/a.pic", "x/b.pic", "x/c.pic"]);
    expect(calls).toEqual(["use first", "use b.pic", "use third"]);
    expect(steps.at(-1)).toEqual({ done: 4, total: 4, bytes: 7, totalBytes: 7, fraction: 1 });
    expect(steps.filter(({ fraction }) => fraction === 1)).toHaveLength(1);
    const fractions = steps.map(({ fraction }) => fraction);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(game.assets.get("first")).toBe("aaaa");
    expect([game.assets.has("b.pic"), game.assets.has("given"), game.assets.get("no")]).toEqual([
      true,
      false,
      undefined,
    ]);

    await game.preload("level");
    await game.load("level");
    await game.preload(["first"]);
    expect(fetched).toHaveLength(3);
    expect(texts).toBe(1);
    expect(calls).toHaveLength(3);

    // A text that was fetched ahead is used once: it may have changed since.
    await game.load("level");
    expect(texts).toBe(2);
    expect(fetched).toHaveLength(3);
  });

  it("takes addresses that a part has by itself as they are, and refuses sources that lead to nothing", async () => {
    const { kinds } = notes();
    answers = { "own/hm.pic": text("hm") };
    const own = { ...kinds[0]!, where: (name: string) => (name === "hm" ? ["own/hm.pic"] : undefined) };
    const game = createGame({
      components: [Portrait],
      assets: assetFiles({ none: { json: undefined } }, { fetch, kinds: [own] }),
      scenes: sceneFiles({ level: scene("hm") }),
    });
    await game.preload("level");
    expect(fetched).toEqual(["own/hm.pic"]);
    const error: AssetLoadError = await game.preload(["none"]).catch((thrown) => thrown);
    expect(error.failures.map(({ reason }) => reason)).toEqual([
      "its source has neither an address nor a value",
    ]);
    expect(fetched).toHaveLength(1);
  });

  it("lists all that failed in one error, with address, status and entity, and uses nothing; retry fetches the rest", async () => {
    const { calls, kinds } = notes();
    answers = {
      "a.pic": text("good"),
      "b.pic": text("broken"),
      "c.pic": () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
      "d.pic": () => new Response("short", { headers: { "content-length": "99" } }),
      "e.pic": () => Promise.reject(new TypeError("offline")),
    };
    const game = createGame({
      components: [Portrait],
      assets: assetFiles({ good: "a.pic" }, { fetch, kinds }),
      scenes: sceneFiles({ "level.json": scene("good", "b.pic", "c.pic", "d.pic", "e.pic", "f.pic", "god") }),
    });
    const error: AssetLoadError = await game.preload("level").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AssetLoadError);
    expect(error.code).toBe("game/asset-load");
    const said = error.failures.map(({ name, address, status, reason, path }) => [
      name,
      address,
      status,
      reason,
      path,
    ]);
    expect(said.sort()).toEqual([
      ["b.pic", "b.pic", undefined, "it is broken", "/level/e1"],
      [
        "c.pic",
        "c.pic",
        200,
        "the response is a page (text/html): the file probably does not exist",
        "/level/e2",
      ],
      ["d.pic", "d.pic", 200, "the response was cut off after 5 of 99 bytes", "/level/e3"],
      ["e.pic", "e.pic", undefined, "it cannot be reached: offline", "/level/e4"],
      ["f.pic", "f.pic", 404, "the response is 404 Not Found", "/level/e5"],
      [
        "god",
        undefined,
        undefined,
        'there is no asset with that name, and it is not the address of a file. Did you mean "good"?',
        "/level/e6",
      ],
    ]);
    expect(error.message).toContain("6 files are missing or broken");
    expect(error.message).toContain(
      "f.pic: the response is 404 Not Found; /level/e5 needs it as Portrait.picture, in level.json",
    );
    expect([calls, game.assets.has("good")]).toEqual([[], false]);
    await expect(game.load("level")).rejects.toThrow(AssetLoadError);
    expect(game.world.count).toBe(0);

    fetched = [];
    game.assets.add({ god: "g.pic" });
    for (const name of ["b", "c", "d", "e", "f", "g"]) answers[`${name}.pic`] = text(name);
    await error.retry();
    expect(fetched.sort()).toEqual(["b.pic", "c.pic", "d.pic", "e.pic", "f.pic", "g.pic"]);
    expect(calls).toContain("use good");
    expect(calls).toHaveLength(7);
  });

  it("is cancelled by a signal and by the end of the game; a file that two calls wait for continues for the other", async () => {
    const { calls, kinds } = notes();
    let release = () => {};
    const aborted: boolean[] = [];
    const slow = (address: string, { signal }: { signal: AbortSignal }) =>
      new Promise<Response>((resolve, reject) => {
        fetched.push(address);
        release = () => resolve(new Response("done"));
        signal.addEventListener("abort", () => {
          aborted.push(true);
          reject(signal.reason);
        });
      });
    const game = createGame({ assets: assetFiles({ a: "a.pic" }, { fetch: slow, kinds }) });
    const cancel = new AbortController();
    const first = game.preload(["a"], { signal: cancel.signal });
    const second = game.preload(["a"]);
    cancel.abort();
    await expect(first).rejects.toThrow(LoadCancelledError);
    expect(aborted).toEqual([]);
    release();
    await second;
    expect([fetched, calls]).toEqual([["a.pic"], ["use a"]]);

    game.assets.unload("a");
    const third = game.preload(["a"]);
    game.stop();
    await expect(third).rejects.toThrow(LoadCancelledError);
    expect(aborted).toEqual([true]);
    await expect(game.preload(["a"])).rejects.toThrow("the game was stopped");
    const late = createGame({ assets: assetFiles({}, { kinds }) });
    await expect(late.preload([], { signal: AbortSignal.abort() })).rejects.toThrow(LoadCancelledError);
  });

  it("frees by name, and without names what no entity uses", async () => {
    const { calls, kinds } = notes();
    answers = { "a.pic": text("a"), "b.pic": text("b"), "c.pic": text("c") };
    const game = createGame({ assets: assetFiles({ a: "a.pic", b: "b.pic", c: "c.pic" }, { fetch, kinds }) });
    await game.preload();
    game.spawn(Portrait({ picture: "b" }));
    calls.length = 0;
    expect(game.assets.unload(["a"])).toEqual(["a"]);
    expect(game.assets.unload()).toEqual(["c"]);
    expect(calls).toEqual(["free a", "free c"]);
    expect(game.assets.unload("nothing")).toEqual([]);
    game.stop();
    expect(calls).toEqual(["free a", "free c", "free b"]);
  });

  it("reads again what was freed while other files were on their way, also for a retry", async () => {
    const { calls, kinds } = notes();
    let release = () => {};
    answers = {
      "a.pic": text("a"),
      "b.pic": () => new Promise((resolve) => (release = () => resolve(text("b")() as Response))),
    };
    const game = createGame({ assets: assetFiles({ a: "a.pic", b: "b.pic" }, { fetch, kinds }) });
    await game.preload(["a"]);
    const totals: number[] = [];
    const loading = game.preload(["a", "b"], { onProgress: ({ total }) => void totals.push(total) });
    await new Promise((done) => setTimeout(done));
    game.assets.unload();
    expect(game.assets.has("a")).toBe(false);
    release();
    await loading;
    expect(calls).toEqual(["use a", "free a", "use a", "use b"]);
    expect(fetched).toEqual(["a.pic", "b.pic", "a.pic"]);
    expect(Math.max(...totals)).toBe(2);

    game.assets.unload("b");
    delete answers["b.pic"];
    const error: unknown = await game.preload(["a", "b"]).catch((thrown) => thrown);
    if (!(error instanceof AssetLoadError)) throw error;
    game.assets.unload("a");
    answers["b.pic"] = text("b");
    calls.length = 0;
    await error.retry();
    expect(calls.sort()).toEqual(["use a", "use b"]);
    expect(fetched.filter((address) => address === "a.pic")).toHaveLength(3);
  });

  it("needs the option assets, and scenes for the name of one", async () => {
    await expect(createGame().preload("level")).rejects.toThrow(MissingPartError);
    expect(() => createGame().assets).toThrow("createGame({ assets: assetFiles({ … }) })");
    await expect(createGame({ assets: assetFiles() }).preload("level")).rejects.toThrow(
      "made without scenes",
    );
  });

  it("refuses sources that lead nowhere", () => {
    for (const source of [5, "", [], {}, null]) {
      expect(() => createGame({ assets: assetFiles({ a: source as string }) })).toThrow(InvalidGameError);
    }
    expect(() => assetFiles("hero" as never)).toThrow("Cannot use assets");
    expect(() => assetFiles({}, { bas: "x" } as never)).toThrow('Did you mean "base"?');
    expect(() => assetFiles({}, { kinds: [{}] as never })).toThrow("kind, endings and read");
  });
});

describe("assets of a game without pixels", () => {
  it("are read where they are JSON, and pictures and sounds are not fetched", async () => {
    answers = { "art/hero.json": text(JSON.stringify(sheet)), "waves.json": text("[1, 2]") };
    const game = createGame({
      parts: { animations: animationPart(), sounds: soundPart(createSoundRecorder()) },
      assets: assetFiles(
        { hero: "art/hero.json", boom: ["boom.webm", "boom.m4a"], waves: { json: "waves.json" } },
        { fetch },
      ),
      scenes: sceneFiles({
        level: {
          entities: [
            { id: "hero", components: { Sprite: { texture: "hero" }, SpriteAnimation: { clip: "run" } } },
            {
              id: "tree",
              components: {
                Sprite: { texture: "tree.png" },
                Sound: { sound: "boom" },
                TextBlock: { font: "Arial" },
              },
            },
          ],
        },
      }),
    });
    await game.preload("level");
    expect(fetched).toEqual(["art/hero.json"]);
    await game.preload();
    expect(fetched).toEqual(["art/hero.json", "waves.json"]);
    expect(game.assets.get("waves")).toEqual([1, 2]);
    const loaded = await game.load("level");
    game.step(7);
    expect(game.entity(loaded.entity("hero")).get(Sprite).frame).toBe("b");
    expect(game.parts.animations.find("hero")?.clips.run?.frames).toEqual(["a", "b"]);
    expect([SpriteAnimation.name, Sound.name]).toEqual(["SpriteAnimation", "Sound"]);
  });

  it("take JSON that the program has, and say what does not fit", async () => {
    const game = createGame({
      parts: { animations: animationPart() },
      assets: assetFiles(
        {
          hero: { atlas: sheet, fps: 5 },
          bad: { atlas: { frames: 3 } },
          odd: "odd.foo",
          data: { json: { a: 1 } },
        },
        { fetch },
      ),
      scenes: sceneFiles({ level: { entities: [{ id: "x", components: { Sprite: { texture: "data" } } }] } }),
      renderer: () => ({ render() {}, dispose() {}, textures: { add() {}, remove() {}, has: () => false } }),
    });
    const error: AssetLoadError = await game
      .preload(["hero", "bad", "odd", "nope"])
      .catch((thrown) => thrown);
    expect(error.failures.map(({ name }) => name)).toEqual(["odd", "nope", "bad", "hero"]);
    // The picture of the sheet is wanted here, and is not there.
    expect(error.failures.at(-1)).toMatchObject({ address: "hero.png", kind: "texture", status: 404 });
    await expect(game.preload("level")).rejects.toThrow(
      "it is listed as json, and Sprite.texture names a texture",
    );
  });
});
