import { Attached, createGame, Follow, type Game, whenGone } from "espalier/game";
import { Camera } from "espalier/render";
import { describe, expect, it } from "vitest";

const screen = (game: Game, width: number, height: number) =>
  game.input.feed({ type: "resize", width, height });

describe("a camera that follows", () => {
  it("is where its target is, with its offset", () => {
    const game = createGame();
    const boat = game.spawn(game.space.at(50, 10));
    const mast = boat.spawn(game.space.at(0, 5));
    const camera = game.spawn(game.space.at(0, 0), Camera, Follow({ target: mast.id, offsetX: 2 }));
    game.step();
    expect(camera.absolutePosition).toEqual({ x: 52, y: 15 });
  });

  it("comes nearer step by step with damping, however long a step is", () => {
    const after = (step: number) => {
      const game = createGame({ step });
      const target = game.spawn(game.space.at(100, 0));
      const camera = game.spawn(game.space.at(0, 0), Camera, Follow({ target: target.id, damping: 0.5 }));
      game.step(Math.round(0.5 / step));
      return camera.x;
    };
    expect(after(0.1)).toBeCloseTo(100 * (1 - Math.exp(-1)), 2);
    expect(after(0.01)).toBeCloseTo(after(0.1), 2);
  });

  it("keeps what it sees within bounds, and the middle where it sees more", () => {
    const game = createGame();
    const target = game.spawn(game.space.at(-1000, 1000));
    const bounds = { bounded: true, minX: 0, minY: 0, maxX: 400, maxY: 50 };
    const camera = game.spawn(
      game.space.at(0, 0),
      Camera({ zoom: 2 }),
      Follow({ target: target.id, ...bounds }),
    );
    screen(game, 200, 200);
    game.step();
    expect(camera.absolutePosition).toEqual({ x: 50, y: 25 });
  });

  it("stays where it is when its target is destroyed", () => {
    const game = createGame();
    const target = game.spawn(game.space.at(5, 5));
    const camera = game.spawn(game.space.at(0, 0), Camera, Follow({ target: target.id }));
    game.step();
    target.destroy();
    game.step();
    expect(camera.absolutePosition).toEqual({ x: 5, y: 5 });
  });
});

describe("a gizmo", () => {
  it("follows an entity without being its child", () => {
    const game = createGame();
    const tank = game.spawn(game.space.at(10, 0, Math.PI / 2));
    const layer = game.spawn(game.space.at(100, 100));
    const gizmo = layer.spawn(game.space.at(0, 0), Attached({ target: tank.id, x: 5, turns: true }));
    game.step();
    expect(gizmo.absolutePosition.x).toBeCloseTo(10, 4);
    expect(gizmo.absolutePosition.y).toBeCloseTo(5, 4);
    expect(gizmo.absoluteRotation).toBeCloseTo(Math.PI / 2, 5);
    expect([gizmo.parent, tank.children.length]).toEqual([layer, 0]);
  });

  it("outlives its target or is destroyed with it, depending on whenGone", () => {
    const game = createGame();
    const tank = game.spawn(game.space.at(10, 0));
    const kept = game.spawn(game.space.at(0, 0), Attached({ target: tank.id }));
    const going = game.spawn(game.space.at(0, 0), Attached({ target: tank.id, whenGone: whenGone.destroy }));
    game.step();
    tank.destroy();
    game.step();
    expect([kept.isAlive, kept.x, going.isAlive]).toEqual([true, 10, false]);
  });
});
