/** What the tests call in the page: `window.harness`. */
import { createWorld } from "espalier";
import { createSounds, Listener, Sound, type SoundLoadError, Volume } from "espalier/audio";
import { openWebAudio } from "espalier/audio/web";
import { createHierarchy } from "espalier/hierarchy";
import { Active } from "espalier/inherit";
import { createTransforms2D } from "espalier/transform";

export type Harness = typeof harness;

const RATE = 8000;

function setUp() {
  const world = createWorld();
  const tree = createHierarchy(world);
  const space = createTransforms2D(tree);
  return { world, tree, space };
}

/** A mono sound of the same value for some seconds: in the middle, equal power leaves 0.5 of this on each side. */
function constant(context: BaseAudioContext, seconds = 1, value = Math.SQRT1_2): AudioBuffer {
  const buffer = context.createBuffer(1, Math.round(seconds * RATE), RATE);
  buffer.getChannelData(0).fill(value);
  return buffer;
}

/** A ramp from 0 to 1 within a second: what is heard says where in the sound it is. */
function ramp(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, RATE, RATE);
  const data = buffer.getChannelData(0);
  for (let k = 0; k < RATE; k++) data[k] = k / RATE;
  return buffer;
}

function offline(seconds = 0.5) {
  const context = new OfflineAudioContext(2, seconds * RATE, RATE);
  const output = openWebAudio({ context });
  return { context, output };
}

const at = (buffer: AudioBuffer, seconds: number) =>
  [0, 1].map((channel) => Number(buffer.getChannelData(channel)[Math.round(seconds * RATE)]!.toFixed(2)));

/** A file of sound: 16 bits, mono. */
function wav(seconds: number, value: number): Blob {
  const count = Math.round(seconds * RATE);
  const view = new DataView(new ArrayBuffer(44 + count * 2));
  const text = (offset: number, letters: string) => {
    for (let k = 0; k < letters.length; k++) view.setUint8(offset + k, letters.charCodeAt(k));
  };
  text(0, "RIFF");
  view.setUint32(4, 36 + count * 2, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, count * 2, true);
  for (let k = 0; k < count; k++) view.setInt16(44 + k * 2, value * 32767, true);
  return new Blob([view.buffer], { type: "audio/wav" });
}

// Made at load, as a game does: nothing that a test does is a gesture before the first tap.
const live = openWebAudio();
let unlocks = 0;
live.onUnlocked(() => unlocks++);
document.title = live.isLocked ? live.context.state : "unlocked";

