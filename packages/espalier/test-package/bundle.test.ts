import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { publicNames } from "../../../scripts/public-names.mjs";
import { coreRooms, mayDepend, mayImport } from "../../../test/structure/rooms.ts";
import { budgets } from "./budgets.ts";
import { bundle } from "./bundle.ts";
import { installPacked, type Project } from "./packed.ts";

let project: Project;
beforeAll(() => {
  project = installPacked();
});
afterAll(() => project?.remove());

describe("a bundle", () => {
  it.each(Object.entries(mayImport).filter(([room]) => room !== "ecs" && coreRooms.includes(room)))(
    "of espalier/%s contains no code of rooms it does not depend on",
    async (room, below) => {
      const { sources } = await bundle(project, `export * from "espalier/${room}";`, {
        minify: false,
        trustSideEffects: true,
      });
      const rooms = new Set(sources.map((source) => source.split("/")[1]));
      expect([...rooms].filter((other) => other !== room && !below.includes(other!))).toEqual([]);
    },
  );

  it("keeps the names of errors when it is minified", async () => {
    const program = `
      import * as espalier from "espalier";
      import * as hierarchy from "espalier/hierarchy";
      import * as history from "espalier/history";
      import * as scene from "espalier/scene";
      import * as transform from "espalier/transform";
      class OwnError extends espalier.EspalierError {}
      const named = Object.entries({ ...espalier, ...hierarchy, ...history, ...scene, ...transform }).filter(([name]) => name.endsWith("Error"));
      export const names = named.map(([name, Class]) => [name, Object.create(Class.prototype).name]);
      export const own = new OwnError("own/error", "Mine.").name === OwnError.name;
      try { espalier.createWorld().get(77); } catch (error) { names.push(["DeadEntityError", error.name]); }
      names.push(["EspalierError", new espalier.EspalierError("own/error", "Mine.").name]);
    `;
    const { code } = await bundle(project, program, { minify: true, trustSideEffects: true });
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { names, own } = (await import(/* @vite-ignore */ url)) as {
      names: [string, string][];
      own: boolean;
    };
    expect(names.length).toBeGreaterThan(40);
    for (const [exported, name] of names) expect(name).toBe(exported);
    expect(own).toBe(true);
  });

  it("of espalier is traced back to its sources", async () => {
    const { sources } = await bundle(project, `export * from "espalier";`, {
      minify: false,
      trustSideEffects: true,
    });
    expect(sources.length).toBeGreaterThan(0);
  });

  it.each(publicNames().filter(({ entry }) => !(entry in mayDepend)))(
    "that imports $name and uses nothing is empty",
    async ({ name }) => {
      const { code } = await bundle(project, `import * as unused from "${name}";`, {
        minify: true,
        trustSideEffects: false,
      });
      expect(code.trim()).toBe("");
    },
  );

  it.each([
    ["scenes", "sceneFiles()", "", "LoadFailedError"],
    ["scenes", "loadOnlyScenes()", "", "LoadFailedError"],
    ["timers", "createTimers", "", "InvalidTimerError"],
    [
      "history",
      "({ world }) => createHistory(world)",
      `import { createHistory } from "espalier/history";`,
      "HistoryBusyError",
    ],
    [
      "particles",
      "({ space }) => createParticles(space)",
      `import { createParticles } from "espalier/render";`,
      "burst(",
    ],
    ["assets", "assetFiles({})", "", "AssetLoadError"],
    ["renderer", "onCanvas(document.querySelector('canvas'))", "", "drawImage"],
    [
      "physics",
      "({ space }) => createPhysics(space, {})",
      `import { createPhysics } from "espalier/physics";`,
      "BodyOnChildError",
    ],
    ["parts", "{ tiles: tileColliderPart() }", "", "TileColliderChunk"],
    ["parts", "{ sounds: soundPart() }", `import { soundPart } from "espalier/audio";`, "UnknownSoundError"],
    [
      "parts",
      "{ animations: animationPart() }",
      `import { animationPart } from "espalier/animation";`,
      "InvalidAtlasError",
    ],
    [
      "parts",
      "{ keyframes: keyframePart() }",
      `import { keyframePart } from "espalier/animation";`,
      "InvalidClipError",
    ],
    [
      "parts",
      "{ page: hostPart({ components: [] }) }",
      `import { hostPart } from "espalier/worker";`,
      "SharedArrayBuffer",
    ],
  ])(
    "of a game has the code behind the option %s only if it is given: %s",
    async (option, value, imports, marker) => {
      const options = { minify: true, trustSideEffects: true };
      const start = `import { assetFiles, createGame, createTimers, loadOnlyScenes, onCanvas, sceneFiles, tileColliderPart } from "espalier/game"; ${imports}`;
      const without = await bundle(project, `${start} console.log(createGame());`, options);
      const given = await bundle(
        project,
        `${start} console.log(createGame({ ${option}: ${value} }));`,
        options,
      );
      expect(given.gzipped).toBeGreaterThan(without.gzipped + 500);
      expect([without, given].map(({ code }) => code.includes(marker))).toEqual([false, true]);
    },
  );

  it("of references has the code of relations only if they are indexed", async () => {
    const options = { minify: true, trustSideEffects: true };
    const made = (field: string) =>
      bundle(
        project,
        `import { component, createWorld, ${field} } from "espalier";
         const Aim = component("Aim", { at: ${field}() });
         console.log(createWorld().spawn(Aim));`,
        options,
      );
    const plain = await made("entityRef");
    const indexed = await made("indexedRef");
    expect(indexed.gzipped - plain.gzipped).toBeGreaterThan(2_500);
    expect([plain, indexed].map(({ code }) => code.includes("referredBy"))).toEqual([false, true]);
  });

  it("of a game that only loads scenes has no code that saves, compares or records them", async () => {
    const options = { minify: true, trustSideEffects: true };
    const made = (files: string) =>
      bundle(
        project,
        `import { createGame, ${files} } from "espalier/game"; console.log(createGame({ scenes: ${files}() }));`,
        options,
      );
    const full = await made("sceneFiles");
    const lean = await made("loadOnlyScenes");
    // The last one is a member of the record of change.
    const markers = ["scene/unregistered-component", "scene/own-override", "json-schema.org", "changedEnd"];
    expect(markers.filter((marker) => !full.code.includes(marker))).toEqual([]);
    expect(markers.filter((marker) => lean.code.includes(marker))).toEqual([]);
    expect(full.gzipped - lean.gzipped).toBeGreaterThan(18_000);
  });

  it.each(budgets)(
    "of $title stays within its budget of $limit bytes",
    async ({ title, code, aim, limit }) => {
      const { gzipped } = await bundle(project, code, { minify: true, trustSideEffects: true });
      console.log(`${title}: ${gzipped} of ${limit} bytes (aim: ${aim})`);
      expect(gzipped).toBeLessThanOrEqual(limit);
    },
  );

  it.each(budgets)(
    "of $title is as small where only NODE_ENV says that it is for production",
    async ({ code }) => {
      const options = { minify: true, trustSideEffects: true };
      const byCondition = await bundle(project, code, options);
      const byNodeEnv = await bundle(project, code, { ...options, condition: "default" });
      expect(Math.abs(byNodeEnv.gzipped - byCondition.gzipped)).toBeLessThan(byCondition.gzipped / 100);
    },
  );
});
