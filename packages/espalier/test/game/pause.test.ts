import { type Commands, tag } from "espalier";
import { type AnyInput, Click, createGame, type Game, type PausedInput } from "espalier/game";
import { takeSnapshot } from "espalier/history";
import { rect } from "espalier/render";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { property } from "../testing.ts";

const key = (code: string, down = true): AnyInput => ({ type: "key", code, down });
const pad = (...buttons: number[]): AnyInput => ({ type: "gamepad", index: 0, axes: [], buttons });
const mouse = (phase: "down" | "move" | "up", x = 0): AnyInput => ({
  type: "pointer",
  phase,
  id: 1,
  kind: "mouse",
  x,
  y: 0,
  button: phase === "move" ? -1 : 0,
  pressure: 0.5,
});
const finger = (phase: "down" | "move" | "up", id: number): AnyInput => ({
  type: "pointer",
  phase,
  id,
  kind: "touch",
  x: id,
  y: 0,
  button: 0,
  pressure: 0.5,
});

const STEP = 0.1;
const actions = { fire: ["Space", "Mouse0", "Touch", "Pad0"], pause: ["Escape", "Pad9"] };

/** A game that notes in every step what is fired and held. */
function shooter(): { game: Game; shots: string[] } {
  const game = createGame({ step: STEP, actions, onError: fail });
  const shots: string[] = [];
  game.system("shoot", () => {
    const { input } = game;
    const said = [
      input.pressed("fire") && "pressed",
      input.isDown("fire") && "held",
      input.released("fire") && "released",
    ];
    shots.push(said.filter(Boolean).join(" "));
  });
  return { game, shots };
}

function fail(error: Error): never {
  throw error;
}

function togglePause(game: Game): void {
  if (!game.input.pressed("pause")) return;
  if (game.isPaused) game.resume();
  else game.pause();
}

describe("a pause", () => {
  it("begun inside a step makes it the last of its frame", () => {
    const game = createGame({ step: STEP });
    game.system("pause", () => {
      if (game.tick === 1) game.pause();
    });
    game.advance(5 * STEP);
    expect([game.tick, game.isPaused]).toEqual([2, true]);
    game.resume();
    game.advance(2 * STEP);
    expect(game.tick).toBe(4);
  });

  it("does not deliver what was pressed meanwhile to the steps after it", () => {
    const { game, shots } = shooter();
    game.advance(STEP);
    game.pause();
    game.input.feed(key("Space"), key("Space", false), mouse("down"), mouse("up"), pad(1), pad(0));
    game.advance(STEP);
    // Not taken in by a frame of the pause, but made in it.
    game.input.feed(key("Space"), key("Space", false));
    game.resume();
    game.advance(3 * STEP);
    expect(shots).toEqual(["", "", "", ""]);
    game.input.feed(key("Space"));
    game.advance(STEP);
    expect(shots.at(-1)).toBe("pressed held");
  });

  it.each<[string, AnyInput, AnyInput, AnyInput]>([
    ["key", key("Space"), mouse("move"), key("Space", false)],
    ["mouse button", mouse("down"), mouse("move"), mouse("up")],
    ["finger", finger("down", 3), finger("move", 3), finger("up", 3)],
    ["button of a gamepad", pad(1), pad(1, 0.1), pad(0)],
  ])(
    "does not count a %s that is held since for the steps after it, until it is pressed again",
    (_, down, move, up) => {
      const { game, shots } = shooter();
      game.pause();
      game.input.feed(down);
      game.advance(STEP);
      game.resume();
      game.advance(STEP);
      game.input.feed(move);
      game.advance(STEP);
      expect(shots).toEqual(["", ""]);
      expect([game.input.touchCount, game.input.pointers.some(({ isDown }) => isDown)]).toEqual([0, false]);
      game.input.feed(up);
      game.advance(STEP);
      game.input.feed(down);
      game.advance(STEP);
      expect(shots).toEqual(["", "", "", "pressed held"]);
    },
  );

  it("releases in the first step what was released meanwhile, and holds what is still held", () => {
    const { game, shots } = shooter();
    game.input.feed(key("Space"), pad(1));
    game.advance(STEP);
    game.pause();
    game.input.feed(key("Space", false));
    game.advance(STEP);
    game.resume();
    game.advance(STEP);
    game.pause();
    game.input.feed(pad(0), { type: "resize", width: 300, height: 200 }, mouse("move", 7));
    game.advance(STEP);
    game.resume();
    game.advance(2 * STEP);
    expect(shots).toEqual(["pressed held", "held", "released", ""]);
    expect([game.input.size, game.input.getMousePosition()]).toEqual([
      { width: 300, height: 200 },
      { x: 7, y: 0 },
    ]);
  });

  it("ignores clicks that began before or during it", () => {
    const game = createGame({ step: STEP });
    const clicks: string[] = [];
    const button = game.spawn(game.space.at(0, 0), rect(100, 100));
    button.on(Click, () => void clicks.push("click"));
    game.input.feed({ type: "resize", width: 10, height: 10 }, mouse("down", 5));
    game.advance(STEP);
    game.pause();
    game.input.feed(mouse("up", 5), mouse("down", 5));
    game.advance(STEP);
    game.resume();
    game.input.feed(mouse("up", 5));
    game.advance(STEP);
    expect(clicks).toEqual([]);
    game.input.feed(mouse("down", 5), mouse("up", 5));
    game.advance(STEP);
    expect(clicks).toEqual(["click"]);
  });

  it("lets single steps be made, which see what came since the last frame", () => {
    const { game, shots } = shooter();
    game.pause();
    game.input.feed(mouse("down"));
    game.advance(STEP);
    game.input.feed(key("Space"));
    game.step();
    game.step();
    expect([shots, game.isPaused]).toEqual([["pressed held", "held"], true]);
    game.advance(STEP);
    expect(game.input.isDown("fire")).toBe(true);
  });
});

