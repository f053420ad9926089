import { createWorld, type Entity } from "espalier";
import {
  AnimationEnded,
  checkClips,
  createKeyframes,
  InvalidAnimationValueError,
  InvalidClipError,
  KeyframeAnimation,
  type KeyframeClips,
  keyframePart,
  UnknownClipError,
  type ValueTrack,
} from "espalier/animation";
import { createGame } from "espalier/game";
import { createEntityEvents, createHierarchy, entityEvent } from "espalier/hierarchy";
import { Active, TimeScale } from "espalier/inherit";
import { Sprite } from "espalier/render";
import { createSceneFormat } from "espalier/scene";
import {
  createTransforms2D,
  type EasingName,
  easings,
  Transform2D,
  transformComponents,
} from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const move = (path: string, field: string, values: number[], more: Partial<ValueTrack> = {}): ValueTrack => ({
  path,
  component: "Transform2D",
  field,
  times: values.map((_, k) => k),
  values,
  ...more,
});

const clips: KeyframeClips = {
  open: {
    seconds: 1,
    tracks: [
      move("leaf", "rotation", [0, 1.5], { easing: "quadOut" }),
      { path: "", component: "Sprite", field: "frame", times: [0, 0.5], values: ["shut", "ajar"] },
      { path: "leaf", emit: "creak", times: [0.2, 0.6] },
    ],
  },
  sway: { seconds: 2, loop: true, tracks: [move("leaf", "x", [0, 10, 0])] },
  slide: { seconds: 2, tracks: [move("leaf", "x", [100, 100, 100]), move("leaf", "y", [0, 8])] },
};

function setUp(options: { clips?: KeyframeClips } = {}) {
  const errors: Error[] = [];
  const world = createWorld({ onError: (error) => errors.push(error) });
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const events = createEntityEvents(tree);
  const keyframes = createKeyframes(tree, { events, ...options });
  const spawn = (values: Parameters<typeof KeyframeAnimation>[0] = {}) => {
    const door = world.spawn(space.at(0, 0), Sprite, KeyframeAnimation({ clips, ...values }));
    const leaf = tree.attachNew(door, space.at(0, 0));
    tree.setName(leaf, "leaf");
    return { door, leaf };
  };
  return { world, tree, space, events, keyframes, spawn, errors };
}

