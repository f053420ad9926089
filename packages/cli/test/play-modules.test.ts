import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { playModules, playOf } from "../src/play-modules.ts";

const folder = mkdtempSync(join(tmpdir(), "espalier-modules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, "project", name)), { recursive: true });
  writeFileSync(join(folder, "project", name), text);
}
const project = join(folder, "project");

describe("the modules of play", () => {
  it("are the one that the config names and what it imports, and no others", () => {
    write(
      "game/play.mjs",
      `import { behaviour } from "espalier/game";\nimport "./effects.js";\nexport { speed } from '../speed.mjs';\nconst later = () => import("./later.mjs");\n`,
    );
    write("game/effects.js", "import {\n  speed,\n} from '../speed.mjs';\n");
    write("game/later.mjs", "");
    write("game/unused.mjs", "");
    write("speed.mjs", "import './game/play.mjs'; export const speed = 1;");
    const { entry, files } = playModules("./game/play.mjs", project);
    expect(entry).toBe("game/play.mjs");
    expect(Object.keys(files).sort()).toEqual([
      "game/effects.js",
      "game/later.mjs",
      "game/play.mjs",
      "speed.mjs",
    ]);
  });

  it.each([
    ["a file that is missing", "./none.mjs", "", "there is no such file."],
    ["TypeScript", "./play.ts", "export {};", "a page runs JavaScript only."],
    ["a file outside of the folder", "../outside.mjs", "", "it lies outside of the folder of the config."],
    ["another package", "./packed.mjs", `import _ from "lodash";`, "it imports lodash"],
    ["a missing import", "./half.mjs", `import "./none.mjs";`, "none.mjs (half.mjs): there is no such file."],
  ])("refuse %s", (_, module, text, message) => {
    if (!module.includes("none")) write(module, text);
    expect(() => playModules(module, project)).toThrow(message);
  });

  it.skipIf(process.platform === "win32")("refuse a link that leads out", () => {
    writeFileSync(join(folder, "secret.mjs"), "");
    symlinkSync(join(folder, "secret.mjs"), join(project, "link.mjs"));
    expect(() => playModules("./link.mjs", project)).toThrow("it lies outside of the folder of the config.");
  });

  it("are left out of the data that is sent", () => {
    expect(playOf({ folder: project, play: { module: "./speed.mjs", step: 0.5 } })).toMatchObject({
      data: { step: 0.5 },
      modules: { entry: "speed.mjs" },
    });
    expect(playOf({ folder: project, play: { step: 0.5 } })).toEqual({
      data: { step: 0.5 },
      modules: undefined,
    });
    expect(() => playOf({ folder: project, play: { module: 3 } })).toThrow("play.module is the path");
  });
});
