import { type Entity, f32 } from "espalier";
import { behaviour } from "espalier/game";
import { loadBox2D } from "espalier/physics/box2d";
import { describe, expect, it } from "vitest";
import { setField } from "../src/commands/components/set-field.ts";
import { renameEntity } from "../src/commands/tree/rename-entity.ts";
import { type EditorDocument, openDocument } from "../src/document/document.ts";
import { createEditorFormat } from "../src/document/format.ts";
import { startPlaying } from "../src/play/play-session.ts";
import type { PlaySetup } from "../src/play/play-setup.ts";
import { blocks } from "../src/samples/blocks.ts";
import { garden } from "../src/samples/garden.ts";
import { meadow } from "../src/samples/meadow.ts";
import type { Sample } from "../src/samples/sample.ts";
import { sampleBehaviours, sampleComponents } from "../src/samples/sample-components.ts";
import { solarSystem } from "../src/samples/solar-system.ts";
import { tanks } from "../src/samples/tanks.ts";

function openSample({ scene, prefabs, id }: Sample) {
  return openDocument(createEditorFormat(sampleComponents), scene, { prefabs, title: id });
}

const samples = [tanks, meadow, solarSystem, garden, blocks];
const setup: PlaySetup = { behaviours: sampleBehaviours, loadEngine: () => loadBox2D() };

describe("the samples", () => {
  it.each(samples)("$id is a sound scene that saves the same twice", (sample) => {
    const document = openSample(sample);
    expect(document.problems).toEqual([]);
    const text = document.save();
    expect(openSample({ ...sample, scene: text }).save()).toBe(text);
  });
});