describe("checkClips", () => {
  it("finds targets, components, fields and clips that do not exist, in every clip of an entity", () => {
    const { world, tree, spawn } = setUp();
    const all: KeyframeClips = {
      good: { seconds: 1, tracks: [move("leaf", "x", [0, 1]), { path: "leaf", emit: "creak", times: [0] }] },
      lost: { seconds: 1, tracks: [move("leef", "x", [0, 1]), { path: "a/b", emit: "creak", times: [0] }] },
      bare: { seconds: 1, tracks: [{ ...move("leaf", "x", [0, 1]), component: "Sprite" }] },
      field: { seconds: 1, tracks: [move("leaf", "rotaton", [0, 1])] },
      kind: {
        seconds: 1,
        tracks: [
          { path: "leaf", component: "Transform2D", field: "x", times: [0, 1], values: ["left", "right"] },
          { path: "", component: "Sprite", field: "flipX", times: [0], values: [1] },
          { path: "", component: "Sprite", field: "frame", times: [0], values: ["ajar"] },
        ],
      },
    };
    const { door } = spawn({ clips: all });
    tree.setName(door, "door");
    expect(checkClips(tree).map(({ clip, message }) => [clip, message])).toEqual([
      ["lost", '/door cannot play all of "lost": there is nothing at "leef".'],
      ["lost", '/door cannot play all of "lost": there is nothing at "a/b".'],
      ["bare", expect.stringMatching(/^\/door cannot play all of "bare": .* has no "Sprite"\.$/)],
      ["field", expect.stringMatching(/has no field "rotaton"\. Did you mean "rotation"\?$/)],
      ["kind", expect.stringContaining('Transform2D.x takes a finite number, got "left"')],
      ["kind", expect.stringMatching(/Sprite\.flipX takes .*, got 1/)],
    ]);
    world.destroy(door);
    expect(checkClips(tree)).toEqual([]);
  });

  it("finds clips that cannot be played at all, and continues with the other entities", () => {
    const world = createWorld();
    const tree = createHierarchy(world);
    world.spawn(KeyframeAnimation({ clips: { open: {} } as never }));
    const lost = { seconds: 1, tracks: [move("leef", "x", [0, 1])] };
    world.spawn(KeyframeAnimation({ clips: { lost } }));
    expect(checkClips(tree).map(({ clip, message }) => [clip, message])).toEqual([
      ["", expect.stringContaining('cannot play its clips: the clip "open" has undefined seconds')],
      ["lost", expect.stringContaining('there is nothing at "leef".')],
    ]);
  });

  it("checks shared clips that entities play, and their names, when it is given them", () => {
    const shared = { open: clips.open!, shut: { seconds: 1, tracks: [move("lock", "x", [0, 1])] } };
    const world = createWorld();
    const tree = createHierarchy(world);
    world.spawn(KeyframeAnimation({ clip: "opne" }));
    const door = world.spawn(KeyframeAnimation({ clip: "shut" }));
    expect(checkClips(tree)).toEqual([]);
    const found = checkClips(tree, { clips: shared });
    expect(found.map(({ clip, entity }) => [clip, entity])).toEqual([
      ["opne", expect.anything()],
      ["shut", door],
    ]);
    expect(found[0]!.message).toContain('Did you mean "open"?');
    expect(() => checkClips(tree, { clips: { a: {} } as never })).toThrow(InvalidClipError);
    expect(() => checkClips(tree, { clip: shared } as never)).toThrow("clips");
    expect(() => checkClips({} as never)).toThrow("world of the tree");
  });
});

