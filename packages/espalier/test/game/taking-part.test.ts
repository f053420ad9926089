import { f32 } from "espalier";
import { Attached, behaviour, createGame, createTimers, Follow, sceneFiles } from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { Active, TimeScale } from "espalier/inherit";
import {
  Camera,
  type CameraView,
  createParticles,
  createRecordingRenderer,
  ParticleEmitter,
  rect,
} from "espalier/render";
import { Transform2D } from "espalier/transform";
import { describe, expect, it } from "vitest";

const STEP = 0.125;
const Beep = entityEvent("beep");
const Walker = behaviour(
  "Walker",
  { speed: f32(8) },
  {
    update: ({ entity, values }, dt) => void (entity.x += values.speed * dt),
  },
);

function plant() {
  const game = createGame({
    step: STEP,
    behaviours: [Walker],
    timers: createTimers,
    scenes: sceneFiles(),
    particles: ({ space }) => createParticles(space),
    renderer: ({ space }) => createRecordingRenderer(space),
  });
  const level = game.spawn(game.space.at(0, 0), Active, TimeScale);
  return { game, level };
}

const middle = ({ visible }: CameraView) => (visible.minX + visible.maxX) / 2;

describe("what does not take part", () => {
  it("is not drawn, not found, covers nothing, and is back at once", () => {
    const { game, level } = plant();
    const box = level.spawn(game.space.at(0, 0), rect(10, 10));
    const far = level.spawn(game.space.at(100, 0), rect(10, 10));
    const { renderer } = game;
    const found = () => [
      renderer.hitTest(0, 0),
      renderer.entitiesIn({ minX: -1, minY: -1, maxX: 101, maxY: 1 }).length,
      renderer.boundsOf(level.id, { subtree: true }).maxX,
      game.pick(0, 0)?.id ?? null,
    ];
    game.step();
    expect(found()).toEqual([box.id, 2, 105, box.id]);
    far.isActive = false;
    expect(found()).toEqual([box.id, 1, 5, box.id]);
    level.isActive = false;
    expect(found()).toEqual([null, 0, Number.NEGATIVE_INFINITY, null]);
    level.isActive = true;
    far.isActive = true;
    expect(found()).toEqual([box.id, 2, 105, box.id]);
  });

  it("is not used as the camera: the next one is", () => {
    const { game, level } = plant();
    const near = level.spawn(game.space.at(50, 0), Camera({ priority: 2 }));
    game.spawn(game.space.at(-50, 0), Camera({ priority: 1 }));
    game.step();
    expect([middle(game.view()), middle(game.renderer.cameraView())]).toEqual([50, 50]);
    level.isActive = false;
    game.step();
    expect([middle(game.view()), middle(game.renderer.cameraView())]).toEqual([-50, -50]);
    game.removeParent(near);
    game.step();
    expect(middle(game.view())).toBe(50);
  });

  it("does not move: timers, tweens, sequences, followers, attached ones and particles", () => {
    const { game, level } = plant();
    const said: string[] = [];
    const target = game.spawn(game.space.at(100, 0));
    const bomb = level.spawn(game.space.at(0, 0));
    bomb.on(Beep, () => void said.push(`beep at ${game.tick}`));
    game.timers.after(bomb, STEP * 4, Beep);
    game.timers.tween(bomb, Transform2D, { x: 8 }, { seconds: STEP * 8 });
    game.timers.sequence(bomb, [{ wait: STEP * 6 }, { emit: "beep" }]);
    const camera = level.spawn(game.space.at(0, 0), Follow({ target: target.id, damping: 1 }));
    const hat = level.spawn(game.space.at(0, 0), Attached({ target: target.id }));
    const smoke = level.spawn(game.space.at(0, 0), ParticleEmitter({ rate: 1 / STEP, lifetime: 100 }));
    game.step(2);
    const at = () => [bomb.x, camera.x, hat.x, game.particles?.of(smoke.id)?.count];
    const before = at();
    level.isActive = false;
    target.x = 200;
    game.step(20);
    expect(at()).toEqual(before);
    expect(said).toEqual([]);
    level.isActive = true;
    game.step(6);
    expect(said).toEqual(["beep at 24", "beep at 26"]);
    expect([bomb.x, hat.x, game.particles?.of(smoke.id)?.count]).toEqual([8, 200, 8]);
  });
});

describe("TimeScale", () => {
  it("slows behaviours, timers and tweens, down the tree", () => {
    const { game, level } = plant();
    const said: number[] = [];
    const walker = level.spawn(game.space.at(0, 0), Walker);
    const timed = level.spawn(game.space.at(0, 0));
    timed.on(Beep, () => void said.push(game.tick));
    game.timers.after(timed, STEP * 4, Beep);
    game.timers.tween(timed, Transform2D, { x: 8 }, { seconds: STEP * 8 });
    level.set(TimeScale, { value: 0.5 });
    game.step(8);
    expect([walker.x, timed.x]).toEqual([4, 4]);
    level.set(TimeScale, { value: 0 });
    game.step(8);
    expect([walker.x, timed.x]).toEqual([4, 4]);
    level.set(TimeScale, { value: 2 });
    game.step(2);
    expect([walker.x, timed.x]).toEqual([8, 8]);
    expect(said).toEqual([16]);
  });

  it("makes a timer and a sequence take as much longer", () => {
    const { game, level } = plant();
    const said: number[] = [];
    level.on(Beep, () => void said.push(game.tick));
    level.set(TimeScale, { value: 0.5 });
    game.timers.after(level, STEP * 4, Beep);
    game.timers.sequence(level, [{ wait: STEP * 6 }, { emit: "beep" }]);
    game.step(20);
    expect(said).toEqual([8, 12]);
  });

  it("keeps what does not move visible and clickable", () => {
    const { game, level } = plant();
    const button = level.spawn(game.space.at(0, 0), rect(10, 10));
    level.set(TimeScale, { value: 0 });
    game.step();
    expect(game.pick(0, 0)?.id).toBe(button.id);
  });

  it("is saved with the rest of slowed timers, which continue where they were", () => {
    const run = (interrupted: boolean) => {
      let { game, level } = plant();
      level.name = "level";
      level.set(TimeScale, { value: 0.25 });
      game.timers.tween(level, Transform2D, { x: 100 }, { seconds: STEP * 10 });
      game.step(7);
      if (interrupted) {
        const text = game.format.save(game.tree, [level.id]);
        game = plant().game;
        game.format.load(game.tree, text);
        level = game.find("/level")!;
      }
      game.step(9);
      return level.x;
    };
    expect(run(true)).toBe(run(false));
  });
});
