import { parseScene } from "espalier/scene";
import { type Edit, openSceneDocument, runVerb, type SceneDocument, VerbError, verbs } from "espalier/verbs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectSound, format, garage, openGarage, prefabs, thrown } from "./garage.ts";

describe("undo", () => {
  it("undoes one edit and leaves later ones", () => {
    const document = openGarage();
    const { token } = runVerb(document, "rename", { entity: "tank", name: "Tiger" }, { author: "Ada" });
    runVerb(document, "set", { entity: "tank", values: { Health: { hp: 1 } } }, { author: "Bob" });
    expect(runVerb(document, "undo", { edit: token as string }).text).toBe(
      '~ /level/tank name: "Tiger" → "tank"\n',
    );
    expect(runVerb(document, "get", { entity: "tank", value: "Health.hp" }).output).toBe(1);
  });

  it("undoes the last edit of one author", () => {
    const document = openGarage();
    runVerb(document, "rename", { entity: "tank", name: "Tiger" }, { author: "agent" });
    runVerb(document, "rename", { entity: "crate", name: "box" }, { author: "Ada" });
    expect(runVerb(document, "undo", { author: "agent" }).output).toEqual({ undone: "edit-1" });
    expect(thrown(() => runVerb(document, "undo", { author: "agent" })).code).toBe("verbs/unknown-edit");
  });

  it("refuses where later edits depend on it, and names them", () => {
    const document = openGarage();
    const { token } = runVerb(document, "create", { id: "base", name: "base" }, { author: "agent" });
    runVerb(document, "rename", { entity: "crate", name: "box" });
    runVerb(document, "reparent", { entities: ["crate"], parent: "base" }, { author: "Ada", reason: "tidy" });
    const before = document.scene.save();
    const error = thrown(() => runVerb(document, "undo", { edit: token as string }));
    expect(error.code).toBe("verbs/dependent-edits");
    expect(error.message).toContain("edit-3 (reparent by Ada: tidy)");
    expect(error.edits).toContain("edit-3");
    expect(document.scene.save()).toBe(before);
    expectSound(document);
  });

  it("brings back a subtree whose move was undone, with everything in it", () => {
    const document = openGarage();
    const before = document.scene.save();
    const { token } = runVerb(
      document,
      "reparent",
      { entities: ["tank"], parent: "garage" },
      { author: "agent" },
    );
    runVerb(document, "undo", { edit: token as string });
    expect(document.scene.save()).toBe(before);
  });

  it("takes back a prefab that was made, with later edits elsewhere kept", () => {
    // A prefab refers to nothing outside.
    const entities = garage.entities
      .filter(({ id }) => id !== "crate")
      .concat({ id: "crate", parent: "level" });
    const file = {
      entities: entities.map((entry) => (entry.id === "turret" ? { ...entry, components: {} } : entry)),
    };
    const document = openGarage({}, file);
    const { token } = runVerb(document, "make-prefab", { entity: "tank", prefab: "tank.prefab.json" });
    runVerb(document, "rename", { entity: "crate", name: "box" });
    runVerb(document, "undo", { edit: token as string });
    expect(document.prefabFiles.get("tank.prefab.json")).toBeNull();
    expect(runVerb(document, "get", { entity: "tank", value: "Health.hp" }).output).toBe(80);
    expect(runVerb(document, "show", { entity: "crate" }).output).toMatchObject({ name: "box" });
    // What was done while the prefab was there can be taken back too.
    runVerb(document, "undo", { edit: "edit-2" });
    expect(document.scene.toFile()).toEqual(openGarage({}, file).scene.toFile());
    expectSound(document);
  });

  it("refuses to take back a prefab that a later edit uses, and names that edit", () => {
    const document = openGarage();
    const { token } = runVerb(document, "make-prefab", { entity: "crate", prefab: "crate.prefab.json" });
    runVerb(document, "rename", { entity: "tank", name: "Tiger" });
    runVerb(document, "instantiate", { prefab: "crate.prefab.json", id: "second" });
    const before = document.scene.save();
    expect(thrown(() => runVerb(document, "undo", { edit: token as string }))).toMatchObject({
      code: "verbs/dependent-edits",
      edits: ["edit-3"],
      ids: ["second"],
    });
    expect(document.scene.save()).toBe(before);
    expect(document.prefabFiles.get("crate.prefab.json")).toEqual(expect.any(String));
    expectSound(document);
  });

  it("undoes an undo", () => {
    const document = openGarage();
    const { token } = runVerb(document, "rename", { entity: "tank", name: "Tiger" });
    const undone = runVerb(document, "undo", { edit: token as string });
    expect(thrown(() => runVerb(document, "undo", { edit: token as string })).message).toContain(
      "was already undone",
    );
    runVerb(document, "undo", { edit: undone.token as string });
    expect(runVerb(document, "find", { name: "Tiger" }).output).toMatchObject({ count: 1 });
    expect(runVerb(document, "log", {}).output).toMatchObject([
      { token: "edit-1" },
      { undone: true },
      { undoes: "edit-2" },
    ]);
  });

  it("continues from the edits of a journal", () => {
    const document = openGarage();
    runVerb(document, "rename", { entity: "tank", name: "Tiger" });
    runVerb(document, "delete", { entities: ["crate"] });
    const edits = JSON.parse(JSON.stringify(document.edits)) as Edit[];
    const next = openSceneDocument(format, document.scene.save(), { prefabs, edits });
    runVerb(next, "undo", { edit: "edit-1" });
    expect(next.edits.at(-1)?.token).toBe("edit-3");
    expect(runVerb(next, "find", { name: "tank" }).output).toMatchObject({ count: 1 });
  });
});