describe("keyframes", () => {
  it("move fields of entities below by path, and step through texts", () => {
    const { world, space, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "open" });
    keyframes.step(0.25);
    expect(space.localOf(leaf).rotation).toBeCloseTo(1.5 * easings.quadOut(0.25), 5);
    expect(world.get(door, Sprite)!.frame).toBe("shut");
    keyframes.step(0.25);
    expect(world.get(door, Sprite)!.frame).toBe("ajar");
    keyframes.step(5);
    expect(space.localOf(leaf).rotation).toBeCloseTo(1.5, 5);
    // At its end it leaves its targets to others.
    space.setRotation(leaf, 3);
    keyframes.step(1);
    expect(space.localOf(leaf).rotation).toBeCloseTo(3, 5);
  });

  it("loop, obey speed, pace and activity, and begin anywhere", () => {
    const { world, space, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "sway", speed: 2, time: 0.5 });
    const x = () => Number(space.localOf(leaf).x.toFixed(3));
    keyframes.step(0.1);
    expect(x()).toBe(7);
    keyframes.step(1);
    expect(x()).toBe(7);
    expect(world.get(door, KeyframeAnimation)!.time).toBeCloseTo(0.7);
    world.add(door, TimeScale({ value: 0.5 }));
    keyframes.step(0.1);
    expect(x()).toBe(8);
    world.add(door, Active({ on: false }));
    keyframes.step(1);
    expect(x()).toBe(8);
  });

  it("send the events of tracks and the end to their entities", () => {
    const { events, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "open" });
    const log: string[] = [];
    events.on(leaf, entityEvent<void>("creak"), () => log.push("creak"));
    events.on(door, AnimationEnded, ({ payload }) => log.push(payload.clip));
    keyframes.step(0.3);
    expect(log).toEqual(["creak"]);
    for (let k = 0; k < 5; k++) keyframes.step(0.3);
    expect(log).toEqual(["creak", "creak", "open"]);
  });

  it("blend from one clip to another: what both move is mixed, what one moves is not", () => {
    const { world, space, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "sway" });
    keyframes.step(0.5);
    keyframes.play(door, "slide", { fade: 1 });
    keyframes.step(0.25);
    // A quarter of the fade has passed: 3/4 of the swaying leaf (7.5) and 1/4 of the sliding one (100).
    expect(space.localOf(leaf).x).toBeCloseTo(0.75 * 7.5 + 0.25 * 100, 4);
    expect(space.localOf(leaf).y).toBeCloseTo(2, 4);
    keyframes.step(0.75);
    expect(space.localOf(leaf).x).toBeCloseTo(100, 4);
    expect(world.get(door, KeyframeAnimation)).toMatchObject({
      clip: "slide",
      previous: "",
      fade: 0,
      faded: 0,
    });
  });

  it("take clips that all share where the entity has none of that name", () => {
    const { world, space, tree, keyframes } = setUp({ clips });
    const door = world.spawn(KeyframeAnimation({ clip: "sway" }));
    const leaf = tree.attachNew(door, space.at(0, 0));
    tree.setName(leaf, "leaf");
    keyframes.step(0.5);
    expect(space.localOf(leaf).x).toBeCloseTo(5, 5);
  });

  it("mix colours by channel and round whole numbers", () => {
    const { world, keyframes } = setUp();
    const tint = {
      path: "",
      component: "Sprite",
      field: "tint",
      times: [0, 1],
      values: [0x000000, 0xff8040],
    };
    const it = world.spawn(
      Sprite,
      KeyframeAnimation({ clip: "glow", clips: { glow: { seconds: 1, tracks: [tint] } } }),
    );
    keyframes.step(0.5);
    const { tint: color } = world.get(it, Sprite)!;
    expect(
      [(color >> 16) & 255, (color >> 8) & 255, color & 255].map((part) => Math.round(part / 8)),
    ).toEqual([16, 8, 4]);
  });

  it("find their targets again when these are replaced, moved or renamed, and report what is missing once", () => {
    const { world, tree, space, keyframes, spawn, errors } = setUp();
    const { door, leaf } = spawn({ clip: "sway" });
    keyframes.step(0.1);
    tree.setName(leaf, "other");
    keyframes.step(0.1);
    keyframes.step(0.1);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('there is nothing at "leaf"'),
    ]);
    const next = tree.attachNew(door, space.at(0, 0));
    tree.setName(next, "leaf");
    keyframes.step(0.1);
    expect(space.localOf(next).x).toBeCloseTo(4, 4);
    world.destroy(next);
    keyframes.step(0.1);
    world.remove(leaf, Transform2D);
    tree.setName(leaf, "leaf");
    keyframes.step(0.1);
    expect(errors.at(-1)?.message).toContain('has no "Transform2D"');
    world.destroy(door);
    keyframes.step(0.1);
  });

  it("follow a path of several names through a tree that changes: a rename on the way, and an earlier one of that name", () => {
    const nod = { seconds: 10, tracks: [move("arm/hand", "x", [0, 10])] };
    const { world, tree, space, keyframes, errors } = setUp({ clips: { nod } });
    const add = (parent: Entity, name: string) => {
      const made = world.spawn(space.at(0, 0));
      tree.attach(made, parent, { at: 0 });
      tree.setName(made, name);
      return made;
    };
    const body = world.spawn(space.at(0, 0), KeyframeAnimation({ clip: "nod" }));
    const arm = add(body, "arm");
    const hand = add(arm, "hand");
    const x = (entity: Entity) => Math.round(space.localOf(entity).x * 10);
    keyframes.step(0.1);
    expect(x(hand)).toBe(10);
    // Changes elsewhere in the tree.
    add(add(world.spawn(), "arm"), "hand");
    keyframes.step(0.1);
    expect(x(hand)).toBe(20);
    tree.setName(arm, "leg");
    keyframes.step(0.1);
    expect([x(hand), errors.length]).toEqual([20, 1]);
    tree.setName(arm, "arm");
    keyframes.step(0.1);
    expect(x(hand)).toBe(40);
    const earlier = add(arm, "hand");
    keyframes.step(0.1);
    expect([x(hand), x(earlier)]).toEqual([40, 50]);
    tree.attach(earlier, null);
    keyframes.step(0.1);
    expect([x(hand), x(earlier)]).toEqual([60, 50]);
  });

  it.each(["le*", "leaf//lock"])(
    "report the path %s, which names no single entity, and play the rest",
    (path) => {
      const wild = { seconds: 1, tracks: [move(path, "x", [0, 1]), move("leaf", "x", [0, 10])] };
      const { world, tree, space, keyframes, spawn, errors } = setUp({ clips: { wild } });
      const { leaf } = spawn({ clip: "wild" });
      keyframes.step(0.5);
      keyframes.step(0.1);
      expect(errors.map(String)).toEqual([
        expect.stringContaining(`the path "${path}" cannot lead to one entity. Write`),
      ]);
      expect(space.localOf(leaf).x).toBeCloseTo(6);
      world.spawn(KeyframeAnimation({ clip: "wild" }));
      expect(checkClips(tree, { clips: { wild } })).toHaveLength(3);
    },
  );

  it("refuse clips that cannot be played, when they are written", () => {
    const { world, keyframes, spawn } = setUp();
    const { door } = spawn({ clip: "open" });
    const track = move("", "x", [0, 1]);
    const wrong: [object, string][] = [
      [{ seconds: 0, tracks: [] }, "has 0 seconds"],
      [{ seconds: Number.NaN, tracks: [] }, "has NaN seconds"],
      [{ seconds: 1 }, "needs an array of tracks"],
      [{ seconds: 1, tracks: [{ ...track, times: [1, 0] }] }, "not in order: 1, then 0"],
      [{ seconds: 1, tracks: [{ ...track, times: [-1, 0] }] }, "has the time -1"],
      [{ seconds: 1, tracks: [{ ...track, values: [1] }] }, "as many values as times"],
      [{ seconds: 1, tracks: [{ ...track, values: [1, "a"] }] }, "all finite numbers"],
      [{ seconds: 1, tracks: [{ ...track, easing: "quadout" }] }, 'Did you mean "quadOut"?'],
      [{ seconds: 1, tracks: [{ ...track, path: 5 }] }, "has the path 5"],
      [{ seconds: 1, tracks: [{ path: "", times: [0] }] }, "names of a component and a field"],
      [{ seconds: 1, tracks: [{ path: "", emit: "", times: [0] }] }, "needs the name of an event"],
      [
        { seconds: 1, tracks: [{ path: "", emit: "creak", times: [0, 1] }] },
        "emits at 1, and the clip ends at 1",
      ],
    ];
    for (const [clip, message] of wrong) {
      const given = { clips: { bad: clip } as unknown as KeyframeClips };
      expect(() => world.spawn(KeyframeAnimation(given))).toThrow(InvalidClipError);
      expect(() => world.set(door, KeyframeAnimation, { ...given, clip: "bad" })).toThrow(message);
    }
    expect(world.get(door, KeyframeAnimation)).toMatchObject({ clip: "open", clips });
    expect(() => world.set(door, KeyframeAnimation, { clip: "opne" })).toThrow('Did you mean "open"?');
    expect(() => keyframes.play(door, "opne")).toThrow(UnknownClipError);
    expect(() => keyframes.play(door, "open", { fade: -1 })).toThrow(InvalidAnimationValueError);
    expect(() => keyframes.play(door, "open", { fader: 1 } as never)).toThrow("fade");
    expect(() => world.set(door, KeyframeAnimation, { speed: -1 })).toThrow(InvalidAnimationValueError);
    expect(() => keyframes.step(Number.NaN)).toThrow(InvalidAnimationValueError);
    expect(() => keyframes.play(world.spawn(), "open")).toThrow("it has no KeyframeAnimation");
    expect(() => createKeyframes(setUp().tree, { clips: { bad: {} as never } })).toThrow(InvalidClipError);
  });

  it("end at their last value, however the seconds of steps add up", () => {
    const { world, keyframes, spawn } = setUp();
    const frames = {
      path: "",
      component: "Sprite",
      field: "frame",
      times: [0, 0.3, 1],
      values: ["a", "b", "c"],
    };
    const { door } = spawn({ clip: "turn", clips: { turn: { seconds: 1, tracks: [frames] } } });
    const shown = Array.from({ length: 10 }, () => {
      keyframes.step(0.1);
      return world.get(door, Sprite)!.frame;
    });
    // Ten tenths are 0.9999999999999999.
    expect(shown.join("")).toBe("aabbbbbbbc");
    expect(world.get(door, KeyframeAnimation)!.time).toBe(1);
  });

  it("continue without a fade when the clip that was faded out is taken away", () => {
    const { world, space, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "sway" });
    keyframes.play(door, "slide", { fade: 1 });
    world.set(door, KeyframeAnimation, { clips: { slide: clips.slide! } });
    keyframes.step(0.5);
    expect(space.localOf(leaf).x).toBe(100);
    expect(world.get(door, KeyframeAnimation)).toMatchObject({ previous: "", fade: 0, faded: 0, time: 0.5 });
  });

  it("leave their targets to others where no time passes", () => {
    const { world, space, keyframes, spawn } = setUp();
    const { door, leaf } = spawn({ clip: "sway" });
    keyframes.step(0.5);
    world.add(door, TimeScale({ value: 0 }));
    space.setPosition(leaf, 77, 0);
    keyframes.step(0.5);
    expect(space.localOf(leaf).x).toBe(77);
  });

  it("are saved with their time and clips, and continue", () => {
    const format = createSceneFormat({ components: [transformComponents, KeyframeAnimation, Sprite] });
    const { tree, keyframes, spawn } = setUp();
    spawn({ clip: "sway" });
    keyframes.step(0.3);
    const other = setUp();
    format.load(other.tree, format.save(tree));
    other.keyframes.step(0.2);
    const leaf = firstNamed(other.tree, "leaf");
    expect(other.space.localOf(leaf).x).toBeCloseTo(5, 4);
  });

  it("join a game as a part", () => {
    const game = createGame({ parts: { keyframes: keyframePart({ clips }) }, step: 0.25 });
    const door = game.spawn(KeyframeAnimation);
    const leaf = door.spawn(game.space.at(0, 0));
    leaf.name = "leaf";
    game.parts.keyframes.play(door, "sway");
    game.step(2);
    expect(leaf.x).toBeCloseTo(5, 5);
    game.stop();
  });

  it("agree with a slow, obvious sampler for random tracks, easings and times", () => {
    const names = Object.keys(easings) as EasingName[];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -100, max: 100 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.constantFrom<EasingName | "step">("step", ...names),
        fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 }),
        (keys, easing, steps) => {
          // The slow side counts in whole tenths, so that its sums of steps are exact.
          let at = 0;
          const tenths = keys.map(([gap]) => (at += gap));
          const times = tenths.map((tenth) => tenth / 10);
          const values = keys.map(([, value]) => value);
          const seconds = 1000;
          const { world, space, keyframes } = setUp();
          const track = move("", "x", values, { times, easing });
          const it = world.spawn(
            space.at(0, 0),
            KeyframeAnimation({ clip: "a", clips: { a: { seconds, tracks: [track] } } }),
          );
          let passed = 0;
          for (const step of steps) {
            keyframes.step(step / 10);
            passed += step;
            expect(space.localOf(it).x).toBeCloseTo(slowValue(passed), 3);
          }

          function slowValue(now: number): number {
            let value = values[0]!;
            for (const [k, start] of tenths.entries()) {
              if (now < start) break;
              value = values[k]!;
              const end = tenths[k + 1];
              if (end === undefined || easing === "step" || now >= end) continue;
              value += (values[k + 1]! - value) * easings[easing]((now - start) / (end - start));
            }
            return value;
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

function firstNamed(tree: ReturnType<typeof createHierarchy>, name: string): Entity {
  for (const entity of tree.world.query()) if (tree.nameOf(entity) === name) return entity;
  throw new Error(`nothing is named ${name}`);
}
