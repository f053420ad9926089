import { createWorld, type Entity } from "espalier";
import {
  audioComponents,
  createSoundRecorder,
  createSounds,
  InvalidSoundError,
  Listener,
  Sound,
  type SoundRecorderOptions,
  type SoundsOptions,
  soundPart,
  UnknownBusError,
  UnknownSoundError,
  Volume,
} from "espalier/audio";
import { createGame } from "espalier/game";
import { createHierarchy } from "espalier/hierarchy";
import { Active, TimeScale } from "espalier/inherit";
import { createSceneFormat } from "espalier/scene";
import { createTransforms2D, transformComponents } from "espalier/transform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

function setUp(recording: SoundRecorderOptions = {}, options: SoundsOptions = {}) {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  const recorder = createSoundRecorder(recording);
  const sounds = createSounds(space, recorder, options);
  /** One step, then what is heard. */
  const heard = (seconds = 0.1) => {
    sounds.step(seconds);
    return recorder.sounding().map(({ sound, gain, pan, offset }) => ({
      sound,
      gain: Number(gain.toFixed(4)),
      pan: pan === undefined ? undefined : Number(pan.toFixed(4)),
      offset: Number(offset.toFixed(4)),
    }));
  };
  return { world, tree, space, recorder, sounds, heard };
}

interface Heard {
  readonly sound: string;
  readonly gain: number;
  readonly pan: number | undefined;
}

const seconds = { sounds: { boom: 0.5, theme: 4, engine: 2 } };