/** Numbers of a run, drawn from a list. */
type Draw = (below: number) => number;

/** A scene to insert: with an instance, and with ids that are taken. */
const more = {
  entities: [
    { id: "tank", name: "more" },
    { id: "gun", parent: "tank", prefab: "gun.prefab.json", components: { Transform2D: { y: 3 } } },
  ],
};

/** One random edit. Refusals are part of the game: they must change nothing. */
function randomVerb(document: SceneDocument, draw: Draw, step: number): void {
  const { scene } = document;
  const ids = scene
    .roots()
    .flatMap((root) =>
      [...scene.tree.descendants(root, { includeSelf: true })].map((entity) => scene.idOf(entity) as string),
    );
  const pick = () => ids[draw(ids.length)] as string;
  const instances = () => scene.toFile().entities.filter((entry) => entry.prefab !== undefined);
  const instance = () => instances()[draw(Math.max(1, instances().length))]?.id ?? pick();
  const prefab = () => ["gun.prefab.json", "cannon.prefab.json"][draw(2)] as string;
  const before = scene.toFile();
  const filesBefore = [...document.prefabFiles];
  try {
    switch (draw(23)) {
      case 0:
        return void runVerb(document, "create", {
          id: `n${step}`,
          parent: draw(3) === 0 ? null : pick(),
          at: draw(3),
        });
      case 1:
        return void runVerb(document, "delete", { entities: [pick()] });
      case 2:
        return void runVerb(document, "rename", { entity: pick(), name: `name${draw(5)}` });
      case 3:
        return void runVerb(document, "reparent", {
          entities: [pick()],
          parent: pick(),
          keep: draw(2) === 0 ? "world" : "local",
        });
      case 4:
        return void runVerb(document, "reorder", { entity: pick(), at: draw(4) });
      case 5:
        return void runVerb(document, "duplicate", { entity: pick() });
      case 6:
        return void runVerb(document, "instantiate", {
          prefab: prefab(),
          id: `i${step}`,
          parent: pick(),
        });
      case 7:
        return void runVerb(document, "group", { entities: [pick(), pick()], id: `g${step}` });
      case 8:
        return void runVerb(document, "align", { entities: [pick(), pick()], axis: "x", to: "center" });
      case 9:
        return void runVerb(document, "unset", {
          entity: pick(),
          fields: [["Transform2D.x"], ["Transform2D.x", "Health"]][draw(2)] as string[],
        });
      case 10:
        return void runVerb(document, "add-component", {
          entity: pick(),
          component: "Health",
          values: { hp: step },
        });
      case 11:
        return void runVerb(document, "remove-component", { entity: pick(), component: "Health" });
      case 12:
        return void runVerb(document, "make-prefab", { entity: pick(), prefab: `p${step}.prefab.json` });
      case 13:
        return void runVerb(document, "make-instance", { entity: pick(), prefab: prefab() });
      case 14:
        return void runVerb(document, "apply", { entity: instance() });
      case 15:
        return void runVerb(document, "revert", { entity: instance() });
      case 16:
        return void runVerb(document, "unpack", { entity: instance() });
      case 17:
        return void runVerb(document, "replace-prefab", {
          entity: instance(),
          prefab: prefab(),
          overrides: draw(2) === 0 ? "keep" : "drop",
        });
      case 18:
        return void runVerb(document, "insert", { scene: more, parent: draw(2) === 0 ? null : pick() });
      case 19: {
        const { entities } = before;
        const id = pick();
        return void runVerb(document, "rewrite", {
          scene: {
            ...before,
            entities: entities.map((entry) => (entry.id === id ? { ...entry, name: `was${step}` } : entry)),
          },
        });
      }
      default:
        return void runVerb(document, "set", { entity: pick(), values: { Transform2D: { x: draw(50) } } });
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    expect(scene.toFile()).toEqual(before);
    expect([...document.prefabFiles]).toEqual(filesBefore);
  }
}

const isLong = process.env.ESPALIER_LONG === "1";

describe("random edits", { timeout: isLong ? 1_200_000 : 60_000 }, () => {
  const runs = isLong ? 1000 : 30;
  const numbers = fc.noShrink(fc.infiniteStream(fc.nat(1_000_000)));

  /** Lets go of the documents of each run: what a WeakRef was made for stays until the task ends. */
  async function property(run: (draw: Draw) => void): Promise<void> {
    await fc.assert(
      fc.asyncProperty(numbers, async (stream) => {
        run((below) => (stream.next().value as number) % below);
        await new Promise((done) => setTimeout(done));
      }),
      { numRuns: runs },
    );
  }

  it("are taken back one after the other to exactly the first form", async () => {
    const done = new Set<string>();
    await property((draw) => {
      const document = openGarage();
      const forms = [document.scene.save()];
      for (let step = 0; step < 12; step++) {
        randomVerb(document, draw, step);
        expectSound(document);
        if (document.edits.length === forms.length) forms.push(document.scene.save());
      }
      for (const { steps } of document.edits) done.add(steps[0]?.verb as string);
      for (let k = forms.length - 2; k >= 0; k--) {
        runVerb(document, "undo", {});
        expect(document.scene.save()).toBe(forms[k]);
      }
      // Prefabs that were made are gone, and those that were changed say what they said.
      for (const [file, text] of document.prefabFiles)
        expect(text === null ? undefined : parseScene(text)).toEqual(prefabs[file]);
      expectSound(document);
    });
    // Every verb that edits was among them, or the test says nothing of it.
    const editing = Object.values(verbs).filter(({ isReadOnly, name }) => !isReadOnly && name !== "undo");
    expect([...done].sort()).toEqual(editing.map(({ name }) => name).sort());
  });

  it("are taken back in any order, or refused with the later edits named and nothing changed", async () => {
    await property((draw) => {
      const document = openGarage();
      for (let step = 0; step < 10; step++) randomVerb(document, draw, step);
      const count = document.edits.length;
      for (let k = 0; k < 6 && count > 0; k++) {
        const { token } = document.edits[draw(count)] as Edit;
        const before = document.scene.save();
        try {
          runVerb(document, "undo", { edit: token });
        } catch (error) {
          expect(error).toBeInstanceOf(VerbError);
          expect(["verbs/dependent-edits", "verbs/unknown-edit"]).toContain((error as VerbError).code);
          if ((error as VerbError).code === "verbs/dependent-edits")
            expect((error as VerbError).edits).not.toEqual([]);
          expect(document.scene.save()).toBe(before);
        }
        expectSound(document);
      }
    });
  });

  it("change nothing in a dry run, and then do what it announced", async () => {
    await property((draw) => {
      const x = draw(51);
      const document = openGarage();
      for (let step = 0; step < 5; step++) randomVerb(document, draw, step);
      const before = document.scene.save();
      const entity = runVerb(document, "find", { component: "Transform2D" }).output as {
        entities: { id: string }[];
      };
      if (entity.entities.length === 0) return;
      const parameters = { entity: entity.entities[0]?.id as string, values: { Transform2D: { x } } };
      const tried = runVerb(document, "set", parameters, { dryRun: true });
      expect(document.scene.save()).toBe(before);
      expect(runVerb(document, "set", parameters).changes).toEqual(tried.changes);
    });
  });
});