const harness = {
  /** The loudness left and right of a sound in a tree, in four situations. */
  async table() {
    const rows: number[][] = [];
    for (const row of ["plain", "volume", "moved", "inactive"]) {
      const { context, output } = offline();
      output.addBuffer("engine", constant(context));
      const { world, tree, space } = setUp();
      const sounds = createSounds(space, output);
      world.spawn(space.at(0, 0), Listener);
      const parent = world.spawn(space.at(0, 0), Volume, Active);
      tree.attachNew(parent, space.at(0, 0), Sound({ sound: "engine", near: 50, far: 600 }));
      if (row !== "plain") world.set(parent, Volume, { value: 0.5 });
      if (row === "moved" || row === "inactive") space.setPosition(parent, 320, 0);
      if (row === "inactive") world.set(parent, Active, { on: false });
      sounds.step(1 / 60);
      rows.push(at(await context.startRendering(), 0.25));
    }
    return rows;
  },
  /** The same sound while it plays: changed after a tenth of a second each. */
  async changes() {
    const { context, output } = offline(0.8);
    output.addBuffer("engine", constant(context));
    const { world, tree, space } = setUp();
    const sounds = createSounds(space, output);
    const parent = world.spawn(space.at(0, 0), Volume, Active);
    tree.attachNew(
      parent,
      space.at(0, 0),
      Sound({ sound: "engine", near: 50, far: 600, loop: true, bus: "effects" }),
    );
    sounds.step(0.1);
    const later = (seconds: number, change: () => void) =>
      void context.suspend(seconds).then(() => {
        change();
        sounds.step(0.1);
        void context.resume();
      });
    later(0.128, () => world.set(parent, Volume, { value: 0.5 }));
    later(0.256, () => space.setPosition(parent, 320, 0));
    later(0.384, () => sounds.setBus("effects", 0));
    later(0.512, () => sounds.setBus("effects", 1));
    later(0.64, () => world.set(parent, Active, { on: false }));
    const buffer = await context.startRendering();
    return [0.1, 0.25, 0.37, 0.5, 0.63, 0.79].map((seconds) => at(buffer, seconds));
  },
  /** A sound without a distance, then with one, then without again, while it plays. */
  async placed() {
    const { context, output } = offline(0.5);
    output.addBuffer("engine", constant(context));
    const { world, space } = setUp();
    const sounds = createSounds(space, output);
    const car = world.spawn(space.at(320, 0), Sound({ sound: "engine", loop: true }));
    sounds.step(0.1);
    for (const [seconds, far] of [
      [0.128, 600],
      [0.256, 0],
    ] as const) {
      void context.suspend(seconds).then(() => {
        world.set(car, Sound, { near: 50, far });
        sounds.step(0.1);
        void context.resume();
      });
    }
    const buffer = await context.startRendering();
    return [0.1, 0.25, 0.4].map((seconds) => at(buffer, seconds));
  },
  /** Offsets, parts, rates, loops and fades, by what is heard of a ramp after 0.2 seconds. */
  async offsets() {
    const heard: Record<string, number> = {};
    const cases: Record<string, Parameters<typeof Sound>[0]> = {
      start: {},
      offset: { time: 0.5 },
      faster: { rate: 2 },
      looped: { loop: true, time: 3.9 },
      over: { time: 1.5 },
      fading: { fade: 0.4, time: 0.5 },
    };
    for (const [name, values] of Object.entries(cases)) {
      const { context, output } = offline();
      output.addBuffer("ramp", ramp(context));
      const { world, space } = setUp();
      world.spawn(Sound({ sound: "ramp", ...values }));
      createSounds(space, output).step(0);
      heard[name] = at(await context.startRendering(), 0.2)[0]!;
    }
    return heard;
  },
  /** Ten thousand sounds, each played to its end: how many voices are left, and how many nodes were disconnected. */
  async oneShots() {
    const { context, output } = offline(4);
    output.addBuffer("shot", constant(context, 0.01));
    const { space } = setUp();
    const sounds = createSounds(space, output, { voices: 64 });
    let connected = 0;
    const { connect, disconnect } = AudioNode.prototype;
    AudioNode.prototype.connect = function (this: AudioNode, ...given: never) {
      connected++;
      return (connect as (...args: never) => AudioNode).apply(this, given);
    } as never;
    AudioNode.prototype.disconnect = function (this: AudioNode, ...given: never) {
      connected--;
      return (disconnect as (...args: never) => void).apply(this, given);
    } as never;
    let most = 0;
    for (let k = 0; k < 250; k++) {
      void context.suspend((k + 1) * 0.0155).then(async () => {
        for (let n = 0; n < 40; n++) sounds.play("shot", { far: 100, at: { x: 1, y: 0 } });
        most = Math.max(most, sounds.voiceCount);
        // Lets events of sounds that ended come.
        await new Promise((done) => setTimeout(done));
        void context.resume();
      });
    }
    await context.startRendering();
    await new Promise((done) => setTimeout(done, 50));
    Object.assign(AudioNode.prototype, { connect, disconnect });
    return { most, voices: output.voiceCount, counted: sounds.voiceCount, connected };
  },
  async files() {
    const boom = URL.createObjectURL(wav(0.5, 0.25));
    const { context, output } = offline();
    output.addFiles({
      boom: ["nothing.weird-format-that-no-one-plays", boom].slice(1),
      all: { file: boom, parts: { hit: [0, 0.1], step: [0.2, 0.05] } },
      gone: "/missing.wav",
      page: "/index.html",
    });
    const names = output.names();
    await output.load(["boom", "hit"]);
    const errors: string[] = [];
    let failed: readonly string[] = [];
    try {
      await output.load();
    } catch (error) {
      failed = (error as SoundLoadError).sounds;
      errors.push((error as Error).message);
    }
    const { space } = setUp();
    createSounds(space, output).play("hit");
    const buffer = await context.startRendering();
    const seconds = ["boom", "hit", "step", "gone"].map((name) => {
      const length = output.secondsOf(name);
      return length === undefined ? null : Number(length.toFixed(2));
    });
    const heard = [0.05, 0.15].map((time) => at(buffer, time)[0]);
    return { names, failed: [...failed].sort(), message: errors[0], seconds, heard };
  },
  state: () => ({ isLocked: live.isLocked, context: live.context.state, unlocks }),
  /** How often the context was asked to resume, before and after a button of a gamepad is pressed. */
  pressPad() {
    let asked = 0;
    const context = live.context as AudioContext;
    context.resume = async () => void asked++;
    let pressed = false;
    navigator.getGamepads = () => [null, { buttons: [{ pressed }] } as unknown as Gamepad];
    live.tick!(0.1);
    const before = asked;
    pressed = true;
    live.tick!(0.1);
    return [before, asked];
  },
  /** Plays music through a media element, from its middle, and returns what an analyser measures. */
  async stream() {
    const { world, space } = setUp();
    live.addFiles({ theme: URL.createObjectURL(wav(3, 0.5)) });
    const sounds = createSounds(space, live);
    const context = live.context as AudioContext;
    const song = world.spawn(Sound({ sound: "theme", stream: true, loop: true, bus: "music" }));
    const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
    sounds.step(0.1);
    const during = live.voiceCount;
    await wait(400);
    const playing = live.voiceCount;
    world.set(song, Sound, { playing: false });
    sounds.step(0.1);
    const after = live.voiceCount;
    return { during, playing, after, time: context.currentTime > 0 };
  },
  /** How often a loop is asked for whose address leads nowhere, and whether streams keep their pitch. */
  async brokenStream() {
    const { world, space } = setUp();
    live.addFiles({ gone: "/no-such-sound.wav" });
    const sounds = createSounds(space, live);
    const made: HTMLAudioElement[] = [];
    const Plain = window.Audio;
    window.Audio = class extends Plain {
      constructor() {
        super();
        made.push(this);
      }
    };
    world.spawn(Sound({ sound: "gone", stream: true, loop: true, rate: 2 }));
    for (let k = 0; k < 10; k++) {
      sounds.step(0.1);
      await new Promise((done) => setTimeout(done, 50));
    }
    window.Audio = Plain;
    return { elements: made.length, keepsPitch: made[0]!.preservesPitch, voices: live.voiceCount };
  },
};
Object.assign(window, { harness });
