import { component, type Entity, f32, object } from "espalier";
import { createSceneFormat, type Scene, type SceneFile, withCodec } from "espalier/scene";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { emptyTree } from "./scenes.ts";

const Tags = component("Tags", { set: object(() => new Set<string>()), weight: f32() });

describe("withCodec", () => {
  it("knows the types of the fields", () => {
    withCodec(Tags, {
      fields: {
        set: {
          write: (set, { idOf }) => {
            expectTypeOf(set).toEqualTypeOf<Set<string>>();
            expectTypeOf(idOf).parameter(0).toEqualTypeOf<Entity | null>();
            return [...set];
          },
          read: (json, { entity }) => {
            expectTypeOf(entity("a")).toEqualTypeOf<Entity>();
            return new Set(json as string[]);
          },
        },
      },
    });
    // @ts-expect-error: reading must give what the field holds
    withCodec(Tags, { fields: { set: { write: () => 1, read: () => [1] } } });
    // @ts-expect-error: there is no such field
    withCodec(Tags, { fields: { sets: { write: () => 1, read: () => new Set<string>() } } });
  });

  it("takes validators with the Standard Schema interface", () => {
    withCodec(Tags, { validate: z.object({ weight: z.number() }) });
    // @ts-expect-error: a function is no validator
    withCodec(Tags, { validate: () => true });
  });
});

describe("a scene format", () => {
  it("loads texts and scenes written in TypeScript", () => {
    const format = createSceneFormat({ components: [Tags, withCodec(Tags, {}), [Tags]] });
    const file = {
      entities: [{ id: "a", components: { Tags: { weight: 1 } }, children: [{}] }],
    } satisfies SceneFile;
    expectTypeOf(format.load(emptyTree(), file)).toEqualTypeOf<Scene>();
    // @ts-expect-error: ids are texts
    format.check({ entities: [{ id: 7 }] });
    // @ts-expect-error: components are objects
    format.check({ entities: [{ components: { Tags: 7 } }] });
  });
});
