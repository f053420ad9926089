import { createGame } from "espalier/game";
import { createRecordingRenderer, rect } from "espalier/render";
import { describe, expect, it } from "vitest";

describe("a game with a renderer", () => {
  it("draws between the last two steps, and children with their parents", () => {
    const drawn: number[] = [];
    const game = createGame({
      step: 0.1,
      renderer: ({ space, interpolation }) => createRecordingRenderer(space, { interpolation }),
    });
    const top = game.spawn(game.space.at(0, 0));
    const box = top.spawn(game.space.at(0, 0), rect(1, 1));
    game.system("move", () => {
      top.x += 10;
    });
    const renderer = game.renderer as ReturnType<typeof createRecordingRenderer>;
    const look = () =>
      drawn.push(renderer.drawn().find(({ entity }) => entity === box.id)?.matrix.x ?? Number.NaN);
    for (let k = 0; k < 5; k++) {
      game.advance(0.05);
      look();
    }
    expect(drawn.map((x) => Math.round(x * 10) / 10)).toEqual([0, 0, 5, 10, 15]);
    expect(box.absolutePosition.x).toBe(20);
  });

  it("draws an entity at its position that moved, was read and then stood still, all within one frame", () => {
    const game = createGame({
      step: 0.1,
      renderer: ({ space, interpolation }) => createRecordingRenderer(space, { interpolation }),
    });
    const ball = game.spawn(game.space.at(0, 0), rect(1, 1));
    game.step();
    game.system("jump once", () => {
      if (ball.x === 0) ball.x = 50;
    });
    game.system({ name: "look", phase: "late", run: () => void game.pick(0, 0) });
    game.advance(0.2);
    const [node] = (game.renderer as ReturnType<typeof createRecordingRenderer>).drawn();
    expect(node.matrix.x).toBe(50);
  });

  it("keeps nothing when nothing is drawn, or when it is turned off", () => {
    expect(createGame().interpolation).toBeUndefined();
    const renderer = () => ({ render() {}, dispose() {} });
    expect(createGame({ renderer }).interpolation).toBeDefined();
    expect(createGame({ renderer, interpolate: false }).interpolation).toBeUndefined();
  });
});
