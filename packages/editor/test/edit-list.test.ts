import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EditList } from "../src/edits/edit-list.ts";
import type { EditKeeper, FileEdits } from "../src/edits/listed-edits.ts";
import { answerEdits } from "../src/server/answer-edits.ts";
import { projectFolder } from "../src/server/project-files.ts";
import { at, open } from "./open.ts";

const edit = { token: "1", author: "agent", reason: "why", text: "moved", isUndone: false };
const branch = { name: "idea", differences: [{ entity: "sky", path: "/sky", text: "moved" }] };

function keeperOf(edits: () => FileEdits): EditKeeper & { readonly calls: unknown[] } {
  const calls: unknown[] = [];
  return {
    calls,
    list: async () => edits(),
    undo: async (...given) => void calls.push(["undo", ...given]),
    accept: async (...given) => void calls.push(["accept", ...given]),
  };
}

describe("the list of edits", () => {
  it("says when edits came, and marks what the shown branch changes", async () => {
    const document = open();
    let now: FileEdits = { edits: [], branches: [branch] };
    let changes = 0;
    const list = new EditList(
      keeperOf(() => now),
      () => document,
      () => changes++,
    );
    // A document without a file has none.
    expect(await list.refresh()).toBe(false);
    expect(list.now.branches).toEqual([]);
    document.origin = { ...document.origin, path: "level.scene.json" };
    expect(await list.refresh()).toBe(false);
    now = { ...now, edits: [edit] };
    expect(await list.refresh()).toBe(true);
    expect(await list.refresh()).toBe(false);
    expect(list.isMarked(at(document, "sky"))).toBe(false);
    list.show("idea");
    expect([list.isMarked(at(document, "sky")), list.isMarked(at(document, "house"))]).toEqual([true, false]);
    expect(list.marked()).toEqual([at(document, "sky")]);
    // A branch that is gone is shown no longer.
    now = { edits: [edit], branches: [] };
    await list.refresh();
    expect([list.shown, list.marked()]).toEqual([undefined, []]);
    expect(changes).toBeGreaterThan(0);
  });

  it("is empty when the file cannot be read", async () => {
    const document = open();
    document.origin = { ...document.origin, path: "level.scene.json" };
    const list = new EditList(
      keeperOf(() => {
        throw new Error("no");
      }),
      () => document,
      () => {},
    );
    expect(await list.refresh()).toBe(false);
    expect(list.now).toEqual({ edits: [], branches: [] });
  });
});

const folder = mkdtempSync(join(tmpdir(), "espalier-edits-"));
writeFileSync(join(folder, "a.scene.json"), "{}");
afterAll(() => rmSync(folder, { recursive: true }));

describe("requests about edits", () => {
  const project = projectFolder(folder, [], undefined);

  it("reach the keeper with the file they are about, and are refused outside of the folder", async () => {
    const keeper = keeperOf(() => ({ edits: [edit], branches: [] }));
    const path = "a.scene.json";
    expect(await answerEdits(keeper, project, { path })).toEqual({ edits: [edit], branches: [] });
    await answerEdits(keeper, project, { path, undo: "1" });
    await answerEdits(keeper, project, { path, accept: "idea", entities: ["sky"] });
    const file = join(project.folder, path);
    expect(keeper.calls).toEqual([
      ["undo", file, "1"],
      ["accept", file, "idea", ["sky"]],
    ]);
    await expect(answerEdits(keeper, project, { path: "../a.scene.json", undo: "1" })).rejects.toMatchObject({
      status: 403,
    });
    await expect(answerEdits(keeper, project, { path, accept: "idea", entities: [1] })).rejects.toMatchObject(
      {
        status: 400,
      },
    );
    expect(keeper.calls).toHaveLength(2);
  });

  it("say why the keeper refuses, and find nothing where there is none", async () => {
    const keeper: EditKeeper = {
      ...keeperOf(() => ({ edits: [], branches: [] })),
      undo: async () => {
        throw new Error("Another edit depends on it.");
      },
    };
    await expect(answerEdits(keeper, project, { path: "a.scene.json", undo: "1" })).rejects.toMatchObject({
      status: 422,
      message: "Another edit depends on it.",
    });
    expect(await answerEdits(undefined, project, {})).toEqual({ edits: [], branches: [] });
  });
});
