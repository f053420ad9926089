import { changesOf, createWorld, type Entity } from "espalier";
import {
  AnimationEnded,
  animationPart,
  type ClipDirection,
  createSpriteAnimations,
  InvalidAnimationValueError,
  InvalidClipError,
  readAtlas,
  SpriteAnimation,
  type SpriteAnimationsOptions,
  UnknownClipError,
} from "espalier/animation";
import { createGame, State } from "espalier/game";
import { createEntityEvents, createHierarchy, entityEvent } from "espalier/hierarchy";
import { createHistory } from "espalier/history";
import { Active, TimeScale } from "espalier/inherit";
import { Sprite } from "espalier/render";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const frame = (x: number, duration = 100, more = {}) => ({
  frame: { x, y: 0, w: 8, h: 8 },
  duration,
  ...more,
});
const atlas = readAtlas(
  {
    frames: { a: frame(0), b: frame(8), c: frame(16, 200), d: frame(24, 100, { anchor: { x: 0, y: 1 } }) },
    meta: {
      frameTags: [
        { name: "run", from: 0, to: 2, direction: "forward" },
        { name: "jump", from: 1, to: 3, direction: "forward", repeat: "1" },
        { name: "back", from: 0, to: 2, direction: "reverse", repeat: "2" },
        { name: "sway", from: 0, to: 2, direction: "pingpong" },
        { name: "swing", from: 0, to: 2, direction: "pingpong_reverse", repeat: "2" },
      ],
    },
  },
  { events: { run: { 0: "start", 2: "step" }, jump: { 0: "start" } } },
);