describe("a single step in a pause", () => {
  it("releases what was released in frames of the pause, in the order in which it happened", () => {
    const { game, shots } = shooter();
    game.input.feed(key("Space"));
    game.advance(STEP);
    game.pause();
    game.input.feed(key("Space", false));
    game.advance(STEP);
    game.step();
    game.input.feed(key("Space"));
    game.step();
    game.advance(STEP);
    game.resume();
    game.step();
    expect(shots).toEqual(["pressed held", "released", "pressed held", "held"]);
  });

  it("is replayed as a single step: the game is paused in it, and was not before", () => {
    const noted = () => {
      const game = createGame({ step: STEP, actions });
      const states: boolean[] = [];
      game.system("note", () => void states.push(game.isPaused));
      return { game, states };
    };
    const { game, states } = noted();
    game.startRecording();
    game.step();
    game.pause();
    game.step(2);
    game.advance(STEP);
    game.step();
    game.resume();
    game.step();
    const replayed = noted();
    replayed.game.replay(game.stopRecording());
    expect(states).toEqual([false, true, true, true, false]);
    expect(replayed.states).toEqual(states);
  });
});

describe("a long pause", () => {
  const many = (count: number, event: (k: number) => AnyInput[]) => {
    const game = createGame({ step: STEP });
    game.startRecording();
    game.pause();
    for (let k = 0; k < count; k++) {
      game.input.feed(...event(k));
      game.advance(STEP);
    }
    game.resume();
    game.step();
    return game.stopRecording().events;
  };

  it("does not collect a long list from mouse moves and trembling sticks", () => {
    const stick = (index: number, k: number): AnyInput => ({
      type: "gamepad",
      index,
      axes: [k / 1000],
      buttons: [0.1, k % 2 ? 0.6 : 0.9],
    });
    const size = (width: number): AnyInput => ({ type: "resize", width, height: 1 });
    const events = many(100, (k) => [mouse("move", k), stick(0, k), stick(1, k), size(k), key("KeyA")]);
    expect(events).toHaveLength(1);
    const kept = events[0]![1][0] as PausedInput;
    expect(kept.events.filter(({ type }) => type !== "key")).toEqual([
      mouse("move", 99),
      stick(0, 99),
      stick(1, 99),
      size(99),
    ]);
  });
});

