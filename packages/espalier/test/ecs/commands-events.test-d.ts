import {
  component,
  createChannel,
  createCommands,
  createPackedChannel,
  createSchedule,
  createWorld,
  type Entity,
  type EventReader,
  type FlushResult,
  f32,
  resource,
  type SystemContext,
} from "espalier";
import { describe, expectTypeOf, it } from "vitest";

const world = createWorld();
const Position = component("Position", { x: f32() });

describe("commands", () => {
  it("are typed like the calls of the world", () => {
    const commands = createCommands(world);
    const e = commands.spawn(Position({ x: 1 }));
    expectTypeOf(e).toEqualTypeOf<Entity>();
    commands.set(e, Position, { x: 1 });
    // @ts-expect-error Position has no field z
    commands.set(e, Position, { z: 1 });
    // @ts-expect-error a number is not an entity
    commands.destroy(5);
    const Score = resource("Score", () => 0);
    commands.setResource(Score, 1);
    // @ts-expect-error Score is a number
    commands.setResource(Score, "high");
    expectTypeOf(commands.flush()).toEqualTypeOf<FlushResult>();
  });
});

describe("channels", () => {
  it("are typed by their payload", () => {
    const news = createChannel<{ text: string }>(world, "news");
    expectTypeOf(news.reader().read()).toEqualTypeOf<{ text: string }[]>();
    // @ts-expect-error the payload has a text
    news.emit({ text: 5 });
    const packed = createPackedChannel(world, "hits", {
      width: 1,
      decode: (numbers, at) => `${numbers[at]}`,
    });
    expectTypeOf(packed.reader()).toEqualTypeOf<EventReader<string>>();
    // @ts-expect-error numbers only
    packed.emit("5");
  });

  it("give readers that fit where more is accepted", () => {
    const reader: EventReader<string | number> = createChannel<string>(world, "news").reader();
    expectTypeOf(reader.read()).toEqualTypeOf<(string | number)[]>();
  });
});

describe("systems", () => {
  it("get a context that they cannot change", () => {
    createSchedule(world).add({
      name: "a",
      reads: [Position, resource<string>("Name")],
      run: (context) => {
        expectTypeOf(context).toEqualTypeOf<SystemContext>();
        // @ts-expect-error read only
        context.dt = 1;
      },
    });
  });
});
