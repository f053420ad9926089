import { f32 } from "espalier";
import {
  type AnyInput,
  behaviour,
  createGame,
  createTimers,
  type Game,
  type InputRecording,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { takeSnapshot } from "espalier/history";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const Pop = entityEvent("pop");

const Mover = behaviour(
  "Mover",
  { speed: f32(40) },
  {
    update({ entity, game, values }, dt) {
      const { x, y } = game.input.vector("move");
      entity.setPosition(entity.x + x * values.speed * dt, entity.y + y * values.speed * dt);
      entity.rotation += game.random() * dt;
      if (!game.input.pressed("fire")) return;
      const shell = game.spawn(game.space.at(entity.x, entity.y, entity.rotation));
      shell.on(Pop, () => void shell.destroy());
      game.timers.tween(
        shell,
        Transform2D,
        { x: entity.x + 100 },
        { seconds: 0.7, easing: "sineInOut", arrived: Pop },
      );
    },
  },
);

function tankGame(seed = 5): Game {
  const game = createGame({
    timers: createTimers,
    behaviours: [Mover],
    seed,
    actions: {
      move: { left: ["KeyA"], right: ["KeyD"], up: ["KeyW"], down: ["KeyS"], sticks: [0] },
      fire: ["Space"],
    },
  });
  const tank = game.spawn(game.space.at(3, 4), Mover);
  tank.spawn(game.space.at(0, 2));
  return game;
}

/** A player who hammers on the keys, over frames of any length. */
function play(game: Game): InputRecording {
  game.startRecording();
  let state = 12345;
  const random = () => (state = (state * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  const codes = ["KeyA", "KeyD", "KeyW", "KeyS", "Space"];
  for (let frame = 0; frame < 400; frame++) {
    const events: AnyInput[] = [];
    if (random() < 0.4)
      events.push({ type: "key", code: codes[Math.floor(random() * 5)] as string, down: random() < 0.6 });
    if (random() < 0.1)
      events.push({ type: "gamepad", index: 0, axes: [random() * 2 - 1, random() * 2 - 1], buttons: [] });
    game.input.feed(...events);
    game.advance(random() * 0.04);
  }
  return game.stopRecording();
}

const bytes = (game: Game) => new Uint8Array(takeSnapshot(game.world, { trees: [game.tree] }));

describe("recorded input", () => {
  it("replays headless to the same world, bit by bit", () => {
    const played = tankGame();
    const recording = play(played);
    const replayed = tankGame().replay(JSON.parse(JSON.stringify(recording)));
    expect(replayed.tick).toBe(played.tick);
    expect(played.tick).toBeGreaterThan(300);
    expect(played.world.count).toBeGreaterThan(3);
    expect(bytes(replayed)).toEqual(bytes(played));
    expect(replayed.random.state).toBe(played.random.state);
  });

  it("gives a different world when the first ten of its steps are missing, so that the comparison means something", () => {
    const played = tankGame();
    const recording = play(played);
    const shorter = { ...recording, events: recording.events.slice(10) };
    expect(bytes(tankGame().replay(shorter))).not.toEqual(bytes(played));
  });

  it("keeps live input out while it plays, and lets it in again", () => {
    const recording = play(tankGame());
    const game = tankGame();
    game.system("noise", () => game.input.feed({ type: "key", code: "Space", down: true }));
    game.replay(recording);
    game.step(2);
    expect(game.input.isDown("fire")).toBe(true);
  });

  it("is refused when it does not fit the game", () => {
    const recording: InputRecording = { version: 1, step: 1 / 60, seed: 5, steps: 3, events: [] };
    expect(() => tankGame(6).replay(recording)).toThrow("it was made with seed 5, and this game has 6");
    expect(() => tankGame().replay({ ...recording, step: 0.5 })).toThrow("steps of 0.5 seconds");
    expect(() => tankGame().replay({ ...recording, version: 2 as never })).toThrow("it has version 2");
    expect(() => tankGame().replay(5 as never)).toThrow("it is 5, not what game.stopRecording() gives");
    expect(() =>
      tankGame().replay({
        ...recording,
        events: [
          [2, []],
          [1, []],
        ],
      }),
    ).toThrow("step 1 is damaged");
    expect(() => tankGame().step().replay(recording)).toThrow("this game has made 1 steps");
  });
});
