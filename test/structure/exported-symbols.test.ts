import { describe, expect, it } from "vitest";
import { readSurface } from "./exported-symbols.ts";

const { symbols, globals } = readSurface();
const listed = (wrong: typeof symbols) => wrong.map(({ where, name }) => `${where} ${name}`);

describe("every exported name", () => {
  it("differs from the globals of ECMAScript and the DOM, so that editors offer its import", () => {
    expect(globals.has("print") && globals.has("Text") && globals.has("Map")).toBe(true);
    expect(listed(symbols.filter(({ name }) => globals.has(name)))).toEqual([]);
  });

  it("has a sentence that editors show, and so has every public member and every overload", () => {
    expect(symbols.length).toBeGreaterThan(2000);
    expect(symbols.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["World.spawn", "Hierarchy.childrenOf", "SpriteSchema.texture"]),
    );
    expect(listed(symbols.filter(({ sentence }) => sentence === ""))).toEqual([]);
    // A sentence begins with a capital or with code, and has an end; tables and blocks end as they do.
    const isSentence = (text: string) => /^[A-Z`"0-9]/.test(text) && /([.!?:…)]|`|\|)$/.test(text);
    expect(listed(symbols.filter(({ sentence }) => !isSentence(sentence)))).toEqual([]);
  });

  it("has an example where it is what programs begin with", () => {
    const common = [
      ...["component", "tag", "resource", "createWorld", "createCommands", "createChannel", "createSchedule"],
      ...["World.spawn", "World.add", "World.remove", "World.set", "World.get", "World.destroy"],
      ...["World.query", "changesOf", "observe", "observeEntities", "guard", "guardWrites"],
      ...["Query.update", "Query.each", "Query.run"],
      ...["createHierarchy", "spawnTree", "printTree", "checkTree", "createInherited", "defineInherited"],
      ...["Hierarchy.attach", "Hierarchy.attachNew", "Hierarchy.detach", "Hierarchy.moveChild"],
      ...["Hierarchy.destroy", "Hierarchy.descendants", "Hierarchy.find", "Hierarchy.setName"],
      ...["createTransforms2D", "createTransforms3D", "createRectTransforms"],
      ...[
        "createHistory",
        "UndoHistory.step",
        "UndoHistory.undo",
        "transaction",
        "takeSnapshot",
        "restoreSnapshot",
      ],
      ...["diff", "applyPatch", "followChanges", "reconcile", "createSceneFormat", "SceneFormat.save"],
      ...["createGame", "behaviour", "message", "EntityCalls.spawn", "Game.system"],
      ...[
        "createCanvasRenderer",
        "createRecordingRenderer",
        "createThreeSync",
        "createSignals",
        "createPhysics",
        "loadBox2D",
      ],
    ];
    const without = common.filter(
      (name) => !symbols.some((symbol) => symbol.name === name && symbol.examples > 0),
    );
    expect(without).toEqual([]);
  });
});