describe("playing", () => {
  it.each(samples)("$id moves, and stop gives the same file byte by byte", async (sample) => {
    const document = openSample(sample);
    const start = document.save();
    const session = await startPlaying(document, { setup });
    const first = session.document.save();
    for (let frame = 0; frame < 90; frame++) session.tick(1 / 30);
    expect(session.game.tick).toBeGreaterThan(100);
    expect(session.document.save()).not.toBe(first);
    expect(session.timings.map(({ name }) => name)).toContain("behaviours");
    session.stop();
    expect(document.save()).toBe(start);
    expect([document.isDirty, document.history.canUndo]).toEqual([false, false]);
  });

  it("lets bodies fall down the screen, with their children", async () => {
    const document = openSample(blocks);
    const [ball, shine] = ["ball", "shine"].map((id) => document.scene!.entity(id)) as [Entity, Entity];
    const top = document.scene!.entity("block-15");
    const { y } = document.space.worldPosition(top);
    const session = await startPlaying(document, { setup });
    const { space } = session.game;
    const far = (other: Entity) => {
      const [a, b] = [space.worldPosition(ball), space.worldPosition(other)];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    const distance = far(shine);
    for (let frame = 0; frame < 180; frame++) session.tick(1 / 60);
    expect(space.worldPosition(ball).x).toBeGreaterThan(-100);
    expect(space.worldPosition(top).y).toBeGreaterThan(y + 20);
    expect(space.worldPosition(top).y).toBeLessThan(160);
    expect(far(shine)).toBeCloseTo(distance, 3);
    session.stop();
    expect(document.space.worldPosition(top).y).toBe(y);
  });

  it("loads no engine for a scene without bodies, and plays bodies without an engine standing still", async () => {
    let loads = 0;
    const loadEngine = () => {
      loads++;
      return loadBox2D();
    };
    (await startPlaying(openSample(tanks), { setup: { loadEngine } })).stop();
    expect(loads).toBe(0);
    const session = await startPlaying(openSample(blocks), { setup: { behaviours: sampleBehaviours } });
    const start = session.document.save();
    session.step();
    expect(session.document.save()).toBe(start);
    session.stop();
  });

  it("takes gravity, the length of a step and systems from the setup", async () => {
    const document = openSample(blocks);
    const ball = document.scene!.entity("ball");
    let ended = 0;
    const own: PlaySetup = {
      ...setup,
      step: 0.1,
      physics: { gravity: { x: 0, y: 0 } },
      start(game) {
        game.system("count", () => void document.title);
        return () => void ended++;
      },
    };
    const session = await startPlaying(document, { setup: own });
    session.step();
    expect(session.game.time).toBeCloseTo(0.1);
    expect(session.timings.map(({ name }) => name)).toContain("count");
    const { x, y } = session.game.space.worldPosition(ball);
    expect([x, y]).toEqual([expect.closeTo(-300 + 62, 0), expect.closeTo(20 - 6, 0)]);
    session.stop();
    expect(ended).toBe(1);
  });

  it("reports what a behaviour throws and continues", async () => {
    const Broken = behaviour(
      "Broken",
      { left: f32(0) },
      {
        update() {
          throw new Error("no fuel");
        },
      },
    );
    const document = openDocument(
      createEditorFormat([Broken]),
      `{ "entities": [{ "id": "car", "components": { "Broken": {} } }] }`,
    );
    const errors: string[] = [];
    const session = await startPlaying(document, {
      setup: { behaviours: [Broken] },
      onError: ({ message }) => errors.push(message),
    });
    session.step();
    session.step();
    expect(errors).toHaveLength(2);
    expect(errors[0]).toContain("no fuel");
    session.stop();
  });

  it("creates and destroys entities while it plays, and undo works afterwards as before", async () => {
    const document = openSample(tanks);
    const shell = document.scene!.entity("shell");
    renameEntity(document, shell, "bullet");
    const edited = document.save();
    const session = await startPlaying(document, { setup });
    for (let frame = 0; frame < 60; frame++) session.tick(1 / 30);
    expect(session.samples.at(-1)!.entities).toBeGreaterThan(session.samples[0]!.entities);
    expect(session.document.undo()).toBe(false);
    session.stop();
    expect(document.save()).toBe(edited);
    expect(document.undo()).toBe(true);
    expect(document.tree.nameOf(shell)).toBe("shell");
  });

  it("pauses, steps and resumes", async () => {
    const session = await startPlaying(openSample(solarSystem), { setup });
    session.pause();
    session.tick(1);
    expect(session.frame).toBe(0);
    session.step();
    expect([session.frame, session.state, session.game.tick]).toEqual([1, "paused", 1]);
    session.resume();
    session.tick(0.1);
    expect(session.frame).toBe(2);
    session.stop();
  });

  it("drops edits made while it plays, or keeps them as one step on request", async () => {
    const document = openSample(solarSystem);
    const start = document.save();
    const earth = document.scene!.entity("earth");
    const edit = (played: EditorDocument) => setField(played, [earth], played.space.component, "y", 33);
    const dropped = await startPlaying(document);
    edit(dropped.document);
    expect(dropped.document.space.localOf(earth).y).toBe(33);
    dropped.stop();
    expect(document.save()).toBe(start);
    const kept = await startPlaying(document);
    edit(kept.document);
    kept.stop(true);
    expect(document.space.localOf(earth).y).toBe(33);
    expect(document.history.undoLabels).toEqual(["Keep changes of play"]);
    document.undo();
    expect(document.save()).toBe(start);
  });

  it("keeps where bodies came to rest, and the scene saves and undoes as usual", async () => {
    const document = openSample(blocks);
    const start = document.save();
    const session = await startPlaying(document, { setup });
    for (let frame = 0; frame < 30; frame++) session.tick(1 / 60);
    const played = session.game.space.localOf(document.scene!.entity("ball"));
    session.stop(true);
    expect(document.space.localOf(document.scene!.entity("ball"))).toEqual(played);
    const after = openSample({ ...blocks, scene: document.save() });
    expect(after.problems).toEqual([]);
    expect(after.space.localOf(after.scene!.entity("ball")).x).toBeCloseTo(played.x, 3);
    document.undo();
    expect(document.save()).toBe(start);
  });
});
