import { observe } from "espalier";
import { createGame, createTimers, type Game, type InputRecording, sceneFiles } from "espalier/game";
import { takeSnapshot } from "espalier/history";
import {
  Collider,
  createPhysics,
  DisposedPhysicsError,
  type Physics,
  physicsComponents,
  RigidBody,
} from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Transform2D } from "espalier/transform";
import { beforeAll, describe, expect, it } from "vitest";

let engine: Awaited<ReturnType<typeof loadBox2D>>;
beforeAll(async () => {
  engine = await loadBox2D();
});

function boxGame(): Game {
  const game = createGame({
    components: [physicsComponents],
    actions: { jump: ["Space"] },
    physics: ({ space }) => createPhysics(space, engine, { gravity: { x: 0, y: -10 } }),
  });
  const ground = game.spawn(
    game.space.at(0, -1),
    RigidBody({ type: 0 }),
    Collider({ shapes: [{ type: "box", width: 40, height: 2 }] }),
  );
  ground.name = "ground";
  const crate = game.spawn(
    game.space.at(0, 6, 0.4),
    RigidBody,
    Collider({ shapes: [{ type: "box", width: 1, height: 1 }] }),
  );
  crate.name = "crate";
  const flag = crate.spawn(game.space.at(0, 1));
  flag.name = "flag";
  game.system("jump", () => {
    if (game.input.pressed("jump")) crate.setPosition(crate.x, crate.y + 3);
  });
  return game;
}

describe("a game with Box2D", () => {
  it("has the components of physics in its scene files, and in tweens that name them", async () => {
    const game = createGame({
      timers: createTimers,
      physics: ({ space }) => createPhysics(space, engine),
      scenes: sceneFiles({
        yard: {
          entities: [
            {
              id: "crate",
              components: {
                Transform2D: { y: 4 },
                RigidBody: {},
                Collider: { shapes: [{ type: "circle", radius: 1 }] },
              },
            },
          ],
        },
      }),
    });
    const scene = await game.load("yard");
    expect(game.format.components).toEqual(expect.arrayContaining(["RigidBody", "Collider", "Joint"]));
    expect(scene.save()).toContain('"RigidBody"');
    const crate = game.entity(scene.entity("crate"));
    game.timers.sequence(crate, [{ tween: "RigidBody", to: { gravityScale: 0 }, seconds: 0.05 }]);
    game.step(10);
    expect(crate.y).toBeLessThan(4);
    expect(crate.get(RigidBody).gravityScale).toBe(0);
    game.stop();
  });

  it("steps it after the systems, and children follow the body", () => {
    const game = boxGame();
    game.step(120);
    const [crate, flag] = [game.find("/crate"), game.find("/crate/flag")];
    expect(crate?.y).toBeLessThan(1);
    expect(crate?.y).toBeGreaterThan(0);
    const apart = Math.hypot(
      (crate?.absolutePosition.x ?? 0) - (flag?.absolutePosition.x ?? 0),
      (crate?.absolutePosition.y ?? 0) - (flag?.absolutePosition.y ?? 0),
    );
    expect(apart).toBeCloseTo(1, 3);
    game.stop();
  });

  it("may be stopped by an observer of what physics writes", () => {
    const errors: Error[] = [];
    const game = createGame({
      components: [physicsComponents],
      physics: ({ space }) => createPhysics(space, engine, { gravity: { x: 0, y: -10 } }),
      onError: (error) => errors.push(error),
    });
    game.spawn(game.space.at(0, 6), RigidBody, Collider({ shapes: [{ type: "circle", radius: 1 }] }));
    observe(game.world, Transform2D, { set: () => game.stop() });
    game.step(3);
    expect([game.isStopped, game.tick, errors]).toEqual([true, 1, []]);
    expect(() => (game.physics as Physics).step(1 / 60)).toThrow(DisposedPhysicsError);
  });

  it("replays recorded input to the same world, bit by bit", () => {
    const played = boxGame();
    played.startRecording();
    for (let frame = 0; frame < 100; frame++) {
      if (frame % 37 === 5) played.input.feed({ type: "key", code: "Space", down: frame % 2 === 0 });
      if (frame % 37 === 9) played.input.feed({ type: "blur" });
      played.advance(0.011 + (frame % 3) * 0.01);
    }
    const recording: InputRecording = JSON.parse(JSON.stringify(played.stopRecording()));
    const replayed = boxGame().replay(recording);
    const bytes = (game: Game) => new Uint8Array(takeSnapshot(game.world, { trees: [game.tree] }));
    expect(bytes(replayed)).toEqual(bytes(played));
    played.stop();
    replayed.stop();
  });
});
