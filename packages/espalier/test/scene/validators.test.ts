import { component, f32, string } from "espalier";
import { createSceneFormat, withCodec } from "espalier/scene";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { emptyTree, problemsOf } from "./scenes.ts";

const Hero = component("Hero", { title: string("none"), hp: f32(100), mana: f32(5) });

function formatWith(validate: z.ZodType) {
  return createSceneFormat({ components: [withCodec(Hero, { validate })] });
}

function textWith(values: object): string {
  return JSON.stringify({ version: 1, entities: [{ id: "hero", components: { Hero: values } }] });
}

describe("a validator", () => {
  it("sees the whole component, so that what is loaded can be saved and loaded again", () => {
    const format = formatWith(z.object({ title: z.string(), hp: z.number().min(1), mana: z.number() }));
    const scene = format.load(emptyTree(), textWith({ title: "none", hp: 100, mana: 5 }));
    const saved = scene.save();
    expect(JSON.parse(saved).entities[0].components).toEqual({ Hero: {} });
    expect(format.load(emptyTree(), saved).save()).toBe(saved);
    const schema = JSON.stringify(format.jsonSchema());
    expect(schema).not.toContain('"required":["title"');
  });

  it("refuses defaults that it does not accept", () => {
    const format = formatWith(z.object({ hp: z.number().max(50) }));
    expect(problemsOf(() => format.load(emptyTree(), textWith({})))[0]).toContain("Hero.hp: Too big");
    expect(format.check(textWith({ hp: 50 }))).toEqual([]);
  });

  it("treats overrides of an instance like anything else that is saved", () => {
    const format = formatWith(z.object({ title: z.string().trim(), hp: z.number(), mana: z.number() }));
    const prefabs = { hero: textWith({}) };
    const scene = format.load(emptyTree(), { entities: [{ id: "i", prefab: "hero" }] }, { prefabs });
    const { world } = scene.tree;
    world.set(scene.entity("i"), Hero, { title: " none " });
    expect(scene.toFile().entities).toEqual([{ id: "i", prefab: "hero" }]);
    world.set(scene.entity("i"), Hero, { title: " Ada " });
    const saved = scene.save();
    expect(JSON.parse(saved).entities[0].components).toEqual({ Hero: { title: "Ada" } });
    expect(format.load(emptyTree(), saved, { prefabs }).save()).toBe(saved);
  });

  it("reports on saving what would not load", () => {
    const format = formatWith(z.object({ hp: z.number().max(200) }));
    const tree = emptyTree();
    const scene = format.load(tree, textWith({ hp: 150 }));
    tree.world.set(scene.entity("hero"), Hero, { hp: 300 });
    expect(problemsOf(() => scene.save())).toEqual([
      '-:-:-  hero scene/invalid-value Entity "hero": Hero is not what its validator accepts (hp): Too big: expected number to be <=200. It would not load again.',
    ]);
    tree.world.set(scene.entity("hero"), Hero, { hp: 200 });
    expect(format.check(scene.save())).toEqual([]);
  });

  it("reports instances of prefabs too", () => {
    const format = formatWith(z.object({ hp: z.number().max(200) }));
    const prefabs = { hero: textWith({}) };
    const tree = emptyTree();
    const scene = format.load(tree, `{ "entities": [{ "id": "i", "prefab": "hero" }] }`, { prefabs });
    tree.world.set(scene.entity("i"), Hero, { hp: 300 });
    expect(problemsOf(() => scene.save())[0]).toContain("scene/invalid-value");
    expect(
      format.check(
        `{ "entities": [{ "id": "i", "prefab": "hero", "components": { "Hero": { "hp": 201 } } }] }`,
        {
          prefabs,
        },
      )[0]?.code,
    ).toBe("scene/invalid-value");
  });

  it("has its result used, in the world and in the file", () => {
    const format = formatWith(z.object({ title: z.string().trim().toUpperCase(), hp: z.number().catch(7) }));
    const tree = emptyTree();
    const scene = format.load(tree, textWith({ title: "  sir  ", mana: 9 }));
    expect(tree.world.get(scene.entity("hero"), Hero)).toEqual({ title: "SIR", hp: 100, mana: 9 });
    tree.world.set(scene.entity("hero"), Hero, { title: " lord " });
    const saved = scene.save();
    expect(JSON.parse(saved).entities[0].components.Hero).toEqual({ title: "LORD", mana: 9 });
    expect(format.load(emptyTree(), saved).save()).toBe(saved);
  });

  it.each([
    [z.object({ hp: z.number().transform((hp) => hp * 2) }), "changes or refuses its own result"],
    [z.object({ title: z.string().transform((title) => title.length) }), "changes or refuses its own result"],
    [z.object({ hp: z.number() }).transform(() => "text"), "returned something that is not a component"],
    [z.looseObject({}).transform(() => ({ title: new Date(0) })), "returned what a file cannot hold"],
    [z.looseObject({}).transform((hero) => ({ ...hero, luck: 1 })), 'Hero has no field "luck"'],
    [z.looseObject({}).transform((hero) => ({ ...hero, hp: "much" })), "Hero.hp takes a number"],
  ])("is refused when its result cannot be used (%#)", (validate, message) => {
    expect(problemsOf(() => formatWith(validate).load(emptyTree(), textWith({})))[0]).toContain(message);
  });
});
