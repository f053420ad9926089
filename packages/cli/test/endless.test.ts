import { expect, it } from "vitest";
import { importScene } from "../src/index.ts";
import { runIn, tempFolder } from "./folder.ts";

it("Godot resources that each refer twice to the next are read quickly", async () => {
  const { write } = tempFolder();
  const resources = Array.from(
    { length: 60 },
    (_, k) =>
      `[sub_resource type="Resource" id="${k}"]\n${k === 0 ? "" : `a = SubResource("${k - 1}")\nb = SubResource("${k - 1}")\n`}`,
  );
  const file = write(
    "a.tscn",
    `[gd_scene format=3]\n${resources.join("")}[node name="A" type="Node2D"]\nx = SubResource("59")\n`,
  );
  const { scene } = await importScene(file);
  expect(JSON.stringify(scene).length).toBeLessThan(10_000_000);
});

it("refuses a value of Godot that is nested millions of levels deep, with its line", async () => {
  const { write } = tempFolder();
  const file = write(
    "a.tscn",
    `[gd_scene format=3]\n[node name="A" type="Node2D"]\nx = ${"[".repeat(10_000_000)}`,
  );
  await expect(importScene(file)).rejects.toThrow(
    "a.tscn:3: This value is nested more than 1,000,000 levels deep.",
  );
});

it("lists what was not imported in short lines, however long the names of nodes are", async () => {
  const { dir, write } = tempFolder();
  const name = "n".repeat(1_000_000);
  write(
    "a.tscn",
    `[gd_scene format=3]\n[node name="A" type="Node2D"]\n[node name="${name}" parent="."]\n${name} = 1\n`,
  );
  const { status, stderr } = await runIn(dir, "import", "a.tscn");
  expect(status).toBe(0);
  expect(stderr).toMatch(/n…n/);
  expect(stderr.length).toBeLessThan(2000);
});
