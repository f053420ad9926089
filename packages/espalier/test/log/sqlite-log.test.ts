/** The log in SQLite that the guide shows. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { pageFile } from "../../../../test/docs/page-files.ts";
import { bundleProgram } from "./bundle-program.ts";

const program = `
import { component, f32 } from "espalier";
import { openSqliteLog } from "./sqlite-log.ts";
const Health = component("Health", { hp: f32(100) });
const file = process.argv[2];
for (let life = 0; life < 4; life++) {
  const log = openSqliteLog(file, [Health]);
  console.log(JSON.stringify([...log.world.query(Health)].map((entity) => log.world.get(entity, Health).hp)));
  log.world.spawn(Health({ hp: life }));
  if (life === 1) log.snapshot();
  else log.append();
  log.world.spawn(Health({ hp: life + 0.5 }));
  log.append();
  log.close();
}
`;

it("the log in SQLite of the guide restores a world", async () => {
  // Inside node_modules, where the program finds the database.
  const dir = fileURLToPath(new URL("../../../../node_modules/.cache/espalier/sqlite-log/", import.meta.url));
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  await bundleProgram("main", join(dir, "main.mjs"), {
    main: program,
    "./sqlite-log.ts": pageFile("docs/guide/world-log.md", "sqlite-log.ts"),
  });
  const output = execFileSync(process.execPath, [join(dir, "main.mjs"), join(dir, "world.db")], {
    encoding: "utf8",
  });
  expect(output.trim().split("\n")).toEqual(["[]", "[0,0.5]", "[0,0.5,1,1.5]", "[0,0.5,1,1.5,2,2.5]"]);
});
