import { spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageFile } from "../../../test/docs/page-files.ts";
import { root } from "../../../test/structure/source-files.ts";
import { createFolder, type Folder, launcher } from "./binary.ts";

let folder: Folder;

beforeAll(() => {
  folder = createFolder();
  // The project of the guide to the editor.
  folder.write("espalier.config.mjs", pageFile("docs/guide/editor.md", "espalier.config.mjs"));
  folder.write("game/play.mjs", pageFile("docs/guide/editor.md", "game/play.mjs"));
  folder.write("game/walker.mjs", pageFile("docs/guide/editor.md", "game/walker.mjs"));
  mkdirSync(join(folder.dir, "node_modules"));
  symlinkSync(join(root, "packages/espalier"), join(folder.dir, "node_modules/espalier"), "junction");
  folder.write("game/other.mjs", "");
  folder.write("level.scene.json", `{ "entities": [{ "id": "tank" }] }`);
});
afterAll(() => {
  folder.remove();
});

describe("espalier edit", () => {
  it("refuses a missing file and an invalid port", () => {
    expect(folder.espalier("edit", "nothing.json")).toMatchObject({
      status: 2,
      stderr: "Cannot edit nothing.json: there is no such file.\n",
    });
    expect(folder.espalier("edit", "--port", "x").stderr).toContain(`Cannot use port "x"`);
    expect(folder.espalier("edit", "--help").stdout).toContain("espalier edit scenes/main.scene.json");
  });

  const isInstalled = existsSync(join(root, "node_modules/@espalier/editor"));

  it.runIf(isInstalled)("serves the editor with the scene and the components of the config", async () => {
    const child = spawn(process.execPath, [launcher, "edit", "level.scene.json", "--json", "--no-open"], {
      cwd: folder.dir,
    });
    try {
      const line = await new Promise<string>((resolve, reject) => {
        child.stdout.setEncoding("utf8").once("data", resolve);
        child.stderr.setEncoding("utf8").once("data", (text: string) => reject(new Error(text)));
      });
      const { url, open } = JSON.parse(line) as { url: string; open: string };
      expect(open).toBe("level.scene.json");
      const page = await (await fetch(url)).text();
      const headers = { "x-espalier-token": new URL(url).searchParams.get("token") as string };
      const get = (path: string) => fetch(new URL(path, url), { headers });
      const project = await (await get("/api/project")).json();
      expect(project).toMatchObject({ scenes: ["level.scene.json"], open: "level.scene.json" });
      const { components } = project as { components: { name: string }[] };
      expect(components.map(({ name }) => name)).toEqual(["Walker"]);
      // The project's own code for Play, and the library for it; nothing else of the project.
      expect(project).toMatchObject({
        play: { step: 1 / 120, physics: { gravity: { x: 0, y: 0 } } },
        module: "/own/game/play.mjs",
      });
      expect(page).toContain(`"espalier/game":"/rooms/espalier/game.js"`);
      for (const file of ["play", "walker"])
        expect((await get(`/own/game/${file}.mjs`)).headers.get("content-type")).toContain("javascript");
      expect((await get("/rooms/espalier/game.js")).status).toBe(200);
      expect((await get("/own/game/other.mjs")).status).toBe(404);
    } finally {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    }
  });

  const isShareable = isInstalled && existsSync(join(root, "node_modules/@espalier/collab"));

  it.runIf(isShareable)(
    "with --share serves the module that joins rooms, its engine, and a relay",
    async () => {
      const args = ["edit", "level.scene.json", "--json", "--no-open", "--share"];
      const child = spawn(process.execPath, [launcher, ...args], { cwd: folder.dir });
      try {
        const line = await new Promise<string>((resolve, reject) => {
          child.stdout.setEncoding("utf8").once("data", resolve);
          child.stderr.setEncoding("utf8").once("data", (text: string) => reject(new Error(text)));
        });
        const { url } = JSON.parse(line) as { url: string };
        const headers = { "x-espalier-token": new URL(url).searchParams.get("token") as string };
        const get = (path: string) => fetch(new URL(path, url), { headers });
        const { share } = (await (await get("/api/project")).json()) as { share: string };
        const module = await (await get(share)).text();
        const imported = [...module.matchAll(/^import .* from "([^"]+)";$/gm)].map(
          ([, name]) => name as string,
        );
        const page = await (await fetch(url)).text();
        const [, map = ""] = /<script type="importmap">(.*?)<\/script>/.exec(page) ?? [];
        const { imports } = JSON.parse(map) as { imports: { [name: string]: string } };
        // The page finds everything that the module needs.
        expect(imported).toContain("loro-crdt");
        for (const name of imported) expect((await get(imports[name] as string)).status, name).toBe(200);
        expect((await get("/api/share")).status).toBe(404);
      } finally {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGTERM");
        expect(await ended).toBe(0);
      }
    },
  );
});
