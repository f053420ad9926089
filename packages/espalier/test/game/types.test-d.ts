import { component, f32, string, type World } from "espalier";
import {
  behaviour,
  createGame,
  type EntityObject,
  type Game,
  type GameOptions,
  message,
  type RunningPart,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { describe, expectTypeOf, it } from "vitest";

const Health = component("Health", { hp: f32(100), owner: string() });
const game = createGame();
const tank = game.spawn(Health);

describe("types of the game layer", () => {
  it("are inferred from component definitions", () => {
    expectTypeOf(tank.get(Health)).toEqualTypeOf<{ hp: number; owner: string }>();
    expectTypeOf(tank.find(Health)).toEqualTypeOf<{ hp: number; owner: string } | undefined>();
    // @ts-expect-error hp is a number
    tank.set(Health, { hp: "much" });
    // @ts-expect-error there is no such field
    tank.set(Health, { mp: 1 });
  });

  it("keep computed properties from being written", () => {
    expectTypeOf(tank.parent).toEqualTypeOf<EntityObject | null>();
    // @ts-expect-error follows from other values
    tank.absolutePosition = { x: 1, y: 2 };
    // @ts-expect-error follows from the tree
    tank.children = [];
    // @ts-expect-error follows from the ancestors
    tank.isVisible = false;
  });

  it("give hooks the fields of their behaviour", () => {
    behaviour(
      "Spinner",
      { speed: f32(1) },
      {
        update({ values }, dt) {
          expectTypeOf(values).toEqualTypeOf<{ speed: number }>();
          expectTypeOf(dt).toBeNumber();
        },
      },
    );
    // @ts-expect-error there is no such hook
    behaviour("Wrong", {}, { updtae() {} });
  });

  it("give listeners the payload of their message, and want it where it is sent", () => {
    const Scored = message<{ points: number }>("Scored");
    const Over = message("Over");
    game.listenFor(Scored, (payload) => expectTypeOf(payload).toEqualTypeOf<{ points: number }>());
    // @ts-expect-error the payload is missing
    game.send(Scored);
    game.send(Over);
    const Hit = entityEvent<{ amount: number }>("hit");
    tank.on(Hit, ({ payload }) => expectTypeOf(payload).toEqualTypeOf<{ amount: number }>());
    // @ts-expect-error the payload is missing
    tank.emit(Hit);
  });

  it("are those of the physics and the renderer that the options made", () => {
    const physics = () => ({ step(_dt: number) {}, dispose() {}, gravity: 9.81 });
    const renderer = () => ({ render(_alpha: number) {}, dispose() {}, frames: 0 });
    const made = createGame({ physics, renderer: () => renderer() });
    expectTypeOf(made.physics.gravity).toBeNumber();
    expectTypeOf(made.renderer.frames).toBeNumber();
    expectTypeOf(game.physics).toBeUndefined();
    const any = (options: GameOptions) => createGame({ ...options, seed: 2 });
    expectTypeOf<ReturnType<typeof any>>().toExtend<Game>();
    expectTypeOf(made).toExtend<Game>();
    // @ts-expect-error there is no such option
    createGame({ phsyics: physics });
  });

  it("has the parts under their names, with the types that they make", () => {
    const loud = { create: (_: { readonly world: World }) => ({ loudness: 3, dispose() {} }) };
    const made = createGame({ parts: { loud } });
    expectTypeOf(made.parts.loud.loudness).toEqualTypeOf<number>();
    // @ts-expect-error no such part
    made.parts.quiet;
    const inline = createGame({
      parts: { clock: { create: (game) => ({ now: () => game.tick, dispose() {} }) } },
    });
    expectTypeOf(inline.parts.clock.now()).toEqualTypeOf<number>();
    const any: Game = made;
    expectTypeOf(any.parts).toExtend<Readonly<Record<string, RunningPart>>>();
    // @ts-expect-error a part makes something that can be disposed of
    createGame({ parts: { loud: { create: () => ({}) } } });
    // @ts-expect-error scenes are given by sceneFiles
    createGame({ scenes: { level: "{}" } });
  });
});
