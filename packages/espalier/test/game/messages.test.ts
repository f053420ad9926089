import { createGame, message, Tick } from "espalier/game";
import { describe, expect, it } from "vitest";

const Scored = message<{ points: number }>("Scored");
const Over = message("Over");

describe("messages", () => {
  it("reach all listeners, in the order of subscription", () => {
    const game = createGame();
    const said: string[] = [];
    game.listenFor(Scored, ({ points }) => void said.push(`first ${points}`));
    const second = ({ points }: { points: number }) => void said.push(`second ${points}`);
    game.listenFor(Scored, second);
    game.send(Scored, { points: 1 });
    expect(game.unlistenFrom(Scored, second)).toBe(true);
    expect(game.unlistenFrom(Scored, second)).toBe(false);
    game.send(Scored, { points: 2 });
    game.send(Over);
    expect(said).toEqual(["first 1", "second 1", "first 2"]);
  });

  it("come with every step as Tick", () => {
    const game = createGame({ step: 0.5 });
    const ticks: unknown[] = [];
    game.listenFor(Tick, (tick) => void ticks.push(tick));
    game.step(2);
    expect(ticks).toEqual([
      { dt: 0.5, tick: 0, time: 0 },
      { dt: 0.5, tick: 1, time: 0.5 },
    ]);
  });

  it("are listened for by an entity until it is destroyed", () => {
    const game = createGame();
    let count = 0;
    const tank = game.spawn();
    game.listenFor(Over, () => void count++, tank);
    game.send(Over);
    tank.destroy();
    game.send(Over);
    expect(count).toBe(1);
  });

  it("do not reach listeners that were ended or added meanwhile", () => {
    const game = createGame();
    const said: string[] = [];
    let end = () => {};
    game.listenFor(Over, () => {
      end();
      game.listenFor(Over, () => void said.push("late"));
    });
    end = game.listenFor(Over, () => void said.push("ended"));
    game.send(Over);
    expect(said).toEqual([]);
    game.send(Over);
    expect(said).toEqual(["late"]);
  });

  it("report a listener that throws, and continue", () => {
    const errors: string[] = [];
    const game = createGame({ onError: (error) => errors.push(String(error)) });
    let count = 0;
    game.listenFor(Over, () => {
      throw new Error("no");
    });
    game.listenFor(Over, () => void count++);
    game.send(Over);
    expect([count, errors]).toEqual([
      1,
      ["MessageListenerError: A listener of Over threw: no [game/message-listener]"],
    ]);
  });

  it("are refused when they were never declared", () => {
    const game = createGame();
    expect(() => game.send("Over" as unknown as typeof Over)).toThrow(
      'Cannot send "Over": it was never declared.',
    );
    expect(() => game.listenFor(undefined as never, () => {})).toThrow("game/unknown-message");
    expect(() => game.listenFor(Over, 5 as never)).toThrow("Cannot listen for Over with 5.");
    expect(() => message("")).toThrow('Cannot describe a message named ""');
    game.stop();
    expect(() => game.send(Over)).toThrow("game/stopped");
  });
});