describe("a system with whilePaused", () => {
  it.each([
    ["a key", key("Escape"), key("Escape", false)],
    ["a gamepad", pad(0, 0, 0, 0, 0, 0, 0, 0, 0, 1), pad()],
  ])("begins and ends a pause by the same button of %s, which does nothing else", (_, down, up) => {
    const { game, shots } = shooter();
    game.system({ name: "pause", whilePaused: true, run: () => togglePause(game) });
    const states: boolean[] = [];
    for (const events of [[], [down], [], [up], [down], [], [up], [], [down], [up]]) {
      game.input.feed(...events);
      game.advance(2 * STEP);
      states.push(game.isPaused);
    }
    expect(states).toEqual([false, true, true, true, false, false, false, false, true, true]);
    // Two steps a frame; the one that pauses is the last.
    expect([game.tick, shots.every((said) => said === "")]).toEqual([2 + 1 + 6 + 1, true]);
  });

  it("runs in steps like any other, and in the frames of a pause in the same order, with their seconds", () => {
    const game = createGame({ step: STEP });
    const log: string[] = [];
    const note = (name: string, whilePaused: boolean, more = {}) =>
      game.system({
        name,
        whilePaused,
        run: ({ dt, tick }) => void log.push(`${name} ${dt} ${tick}`),
        ...more,
      });
    note("last", true, { phase: "late" });
    note("second", true);
    note("level", false);
    note("first", true, { before: "second", after: "level" });
    note("off", true, { enabled: false });
    note("never", true, { runIf: () => false });
    note("slow", true, { fixedStep: 10 });
    game.advance(STEP);
    expect(log).toEqual(["level 0.1 0", "first 0.1 0", "second 0.1 0", "last 0.1 0"]);
    log.length = 0;
    game.pause();
    game.timeScale = 0.5;
    game.advance(0.3);
    expect(log).toEqual(["first 0.3 1", "second 0.3 1", "slow 0.3 1", "last 0.3 1"]);
    log.length = 0;
    game.resume();
    game.advance(2 * STEP);
    expect(log).toEqual(["level 0.1 1", "first 0.1 1", "second 0.1 1", "last 0.1 1"]);
    expect(game.tick).toBe(2);
  });

  it("sees the input of its frame, not that of the last step, after another one has ended the pause", () => {
    const { game } = shooter();
    const seen: boolean[] = [];
    game.system({ name: "pause", whilePaused: true, run: () => togglePause(game) });
    game.system({
      name: "look",
      whilePaused: true,
      run: () => void seen.push(game.input.isButtonDown("Enter")),
    });
    game.input.feed(key("Escape"), key("Escape", false));
    game.advance(STEP);
    game.input.feed(key("Enter"), key("Escape"));
    game.advance(STEP);
    expect([game.isPaused, seen]).toEqual([false, [false, true]]);
    expect(game.input.wasButtonPressed("Escape")).toBe(true);
    game.advance(STEP);
    expect([game.isPaused, seen]).toEqual([false, [false, true, false]]);
  });

  it("applies its commands in the same frame, and may stop the game", () => {
    const Menu = tag("Menu");
    const game = createGame({ step: STEP });
    const open = ({ commands }: { commands: Commands }) => {
      if (game.isPaused && game.world.count === 0) commands.spawn(Menu);
    };
    game.system({ name: "open", whilePaused: true, run: open });
    game.pause();
    game.advance(STEP);
    expect(game.world.query(Menu).count()).toBe(1);
    game.system({ name: "quit", whilePaused: true, run: () => game.stop() });
    game.advance(STEP);
    expect(game.isStopped).toBe(true);
  });

  it("no longer runs when it was removed, or added again without the mark", () => {
    const game = createGame({ step: STEP });
    let runs = 0;
    const run = () => void runs++;
    game.system({ name: "menu", whilePaused: true, run });
    game.pause();
    game.schedule.remove("menu");
    game.advance(STEP);
    game.system("menu", run);
    game.advance(STEP);
    expect(runs).toBe(0);
  });

  it("is refused for a mark that is not a boolean, and is not added", () => {
    const game = createGame();
    const system = { name: "menu", whilePaused: "yes" as never, run: () => undefined };
    expect(() => game.system(system)).toThrow(
      'Cannot add system "menu": whilePaused is "yes". Give true or false. [game/invalid-options]',
    );
    expect(game.schedule.list().map(({ name }) => name)).not.toContain("menu");
  });
});