describe("sounds of entities", () => {
  it("are as loud as their own volume times all volumes above", () => {
    const { world, tree, heard } = setUp();
    const game = world.spawn(Volume({ value: 0.5 }));
    const level = tree.attachNew(game, Volume({ value: 0.5 }));
    tree.attachNew(level, Sound({ sound: "engine", volume: 0.8 }));
    expect(heard()).toEqual([{ sound: "engine", gain: 0.2, pan: undefined, offset: 0 }]);
    world.set(game, Volume, { value: 1 });
    expect(heard()[0]?.gain).toBe(0.4);
  });

  it("grow quieter with the distance from the listener, and come from their side", () => {
    const { world, tree, space, heard } = setUp();
    const ship = world.spawn(space.at(0, 0));
    tree.attachNew(ship, space.at(320, 0), Sound({ sound: "engine", near: 50, far: 600 }));
    expect(heard()[0]).toMatchObject({ gain: 0.5091, pan: 0.5333 });
    // Moved by its parent.
    space.setPosition(ship, -320, 0);
    expect(heard()[0]).toMatchObject({ gain: 1, pan: 0 });
    const listener = world.spawn(space.at(150, 0), Listener);
    expect(heard()[0]).toMatchObject({ pan: -0.25 });
    // A listener that is turned to the left has it behind.
    space.setRotation(listener, Math.PI / 2);
    expect(heard()[0]).toMatchObject({ pan: 0 });
    space.setPosition(listener, 900, 0);
    expect(heard()).toEqual([]);
  });

  it("sound where the next transform above them is, and at the origin without any", () => {
    const { world, tree, space, heard } = setUp();
    const car = world.spawn(space.at(50, 0));
    tree.attachNew(car, Sound({ sound: "engine", far: 100 }));
    world.spawn(Sound({ sound: "wind", far: 100 }));
    world.spawn(Listener);
    expect(heard().map(({ sound, gain }) => `${sound} ${gain}`)).toEqual(["engine 0.5", "wind 1"]);
  });

  it("wait where the entity or one above it is not active, and continue where they were", () => {
    const { world, tree, heard } = setUp();
    const level = world.spawn(Active);
    tree.attachNew(level, Sound({ sound: "theme", loop: true }));
    heard();
    world.set(level, Active, { on: false });
    expect(heard()).toEqual([]);
    expect(heard()).toEqual([]);
    world.set(level, Active, { on: true });
    expect(heard()).toMatchObject([{ sound: "theme", offset: 0.1 }]);
  });

  it("wait where no time passes, and play at their own rate where it passes slowly", () => {
    const { world, tree, heard } = setUp();
    const level = world.spawn(TimeScale({ value: 0 }));
    tree.attachNew(level, Sound({ sound: "theme" }));
    expect(heard()).toEqual([]);
    world.set(level, TimeScale, { value: 0.5 });
    expect(heard()).toMatchObject([{ offset: 0 }]);
    expect(heard()).toHaveLength(1);
  });

  it("keep their time in the component, so that a saved game continues in the middle of the song", () => {
    const { world, tree, heard } = setUp(seconds);
    world.spawn(Sound({ sound: "theme", loop: true, rate: 2 }));
    for (let k = 0; k < 25; k++) heard();
    const format = createSceneFormat({ components: [audioComponents, transformComponents] });
    const text = format.save(tree);
    const other = setUp(seconds);
    format.load(other.tree, text);
    // Five seconds of a song of four.
    expect(other.heard()).toMatchObject([{ sound: "theme", offset: 1 }]);
  });

  it("end by themselves, and begin again when their time is written", () => {
    const { world, recorder, heard, sounds } = setUp(seconds);
    const boom = world.spawn(Sound({ sound: "boom" }));
    expect(heard(0.25)).toHaveLength(1);
    heard(0.25);
    expect(heard(0.25)).toEqual([]);
    expect(heard(0.25)).toEqual([]);
    expect(recorder.calls.filter(([call]) => call === "start")).toHaveLength(1);
    world.set(boom, Sound, { time: 0.1 });
    expect(heard()).toMatchObject([{ sound: "boom", offset: 0.1 }]);
    expect(sounds.voiceCount).toBe(1);
  });

  it("stop with their fade when they are paused, removed or destroyed, and start with it", () => {
    const { world, recorder, heard } = setUp();
    const a = world.spawn(Sound({ sound: "a", fade: 0.25 }));
    const b = world.spawn(Sound({ sound: "b" }));
    heard();
    expect(recorder.calls.find(([call]) => call === "start")).toMatchObject(["start", "a", { fade: 0.25 }]);
    world.set(a, Sound, { playing: false });
    world.destroy(b);
    expect(heard()).toEqual([]);
    expect(recorder.calls.slice(-2)).toEqual([
      ["stop", "a", 0.25],
      ["stop", "b", 0],
    ]);
    world.remove(a, Sound);
    expect(heard()).toEqual([]);
  });

  it("send nothing to the output while nothing changes", () => {
    const { world, space, recorder, heard } = setUp();
    world.spawn(space.at(10, 0), Sound({ sound: "engine", loop: true, far: 100 }));
    heard();
    recorder.calls.length = 0;
    for (let k = 0; k < 5; k++) heard();
    expect(recorder.calls).toEqual([]);
  });

  it("take the bus of the nearest Volume that names one, unless they name their own", () => {
    const { world, tree, recorder, heard } = setUp();
    const music = world.spawn(Volume({ bus: "music" }));
    tree.attachNew(tree.attachNew(music, Volume), Sound({ sound: "a" }));
    tree.attachNew(music, Sound({ sound: "b", bus: "voice" }));
    world.spawn(Sound({ sound: "c" }));
    heard();
    expect(
      recorder
        .sounding()
        .map(({ sound, bus }) => `${sound} ${bus}`)
        .sort(),
    ).toEqual(["a music", "b voice", "c "]);
  });

  it("are limited to the loudest, and one that sounds is not replaced by one hardly louder", () => {
    const { world, heard } = setUp({}, { voices: 2 });
    const spawn = (sound: string, volume: number) => world.spawn(Sound({ sound, volume, loop: true }));
    const a = spawn("a", 0.5);
    spawn("b", 0.6);
    spawn("c", 0.4);
    const names = () =>
      heard()
        .map(({ sound }) => sound)
        .sort();
    expect(names()).toEqual(["a", "b"]);
    const d = spawn("d", 0.52);
    expect(names()).toEqual(["a", "b"]);
    world.set(d, Sound, { volume: 0.7 });
    expect(names()).toEqual(["b", "d"]);
    world.destroy(d);
    world.destroy(a);
    expect(names()).toEqual(["b", "c"]);
  });

  it("agree with a slow, obvious version in random trees", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(999)), (stream) => {
        const next = (most: number) => (stream.next().value as number) % most;
        const { world, tree, space, sounds, recorder } = setUp();
        const all: Entity[] = [];
        const listener = world.spawn(space.at(0, 0), Listener);
        for (let k = 0; k < 60; k++) {
          const entity = all.length > 0 ? all[next(all.length)]! : undefined;
          const choice = next(9);
          if (choice < 4 || entity === undefined || !world.isAlive(entity)) {
            const made = world.spawn(space.at(next(200) - 100, next(200) - 100, next(6)));
            if (next(3) > 0)
              world.add(
                made,
                Sound({
                  sound: `s${k}`,
                  volume: next(10) / 8,
                  far: next(3) * 120,
                  near: next(40),
                  loop: true,
                }),
              );
            if (next(3) === 0) world.add(made, Volume({ value: next(20) / 10 }));
            if (entity !== undefined && world.isAlive(entity)) tree.attach(made, entity);
            all.push(made);
          } else if (choice === 4) world.add(entity, Active({ on: next(2) === 0 }));
          else if (choice === 5) world.add(entity, Volume({ value: next(20) / 10 }));
          else if (choice === 6)
            space.setPosition(next(2) === 0 ? entity : listener, next(200) - 100, next(200) - 100);
          else if (choice === 7) space.setRotation(listener, next(60) / 10);
          else if (next(4) === 0) world.destroy(entity);
          if (k % 4 > 0) continue;
          sounds.step(0.05);
          const byName = (a: Heard, b: Heard) => (a.sound < b.sound ? -1 : 1);
          const expected = all.flatMap((it) => slowVoice(it)).sort(byName);
          const found = [...recorder.sounding()].sort(byName);
          expect(found.map(({ sound }) => sound)).toEqual(expected.map(({ sound }) => sound));
          for (const [n, { gain, pan }] of found.entries()) {
            expect(gain).toBeCloseTo(expected[n]!.gain, 4);
            if (pan === undefined) expect(expected[n]!.pan).toBeUndefined();
            else expect(pan).toBeCloseTo(expected[n]!.pan!, 4);
          }
        }

        function slowVoice(entity: Entity): Heard[] {
          if (!world.isAlive(entity) || !world.has(entity, Sound)) return [];
          const { sound, volume, near, far } = world.get(entity, Sound)!;
          let gain = volume;
          for (let up: Entity | null = entity; up !== null; up = tree.parentOf(up)) {
            if (world.has(up, Volume)) gain *= world.get(up, Volume)!.value;
            if (world.has(up, Active) && !world.get(up, Active)!.on) return [];
          }
          let pan: number | undefined;
          if (far > 0) {
            const at = space.worldPosition(entity);
            const ear = space.worldPosition(listener);
            const distance = Math.hypot(at.x - ear.x, at.y - ear.y);
            gain *= distance <= near ? 1 : Math.max(0, 1 - (distance - near) / (far - near));
            const turned = space.worldToLocal(listener, at.x, at.y);
            pan = Math.max(-1, Math.min(1, turned.x / far));
          }
          return gain > 0 ? [{ sound, gain, pan }] : [];
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("sounds that are played once", () => {
  it("sound at the given position, with the volume and bus of the entity", () => {
    const { world, tree, space, recorder, sounds } = setUp();
    const effects = world.spawn(Volume({ value: 0.5, bus: "effects" }));
    const car = tree.attachNew(effects, space.at(50, 0));
    sounds.play("boom", { at: car, volume: 0.8, far: 100 });
    sounds.play("click", { at: { x: 0, y: 50 }, far: 100, bus: "interface" });
    sounds.play("far away", { at: { x: 0, y: 500 }, far: 100 });
    sounds.play("voice", { rate: 2, fade: 1 });
    expect(recorder.sounding()).toMatchObject([
      { sound: "boom", gain: 0.2, pan: 0.5, bus: "effects" },
      { sound: "click", gain: 0.5, pan: 0, bus: "interface" },
      { sound: "voice", gain: 1, pan: undefined, rate: 2, fade: 1, bus: "" },
    ]);
  });

  it("take the object of an entity as they take its handle", () => {
    const recorder = createSoundRecorder();
    const game = createGame({ parts: { sounds: soundPart(recorder) } });
    const street = game.spawn(game.space.at(100, 0), Volume({ value: 0.5, bus: "effects" }));
    const car = street.spawn(game.space.at(0, 50));
    game.parts.sounds.play("horn", { at: car, far: 400 });
    game.parts.sounds.play("horn", { at: car.id, far: 400 });
    const [byObject, byHandle] = recorder.sounding();
    expect(byObject).toEqual(byHandle);
    expect(byObject).toMatchObject({ bus: "effects", pan: 0.25 });
    // Without a distance only volume and bus matter: a folder needs no transform.
    game.parts.sounds.play("horn", { at: game.spawn(Volume({ value: 0.25 })) });
    expect(recorder.sounding()[2]).toMatchObject({ gain: 0.25, pan: undefined });
    expect(() => game.parts.sounds.play("horn", { at: {} as never })).toThrow(InvalidSoundError);
  });

  it("leave nothing behind: ten thousand of them", () => {
    const { sounds, recorder } = setUp(seconds);
    for (let k = 0; k < 10_000; k++) {
      sounds.play("boom");
      sounds.step(0.1);
    }
    expect(sounds.voiceCount).toBeLessThanOrEqual(5);
    sounds.step(1);
    expect(recorder.sounding()).toEqual([]);
    expect(sounds.voiceCount).toBe(0);
  });

  it("are limited together with the sounds of entities: the loudest are heard", () => {
    const { world, sounds, recorder } = setUp({}, { voices: 3 });
    world.spawn(Sound({ sound: "a", loop: true }));
    world.spawn(Sound({ sound: "b", loop: true, volume: 0.5 }));
    for (const volume of [0.1, 0.2]) sounds.play(`shot ${volume}`, { volume });
    sounds.step(0.1);
    expect(recorder.sounding().map(({ sound }) => sound)).toEqual(["shot 0.1", "shot 0.2", "a"]);
    for (const volume of [0.3, 0.4]) sounds.play(`shot ${volume}`, { volume });
    sounds.play("quiet", { volume: 0.01 });
    expect(recorder.sounding().map(({ sound }) => sound)).toEqual(["shot 0.2", "a", "shot 0.3", "shot 0.4"]);
  });
});

describe("an output that is locked", () => {
  it("starts what began meanwhile at the right offset, and leaves out what would be over", () => {
    const { world, sounds, recorder, heard } = setUp({ ...seconds, isLocked: true });
    world.spawn(Sound({ sound: "theme", loop: true }));
    world.spawn(Sound({ sound: "boom" }));
    sounds.play("boom");
    let unlocked = 0;
    sounds.onUnlocked(() => void unlocked++);
    for (let k = 0; k < 6; k++) expect(heard()).toEqual([]);
    sounds.play("engine");
    expect(heard(0.4)).toEqual([]);
    expect(sounds.isLocked).toBe(true);
    recorder.unlock();
    expect(unlocked).toBe(1);
    expect(sounds.isLocked).toBe(false);
    expect(heard()).toMatchObject([
      { sound: "engine", offset: 0.4 },
      { sound: "theme", offset: 1 },
    ]);
  });
});

describe("buses", () => {
  it("are set by the program and read again", () => {
    const { sounds, recorder } = setUp({}, { buses: { music: 0.5 } });
    expect(recorder.calls).toEqual([["bus", "music", 0.5]]);
    sounds.setBus("music", 0.3);
    sounds.setBus("master", 0);
    expect(recorder.calls.slice(1)).toEqual([
      ["bus", "music", 0.3],
      ["bus", "master", 0],
    ]);
    expect(sounds.busGain("music")).toBe(0.3);
  });
});

describe("writes of sounds", () => {
  it("refuse names that do not exist, with the one that was meant, and change nothing", () => {
    const { world, sounds } = setUp(seconds);
    const car = world.spawn(Sound({ sound: "engine" }));
    expect(() => world.set(car, Sound, { sound: "egnine", volume: 0.5 })).toThrow(UnknownSoundError);
    expect(() => world.set(car, Sound, { sound: "egnine" })).toThrow('Did you mean "engine"?');
    expect(world.get(car, Sound)).toMatchObject({ sound: "engine", volume: 1 });
    expect(() => world.spawn(Sound({ sound: "bom" }))).toThrow('Did you mean "boom"?');
    expect(() => sounds.play("bom")).toThrow(UnknownSoundError);
    expect(() => sounds.play("")).toThrow(UnknownSoundError);
    expect(() => world.set(car, Sound, { bus: "musik" })).toThrow(UnknownBusError);
    expect(() => world.spawn(Volume({ bus: "musik" }))).toThrow('Did you mean "music"?');
    expect(() => sounds.setBus("musik", 1)).toThrow(UnknownBusError);
    expect(() => sounds.setBus("", 1)).toThrow(UnknownBusError);
    expect(() => sounds.play("boom", { bus: "musik" })).toThrow(UnknownBusError);
  });

  it("refuse invalid numbers", () => {
    const { world, sounds } = setUp();
    const car = world.spawn(Sound({ sound: "engine" }));
    for (const values of [
      { volume: -1 },
      { rate: 0 },
      { rate: -1 },
      { time: -1 },
      { near: -1 },
      { far: -1 },
      { fade: -1 },
    ]) {
      expect(() => world.set(car, Sound, values)).toThrow(InvalidSoundError);
      expect(() => world.spawn(Sound(values))).toThrow(InvalidSoundError);
    }
    expect(() => world.set(car, Sound, { volume: Number.NaN })).toThrow("takes a finite number");
    expect(() => world.spawn(Volume({ value: -0.1 }))).toThrow(InvalidSoundError);
    for (const gain of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => sounds.setBus("music", gain)).toThrow(InvalidSoundError);
      expect(() => sounds.play("boom", { volume: gain })).toThrow(InvalidSoundError);
      expect(() => sounds.step(gain)).toThrow(InvalidSoundError);
    }
    expect(() => sounds.play("boom", { rate: 0 })).toThrow(InvalidSoundError);
    expect(() => sounds.play("boom", { at: { x: Number.NaN, y: 0 }, far: 5 })).toThrow(InvalidSoundError);
    expect(() => createSounds(setUp().space, undefined, { voices: 0 })).toThrow(InvalidSoundError);
    expect(world.get(car, Sound)).toMatchObject({ volume: 1, rate: 1 });
  });

  it("stop after dispose", () => {
    const { world, sounds, recorder } = setUp(seconds);
    world.spawn(Sound({ sound: "theme" }));
    sounds.step(0.1);
    sounds.dispose();
    expect(recorder.sounding()).toEqual([]);
    world.spawn(Sound({ sound: "anything" }));
  });
});

describe("the part", () => {
  it("joins a game: scenes hold its components, and each step plays", () => {
    const recorder = createSoundRecorder();
    const game = createGame({ parts: { sounds: soundPart(recorder) }, step: 0.1 });
    const effects = game.spawn(Volume({ value: 0.5 }));
    const car = effects.spawn(game.space.at(0, 0), Sound({ sound: "engine", loop: true }));
    game.step(2);
    expect(recorder.sounding()).toMatchObject([{ sound: "engine", gain: 0.5 }]);
    expect(car.get(Sound).time).toBeCloseTo(0.2);
    game.parts.sounds.play("boom", { at: car.id });
    expect(recorder.sounding()).toHaveLength(2);
    game.stop();
    expect(recorder.sounding()).toEqual([]);
  });
});