function setUp(options: SpriteAnimationsOptions = {}) {
  const errors: unknown[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const tree = createHierarchy(world);
  const events = createEntityEvents(tree);
  const animations = createSpriteAnimations(tree, { events, atlases: { hero: atlas }, ...options });
  const spawn = (values: Parameters<typeof SpriteAnimation>[0]) =>
    world.spawn(Sprite({ texture: "hero" }), SpriteAnimation(values));
  const frameOf = (entity: Entity) => world.get(entity, Sprite)!.frame;
  /** The frames after each of some steps of a tenth of a second. */
  const frames = (entity: Entity, steps: number) => {
    let shown = "";
    for (let k = 0; k < steps; k++) {
      animations.step(0.1);
      shown += frameOf(entity);
    }
    return shown;
  };
  return { world, tree, events, animations, spawn, frameOf, frames, errors };
}

describe("sprite animations", () => {
  it("show the frames of each direction in the order of Aseprite", () => {
    const { spawn, frames } = setUp();
    expect(frames(spawn({ clip: "run" }), 9)).toBe("bccabccab");
    expect(frames(spawn({ clip: "jump" }), 6)).toBe("ccdddd");
    expect(frames(spawn({ clip: "back" }), 10)).toBe("cbaccbaaaa");
    expect(frames(spawn({ clip: "sway" }), 10)).toBe("bccbabccba");
    expect(frames(spawn({ clip: "swing" }), 8)).toBe("cbabcccc");
  });

  it("change frames exactly in the sixth step of sixty per second", () => {
    const { spawn, animations, frameOf } = setUp();
    const hero = spawn({ clip: "run" });
    for (let k = 0; k < 5; k++) animations.step(1 / 60);
    expect(frameOf(hero)).toBe("a");
    animations.step(1 / 60);
    expect(frameOf(hero)).toBe("b");
  });

  it("obey speed, playing and loop", () => {
    const { world, spawn, frames, frameOf, animations } = setUp();
    expect(frames(spawn({ clip: "run", speed: 2 }), 3)).toBe("cac");
    expect(frames(spawn({ clip: "run", playing: false, time: 0.1 }), 3)).toBe("bbb");
    expect(frames(spawn({ clip: "run", loop: "once" }), 6)).toBe("bccccc");
    expect(frames(spawn({ clip: "jump", loop: "forever" }), 6)).toBe("ccdbcc");
    const hero = spawn({ clip: "run", speed: 0 });
    animations.step(0.1);
    world.set(hero, SpriteAnimation, { time: 0.3 });
    animations.step(0);
    expect(frameOf(hero)).toBe("c");
  });

  it("do not move where the entity or one above it is not active, and continue where they were", () => {
    const { world, tree, spawn, frames } = setUp();
    const level = world.spawn(Active);
    const hero = spawn({ clip: "run" });
    tree.attach(hero, level);
    expect(frames(hero, 1)).toBe("b");
    world.set(level, Active, { on: false });
    expect(frames(hero, 5)).toBe("bbbbb");
    world.set(level, Active, { on: true });
    expect(frames(hero, 2)).toBe("cc");
  });

  it("follow the pace of time and the state of each entity", () => {
    const states = new Map<Entity, string>();
    const { world, spawn, frames } = setUp({ stateOf: (it) => states.get(it) });
    const slow = spawn({ clip: "run" });
    world.add(slow, TimeScale({ value: 0.5 }));
    expect(frames(slow, 4)).toBe("abbc");
    const hero = spawn({});
    expect(frames(hero, 1)).toBe("");
    states.set(hero, "run");
    expect(frames(hero, 2)).toBe("bc");
  });

  it("play the clip of each state from its start, and take that back with an undo", () => {
    let state: string | null = "run";
    const { world, animations, spawn, frameOf } = setUp({ stateOf: () => state });
    const history = createHistory(world);
    const hero = spawn({ time: 0.1 });
    animations.step(0.1);
    expect([frameOf(hero), world.get(hero, SpriteAnimation)!.time]).toEqual(["c", 0.2]);
    history.commit();
    state = "jump";
    animations.step(0.05);
    expect([frameOf(hero), world.get(hero, SpriteAnimation)!.time]).toEqual(["b", 0.05]);
    history.commit();
    history.undo();
    state = "run";
    animations.step(0);
    expect([frameOf(hero), world.get(hero, SpriteAnimation)!.time]).toEqual(["c", 0.2]);
    state = null;
    animations.step(1);
    expect(frameOf(hero)).toBe("c");
  });

  it("write the anchor of a frame that has one", () => {
    const { world, spawn, frames } = setUp();
    const hero = spawn({ clip: "jump" });
    expect(frames(hero, 3)).toBe("ccd");
    expect(world.get(hero, Sprite)).toMatchObject({ anchorX: 0, anchorY: 1 });
  });

  it("write nothing but the time while the frame stays the same", () => {
    const { world, spawn, animations } = setUp();
    spawn({ clip: "run" });
    animations.step(0.01);
    const reader = changesOf(world, Sprite);
    for (let k = 0; k < 8; k++) animations.step(0.01);
    expect(reader.pending).toBe(0);
    animations.step(0.01);
    expect(reader.pending).toBe(1);
  });

  it("send the events of frames and the end of clips to their entity", () => {
    const { events, spawn, frames, tree, world } = setUp();
    const Step = entityEvent<void>("step");
    const Start = entityEvent<void>("start");
    const level = world.spawn();
    const hero = spawn({ clip: "run" });
    tree.attach(hero, level);
    const log: string[] = [];
    events.on(level, Step, () => log.push("step"));
    events.on(hero, Start, () => log.push("start"));
    events.on(hero, AnimationEnded, ({ payload }) => log.push(`ended ${payload.clip}`));
    frames(hero, 9);
    expect(log).toEqual(["start", "step", "start", "step", "start"]);
    log.length = 0;
    world.set(hero, SpriteAnimation, { clip: "jump", time: 0 });
    frames(hero, 9);
    expect(log).toEqual(["start", "ended jump"]);
  });

  it("let a handler start another clip, and destroy the entity", () => {
    const { events, spawn, frames, world, animations } = setUp();
    const hero = spawn({ clip: "jump" });
    events.on(hero, AnimationEnded, () => world.set(hero, SpriteAnimation, { clip: "run", time: 0 }), {
      once: true,
    });
    expect(frames(hero, 6)).toBe("ccddbc");
    events.on(hero, AnimationEnded, () => void world.destroy(hero));
    world.set(hero, SpriteAnimation, { clip: "jump", time: 0 });
    animations.step(10);
    expect(world.isAlive(hero)).toBe(false);
  });

  it("send at most one round of events for a very long step", () => {
    const { events, spawn, animations } = setUp();
    const Step = entityEvent<void>("step");
    const hero = spawn({ clip: "run" });
    let steps = 0;
    events.on(hero, Step, () => void steps++);
    animations.step(1e9);
    expect(steps).toBe(1);
  });

  it("refuse an unknown clip when it is written, with the name that was meant, and change nothing", () => {
    const { world, spawn } = setUp();
    const hero = spawn({ clip: "run" });
    expect(() => world.set(hero, SpriteAnimation, { clip: "jmup", time: 3 })).toThrow(UnknownClipError);
    expect(() => world.set(hero, SpriteAnimation, { clip: "jmup" })).toThrow('Did you mean "jump"?');
    expect(world.get(hero, SpriteAnimation)).toMatchObject({ clip: "run", time: 0 });
    const count = world.count;
    expect(() => spawn({ clip: "jmup" })).toThrow(UnknownClipError);
    expect(world.count).toBe(count);
  });

  it("report once what only the step can see: a clip of another atlas, a texture without one", () => {
    const { world, animations, errors } = setUp();
    animations.add("tree", readAtlas({ frames: { t: frame(0) }, animations: { sway: ["t"] } }));
    world.spawn(Sprite({ texture: "tree" }), SpriteAnimation({ clip: "run" }));
    world.spawn(Sprite({ texture: "rock" }), SpriteAnimation({ clip: "run" }));
    for (let k = 0; k < 3; k++) animations.step(0.1);
    expect(errors.map((error) => (error as UnknownClipError).code)).toEqual([
      "animation/unknown-clip",
      "animation/unknown-clip",
    ]);
    expect(String(errors[0])).toContain('the atlas "tree" has no such clip');
    expect(String(errors[1])).toContain('the texture "rock" has no atlas');
  });

  it("refuse negative times and speeds, and invalid steps", () => {
    const { world, spawn, animations } = setUp();
    const hero = spawn({ clip: "run" });
    for (const values of [{ time: -1 }, { speed: -0.5 }]) {
      expect(() => world.set(hero, SpriteAnimation, values)).toThrow(InvalidAnimationValueError);
      expect(() => spawn(values)).toThrow(InvalidAnimationValueError);
    }
    expect(() => world.set(hero, SpriteAnimation, { time: Number.NaN })).toThrow("takes a finite number");
    for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, "1" as unknown as number])
      expect(() => animations.step(seconds)).toThrow(InvalidAnimationValueError);
  });

  it("are undone with everything else", () => {
    const { world, spawn, frameOf, animations } = setUp();
    const hero = spawn({ clip: "run" });
    const history = createHistory(world);
    history.step("animate", () => animations.step(0.2));
    expect(frameOf(hero)).toBe("c");
    history.undo();
    expect(world.get(hero, SpriteAnimation)!.time).toBe(0);
    expect(frameOf(hero)).toBe("");
  });

  it("join a game as a part", () => {
    const game = createGame({
      parts: { animations: animationPart({ atlases: { hero: atlas } }) },
      step: 0.1,
    });
    const level = game.spawn(TimeScale);
    const hero = level.spawn(Sprite({ texture: "hero" }), SpriteAnimation({ clip: "jump" }));
    const ended: string[] = [];
    hero.on(AnimationEnded, ({ payload }) => void ended.push(payload.clip));
    game.step(1);
    level.set(TimeScale, { value: 0 });
    game.step(10);
    expect(hero.get(Sprite).frame).toBe("c");
    level.set(TimeScale, { value: 1 });
    game.step(4);
    expect(hero.get(Sprite).frame).toBe("d");
    expect(ended).toEqual(["jump"]);
    expect(game.parts.animations.find("hero")).toBe(atlas);
    game.stop();
  });

  it("play the clip named like the nearest State of their game where they name none", () => {
    const game = createGame({ parts: { animations: animationPart({ atlases: { hero: atlas } }) } });
    const hero = game.spawn(State({ now: "run" }));
    const body = hero.spawn(Sprite({ texture: "hero" }), SpriteAnimation);
    const other = game.spawn(Sprite({ texture: "hero" }), SpriteAnimation);
    game.step(7);
    expect([body.get(Sprite).frame, other.get(Sprite).frame]).toEqual(["b", ""]);
    expect([game.stateOf(body), game.stateOf(other.id)]).toEqual(["run", null]);
    hero.set(State, { now: "jump" });
    game.step(1);
    expect(body.get(Sprite).frame).toBe("b");
    expect(body.get(SpriteAnimation)).toMatchObject({ clip: "", state: "jump", time: 1 / 60 });
    game.step(100);
    expect(body.get(Sprite).frame).toBe("d");
  });

  it("refuse a handwritten atlas without directions or events, and options that do not exist", () => {
    const { animations, tree } = setUp();
    const run = { ...atlas.clips.run!, direction: "sideways" as ClipDirection };
    expect(() => animations.add("other", { ...atlas, clips: { run } })).toThrow(InvalidClipError);
    const silent = { ...atlas.clips.run!, events: undefined as never };
    expect(() => animations.add("other", { ...atlas, clips: { silent } })).toThrow(InvalidClipError);
    expect(animations.find("other")).toBeUndefined();
    expect(() => createSpriteAnimations(tree, { paceOf: () => 1 } as never)).toThrow(/paceOf/);
  });

  it("end with dispose", () => {
    const { world, spawn, animations } = setUp();
    const hero = spawn({ clip: "run" });
    animations.dispose();
    world.set(hero, SpriteAnimation, { clip: "anything", speed: -1 });
    animations.step(1);
    expect(world.get(hero, Sprite)!.frame).toBe("");
  });

  it("agree with a slow, obvious player for random clips, speeds and steps", () => {
    const directions: ClipDirection[] = ["forward", "reverse", "pingpong", "pingpong_reverse"];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...directions),
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 }),
        (durations, direction, repeat, steps) => {
          const names = durations.map((_, k) => `f${k}`);
          const frames = Object.fromEntries(
            durations.map((ticks, k) => [names[k], frame(k * 8, ticks * 10)]),
          );
          const events = { clip: Object.fromEntries(names.map((name, k) => [k, name])) };
          const clips = { clip: { frames: names, direction, repeat } };
          const world = createWorld();
          const tree = createHierarchy(world);
          const sent: string[] = [];
          const entityEvents = createEntityEvents(tree);
          const animations = createSpriteAnimations(tree, {
            events: entityEvents,
            atlases: { twin: readAtlas({ frames }, { clips, events }) },
          });
          const hero = world.spawn(Sprite({ texture: "twin" }), SpriteAnimation({ clip: "clip" }));
          for (const name of names) entityEvents.on(hero, entityEvent<void>(name), () => sent.push(name));
          let ended = 0;
          entityEvents.on(hero, AnimationEnded, () => void ended++);
          // Hundredths of a second, one by one, as a list of frames.
          const twin = slowList(durations, direction, repeat, 1300);
          let tick = 0;
          for (const step of steps) {
            animations.step(step / 100);
            const before = tick;
            tick += step;
            const expected: string[] = [];
            for (let t = before; t < tick; t++)
              if (twin.begins[t]) expected.push(names[twin.shown[t] as number]!);
            const round = durations.reduce((sum, each) => sum + each, 0);
            // More than a round at once is shortened.
            if (step <= round) expect(sent).toEqual(expected);
            sent.length = 0;
            const at = Math.min(tick, twin.shown.length - 1);
            expect(world.get(hero, Sprite)!.frame).toBe(names[twin.shown[at] as number]);
          }
          expect(ended).toBe(repeat > 0 && tick >= twin.length ? 1 : 0);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** What is shown in each hundredth of a second, and whether a frame begins there; played literally, frame after frame. */
function slowList(durations: readonly number[], direction: ClipDirection, repeat: number, most: number) {
  const last = durations.length - 1;
  const shown: number[] = [];
  const begins: boolean[] = [];
  let way = direction.endsWith("reverse") ? -1 : 1;
  let at = way > 0 ? 0 : last;
  let passes = 1;
  for (;;) {
    for (let k = 0; k < durations[at]!; k++) {
      begins[shown.length] = k === 0;
      shown.push(at);
    }
    const isEnd = way > 0 ? at === last : at === 0;
    if (!isEnd) {
      at += way;
      continue;
    }
    if (repeat > 0 && passes >= repeat) break;
    if (shown.length > most) break;
    passes++;
    if (!direction.startsWith("pingpong")) at = way > 0 ? 0 : last;
    else if (last > 0) {
      way = -way;
      at += way;
    }
  }
  return { shown, begins, length: shown.length };
}