describe("recorded input", () => {
  const names = ["Space", "Escape", "KeyW"];
  const event: fc.Arbitrary<AnyInput> = fc.oneof(
    fc.record({
      type: fc.constant("key" as const),
      code: fc.constantFrom(...names),
      down: fc.boolean(),
    }),
    fc.tuple(fc.boolean(), fc.boolean()).map(([a, b]) => pad(a ? 1 : 0, b ? 1 : 0)),
    fc.constantFrom(mouse("down"), mouse("move", 3), mouse("up"), finger("down", 2), finger("up", 2)),
    fc.constantFrom<AnyInput>({ type: "blur" }, { type: "wheel", x: 0, y: 5 }),
  );
  const frame = fc.record({
    events: fc.array(event, { maxLength: 3 }),
    steps: fc.integer({ min: 0, max: 3 }),
  });

  function walker() {
    const game = createGame({ step: STEP, actions: { ...actions, go: ["KeyW", "Pad1"] }, onError: fail });
    const hero = game.spawn(game.space.at(0, 0));
    game.system({ name: "pause", whilePaused: true, run: () => togglePause(game) });
    game.system("go", () => {
      const { input } = game;
      if (input.isDown("go")) hero.x += game.random();
      if (input.pressed("fire")) hero.y += 1;
      if (input.released("fire")) hero.rotation += 0.1;
      hero.scaleX += input.wheel.y + input.touchCount + (input.getMousePosition()?.x ?? 0);
    });
    return game;
  }

  it("replays over pauses to the same world, bit by bit", () => {
    const paused: boolean[] = [];
    property(fc.array(frame, { minLength: 5, maxLength: 40 }), (frames) => {
      const played = walker();
      played.startRecording();
      for (const { events, steps } of frames) {
        played.input.feed(...events);
        played.advance(steps * STEP);
        paused.push(played.isPaused);
      }
      const recording = JSON.parse(JSON.stringify(played.stopRecording()));
      const replayed = walker().replay(recording);
      const bytes = (game: Game) => new Uint8Array(takeSnapshot(game.world, { trees: [game.tree] }));
      expect(replayed.tick).toBe(played.tick);
      expect(bytes(replayed)).toEqual(bytes(played));
    });
    expect(new Set(paused)).toEqual(new Set([true, false]));
  });

  it("pairs every press that steps see with one release, whatever happens during pauses", () => {
    property(fc.array(frame, { minLength: 5, maxLength: 40 }), (frames) => {
      const game = walker();
      let isHeld = false;
      game.system("pairs", () => {
        const { input } = game;
        const [pressed, held, released] = [
          input.wasButtonPressed("Pad0"),
          input.isButtonDown("Pad0"),
          input.wasButtonReleased("Pad0"),
        ];
        if (held !== isHeld) expect(held ? pressed : released).toBe(true);
        if (!pressed && !released) expect(held).toBe(isHeld);
        isHeld = held;
      });
      for (const { events, steps } of frames) {
        game.input.feed(...events);
        game.advance(steps * STEP);
      }
    });
  });

  it("of a pause has the effect of everything that came in it, and nothing is held that was let go", () => {
    const buttons = [...names, "Mouse0", "Touch", "Pad0", "Pad1"];
    const seenBy = ({ input }: Game) => ({
      held: buttons.filter((name) => input.isButtonDown(name)),
      pressed: buttons.filter((name) => input.wasButtonPressed(name)),
      released: buttons.filter((name) => input.wasButtonReleased(name)),
      pointers: input.pointers,
    });
    const letGo = [pad(0, 0), finger("up", 2), mouse("up"), ...names.map((name) => key(name, false))];
    property(fc.tuple(fc.array(event), fc.array(event, { maxLength: 20 })), ([before, during]) => {
      const [whole, inFrames] = [createGame({ step: STEP }), createGame({ step: STEP })];
      const step = (...events: AnyInput[]) =>
        [whole, inFrames].map((game) => {
          game.input.feed(...events);
          return seenBy(game.step());
        });
      step(...before);
      inFrames.pause();
      for (const each of during) {
        inFrames.input.feed(each);
        inFrames.advance(STEP);
      }
      inFrames.resume();
      const events = during.filter(({ type }) => type !== "wheel") as PausedInput["events"];
      whole.input.feed({ type: "paused", events, isOver: true });
      for (const after of [[], [pad(1, 1)], letGo, []]) {
        const [expected, seen] = step(...after);
        expect(seen).toEqual(expected);
      }
      expect([seenBy(inFrames).held, inFrames.input.touchCount]).toEqual([[], 0]);
    });
  });

  it("of a pause is refused at any depth of hostile data", () => {
    let given: unknown = { type: "paused", events: [], isOver: true };
    for (let k = 0; k < 100_000; k++) given = { type: "paused", events: [given], isOver: true };
    expect(() => createGame().input.feed(given as never)).toThrow("its events is an array");
  });

  it.each([
    [{ type: "paused", events: [] }, "its isOver is undefined"],
    [{ type: "paused", events: [null], isOver: true }, "its events is an array"],
    [{ type: "paused" }, "its events is undefined"],
    [{ type: "paused", events: [{ type: "key" }] }, "its events is an array"],
    [{ type: "paused", events: [{ type: "paused", events: [] }] }, "its events is an array"],
  ])("refuses what is not the input of a pause: %j", (given, why) => {
    expect(() => createGame().input.feed(given as never)).toThrow(why);
  });
});
