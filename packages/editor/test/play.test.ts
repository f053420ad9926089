import { describe, expect, it } from "vitest";
import { renameEntity } from "../src/commands/rename-entity.ts";
import { setField } from "../src/commands/set-field.ts";
import { openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { PlaySession } from "../src/play/play-session.ts";
import { garden } from "../src/samples/garden.ts";
import type { Sample } from "../src/samples/sample.ts";
import { sampleComponents } from "../src/samples/sample-components.ts";
import { sampleSystems } from "../src/samples/sample-systems.ts";
import { solarSystem } from "../src/samples/solar-system.ts";
import { tanks } from "../src/samples/tanks.ts";

function openSample({ scene, prefabs, id }: Sample) {
  return openDocument(createEditorFormat(sampleComponents), scene, { prefabs, title: id });
}

describe("the samples", () => {
  it.each([tanks, solarSystem, garden])("$id is a sound scene that saves the same twice", (sample) => {
    const document = openSample(sample);
    expect(document.problems).toEqual([]);
    const text = document.save();
    expect(openSample({ ...sample, scene: text }).save()).toBe(text);
  });
});

describe("playing", () => {
  it.each([tanks, solarSystem, garden])("$id moves, and stop gives the same file byte by byte", (sample) => {
    const document = openSample(sample);
    const start = document.save();
    const session = new PlaySession(document, [sampleSystems]);
    for (let frame = 0; frame < 90; frame++) session.tick(1 / 30);
    expect(document.save()).not.toBe(start);
    expect(session.timings.map(({ name }) => name)).toContain("spin");
    session.stop();
    expect(document.save()).toBe(start);
    expect([document.isDirty, document.history.canUndo]).toEqual([false, false]);
  });

  it("creates and destroys entities while it plays, and undo works afterwards as before", () => {
    const document = openSample(tanks);
    const shell = document.scene!.entity("shell");
    renameEntity(document, shell, "bullet");
    const edited = document.save();
    const session = new PlaySession(document, [sampleSystems]);
    for (let frame = 0; frame < 60; frame++) session.tick(1 / 30);
    expect(session.samples.at(-1)!.entities).toBeGreaterThan(session.samples[0]!.entities);
    expect(document.undo()).toBe(false);
    session.stop();
    expect(document.save()).toBe(edited);
    expect(document.undo()).toBe(true);
    expect(document.tree.nameOf(shell)).toBe("shell");
  });

  it("pauses, steps and goes on", () => {
    const document = openSample(solarSystem);
    const session = new PlaySession(document, [sampleSystems]);
    session.pause();
    session.tick(1);
    expect(session.frame).toBe(0);
    session.step();
    expect([session.frame, session.state]).toEqual([1, "paused"]);
    session.resume();
    session.tick(0.1);
    expect(session.frame).toBe(2);
    session.stop();
  });

  it("drops edits made while it plays, or keeps them as one step on request", () => {
    const document = openSample(solarSystem);
    const start = document.save();
    const earth = document.scene!.entity("earth");
    const edit = () => setField(document, [earth], document.space.component, "y", 33);
    const dropped = new PlaySession(document, []);
    edit();
    dropped.stop();
    expect(document.save()).toBe(start);
    const kept = new PlaySession(document, []);
    edit();
    kept.stop(true);
    expect(document.space.localOf(earth).y).toBe(33);
    expect(document.history.undoLabels).toEqual(["Keep changes of play"]);
    document.undo();
    expect(document.save()).toBe(start);
  });
});
