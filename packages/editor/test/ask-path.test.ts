import { describe, expect, it } from "vitest";
import { askPath, pathFrom } from "../src/shell/actions/ask-path.ts";
import { openText } from "../src/shell/actions/file-actions.ts";
import { App } from "../src/shell/app.ts";
import { Aim, Health, Rusty, tankPrefab } from "./open.ts";

const scene = `{ "version": 1, "entities": [{ "id": "a", "prefab": "tank" }] }`;

function createApp(): App {
  const app = new App({ components: [Health, Aim, Rusty] });
  const prefabs = { "levels/tank.prefab.json": tankPrefab };
  app.project = { scenes: ["levels/one.scene.json"], prefabs, images: [], isServed: true };
  openText(app, { name: "levels/one.scene.json", text: scene, path: "levels/one.scene.json" });
  return app;
}

describe("a path in the project", () => {
  it("gets the ending of scenes, and is refused where a file is", () => {
    const app = createApp();
    expect(pathFrom(app, " ./levels/two ")).toEqual({ path: "levels/two.scene.json" });
    expect(pathFrom(app, "levels\\two.json")).toEqual({ path: "levels/two.scene.json" });
    expect(pathFrom(app, "levels/")).toEqual({ refused: "Give the file a name." });
    expect(pathFrom(app, "levels/one")).toMatchObject({ refused: expect.stringContaining("already") });
  });

  it("is refused where a prefab of the scene would not be found", () => {
    const app = createApp();
    expect(pathFrom(app, "other/two")).toEqual({
      refused: "From that folder tank would be another prefab or none. Choose another folder.",
    });
    app.project = { ...app.project, prefabFolder: "levels" };
    expect(pathFrom(app, "other/two")).toEqual({ path: "other/two.scene.json" });
  });

  it("is offered under a name that no file has", async () => {
    const app = createApp();
    app.project = { ...app.project, scenes: ["main.scene.json", "main-2.scene.json"] };
    void askPath(app, "main.scene.json");
    expect(app.view.asked?.offered).toBe("main-3.scene.json");
    void askPath(app, "Other");
    expect(app.view.asked?.offered).toBe("other.scene.json");
  });

  it("is asked for once: a second question cancels the first", async () => {
    const app = createApp();
    const first = askPath(app, "One");
    const second = askPath(app, "Two");
    expect(await first).toBeUndefined();
    expect([app.view.overlay, app.view.asked?.offered]).toEqual(["save-as", "two.scene.json"]);
    app.view.asked?.answer("levels/two.scene.json");
    expect(await second).toBe("levels/two.scene.json");
    expect([app.view.overlay, app.view.asked]).toEqual(["none", undefined]);
  });
});
