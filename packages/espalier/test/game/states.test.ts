import { checkWorld, f32 } from "espalier";
import {
  behaviour,
  Click,
  createGame,
  createTimers,
  type GameOptions,
  InState,
  inState,
  PointerDown,
  State,
  StateEntered,
  StateExited,
  sceneFiles,
  UnknownStateError,
} from "espalier/game";
import { createHistory, takeSnapshot } from "espalier/history";
import { Active, TimeScale } from "espalier/inherit";
import { rect } from "espalier/render";
import { describe, expect, it } from "vitest";

const STEP = 0.125;
const Wheel = behaviour(
  "Wheel",
  { speed: f32(0.8) },
  {
    update: ({ entity, values }, dt) => void (entity.rotation += values.speed * dt),
  },
);

/** A game with a menu and a level, and one key or button that pauses and resumes. */
function plant(options: GameOptions = {}) {
  const game = createGame({
    step: STEP,
    behaviours: [Wheel],
    timers: createTimers,
    scenes: sceneFiles(),
    history: ({ world }) => createHistory(world),
    actions: { pause: ["Escape", "Pad9"] },
    frames: null,
    errors: "throw",
    ...options,
  });
  game.input.feed({ type: "resize", width: 800, height: 600 });
  const flow = game.spawn(State({ now: "menu" }));
  flow.name = "flow";
  const menu = flow.spawn(game.space.at(0, 0), rect(20, 20), InState({ present: ["menu", "paused"] }));
  menu.name = "menu";
  const level = flow.spawn(
    game.space.at(0, 0),
    InState({ present: ["playing", "paused"], running: ["playing"] }),
  );
  level.name = "level";
  const wheel = level.spawn(game.space.at(0, 0), rect(400, 400), Wheel);
  wheel.name = "wheel";
  game.system("pause", () => {
    if (!game.input.pressed("pause")) return;
    const flow = game.find("/flow")!;
    flow.set(State, { now: flow.get(State).now === "paused" ? "playing" : "paused" });
  });
  return { game, flow, menu, level, wheel };
}

const key = (down: boolean) => ({ type: "key", code: "Escape", down }) as const;
const pad = (down: boolean) =>
  ({
    type: "gamepad",
    index: 0,
    buttons: Array.from({ length: 16 }, (_, k) => (k === 9 && down ? 1 : 0)),
    axes: [],
  }) as const;

describe("states", () => {
  it.each([
    ["a key", key],
    ["a button of a gamepad", pad],
  ])("pause and resume a game by %s", (_name, press) => {
    const { game, flow, menu, level, wheel } = plant();
    game.step();
    expect([menu.isActiveInTree, level.isActiveInTree, wheel.rotation]).toEqual([true, false, 0]);
    flow.set(State, { now: "playing" });
    game.step(10);
    const turned = wheel.rotation;
    expect(turned).toBeCloseTo(1, 5);
    expect(menu.isActiveInTree).toBe(false);
    const tap = () => {
      game.input.feed(press(true) as never);
      game.step();
      game.input.feed(press(false) as never);
      game.step();
    };
    tap();
    const paused = wheel.rotation;
    expect(paused - turned).toBeCloseTo(0.1, 5);
    game.step(10);
    expect(flow.get(State).now).toBe("paused");
    expect([wheel.rotation, menu.isActiveInTree, level.isActiveInTree]).toEqual([paused, true, true]);
    tap();
    game.step(9);
    expect(flow.get(State).now).toBe("playing");
    expect(wheel.rotation - paused).toBeCloseTo(1, 5);
    expect(checkWorld(game.world)).toEqual([]);
  });

  it("let a click on the menu reach the menu and not what is behind it", () => {
    const { game, flow, menu, wheel } = plant();
    const said: string[] = [];
    menu.on(Click, () => void said.push("menu"));
    wheel.on(PointerDown, () => void said.push("shoot"));
    const click = () => {
      const at = { type: "pointer", kind: "mouse", id: 1, x: 0, y: 600, button: 0, pressure: 1 } as const;
      game.input.feed({ ...at, phase: "down" } as never);
      game.input.feed({ ...at, phase: "up" } as never);
      game.step();
    };
    game.step();
    click();
    flow.set(State, { now: "playing" });
    game.step();
    click();
    expect(said).toEqual(["menu", "shoot"]);
  });

  it("are entered and left with entity events, and begin with one", () => {
    const { game, flow } = plant();
    const said: string[] = [];
    flow.on(StateExited, ({ payload }) => void said.push(`${payload.state} before ${payload.to}`));
    flow.on(StateEntered, ({ payload }) => void said.push(`${payload.from} → ${payload.state}`));
    game.step(2);
    flow.set(State, { now: "playing" });
    flow.set(State, { now: "playing" });
    game.step(2);
    flow.set(State, { now: "paused" });
    flow.set(State, { now: "playing" });
    game.step(2);
    expect(said).toEqual([" → menu", "menu before playing", "menu → playing"]);
  });

  it("apply down to the next State: a character has states of its own", () => {
    const { game, flow, level } = plant();
    flow.set(State, { now: "playing" });
    const hero = level.spawn(State({ now: "idle" }));
    const dust = hero.spawn(InState({ present: ["run"] }));
    game.step();
    expect(dust.isActiveInTree).toBe(false);
    hero.set(State, { now: "run" });
    game.step();
    expect(dust.isActiveInTree).toBe(true);
    dust.parent = level;
    game.step();
    expect(dust.isActiveInTree).toBe(false);
    dust.set(InState, { present: ["playing"] });
    game.step();
    expect(dust.isActiveInTree).toBe(true);
  });

  it("do not affect entities without a State above", () => {
    const game = createGame();
    const alone = game.spawn(
      InState({ present: ["x"], running: ["x"] }),
      Active({ on: true }),
      TimeScale({ value: 0.5 }),
    );
    game.step();
    expect([alone.isActiveInTree, alone.get(TimeScale).value]).toEqual([true, 0.5]);
  });

  it("let systems run only in some of them", () => {
    const { game, flow } = plant();
    let runs = 0;
    game.system({ name: "waves", runIf: inState(flow, "playing", "boss"), run: () => void runs++ });
    game.step(3);
    flow.set(State, { now: "boss" });
    game.step(2);
    flow.destroy();
    game.step(2);
    expect(runs).toBe(2);
    expect(() => inState({} as never, "x")).toThrow("an entity object");
    expect(() => inState(game.spawn(), 3 as never)).toThrow("ecs/invalid-argument");
  });

  it("are saved: a game that is loaded while it was paused is still paused, and continues", () => {
    const { game, flow, wheel } = plant();
    flow.set(State, { now: "playing" });
    game.step(5);
    flow.set(State, { now: "paused" });
    game.step(3);
    const text = game.format.save(game.tree, [flow.id]);
    const next = plant();
    next.flow.destroy();
    next.game.format.load(next.game.tree, text);
    next.game.step(10);
    const loaded = next.game.find("/flow/level/wheel")!;
    expect(loaded.rotation).toBe(wheel.rotation);
    expect(next.game.find("/flow/menu")!.isActiveInTree).toBe(true);
    next.game.input.feed(key(true));
    next.game.step(5);
    expect(loaded.rotation).toBeGreaterThan(wheel.rotation);
  });

  it("are undone and redone with what depends on them", () => {
    const { game, flow, menu, level } = plant({
      history: ({ world }) => createHistory(world, { implicit: false }),
    });
    game.step();
    const { history } = game;
    history?.clear();
    history?.step("play", () => flow.set(State, { now: "playing" }));
    game.step();
    const seen = () => [flow.get(State).now, menu.isActiveInTree, level.isActiveInTree];
    expect(seen()).toEqual(["playing", false, true]);
    history?.undo();
    game.step();
    expect(seen()).toEqual(["menu", true, false]);
    expect(history?.canRedo).toBe(true);
    history?.redo();
    game.step();
    expect(seen()).toEqual(["playing", false, true]);
  });

  it("are replayed bit by bit from a recording over a pause", () => {
    const make = () => {
      const made = plant();
      made.flow.set(State, { now: "playing" });
      return made;
    };
    const first = make();
    first.game.startRecording();
    for (let k = 0; k < 60; k++) {
      if (k === 10 || k === 40) first.game.input.feed(key(true));
      if (k === 12 || k === 41) first.game.input.feed(key(false));
      if (k === 20) first.game.input.feed(pad(true) as never);
      if (k === 21) first.game.input.feed(pad(false) as never);
      first.game.step();
    }
    const recording = first.game.stopRecording();
    const second = make();
    second.game.replay(recording);
    const bytes = ({ game }: ReturnType<typeof plant>) =>
      Buffer.from(takeSnapshot(game.world, { trees: [game.tree] })).toString("base64");
    expect(bytes(second)).toBe(bytes(first));
    expect(first.flow.get(State).now).toBe("paused");
  });

  it("that no State allows are refused as conditions, and reported where something waits for them", () => {
    const errors: Error[] = [];
    const game = createGame({ onError: (error) => errors.push(error) });
    const flow = game.spawn(State({ now: "menu", allowed: { menu: ["playing"], playing: ["paused"] } }));
    expect(() => inState(flow, "menu", "plaing")).toThrow(UnknownStateError);
    expect(() => inState(flow, "plaing")).toThrow('Did you mean "playing"?');
    inState(flow, "menu", "playing", "paused");
    inState(game.spawn(State({ now: "menu" })), "anything");
    const folder = flow.spawn();
    const level = folder.spawn(InState({ present: ["playing", "pausd"], running: ["playing", "pausd"] }));
    folder.spawn(InState({ present: ["menu"] }));
    game.step(3);
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/has an InState for "pausd".*Did you mean "paused"\?/s),
    ]);
    expect(errors[0]).toMatchObject({ code: "game/unknown-state", from: "menu", entities: [level.id] });
    level.set(InState, { present: ["playing"], running: null });
    game.step();
    expect(errors).toHaveLength(1);
  });

  it("that are not allowed are refused with the nearest name, and nothing changes", () => {
    const game = createGame();
    const allowed = { menu: ["playing"], playing: ["paused", "over"], paused: ["playing"] };
    const flow = game.spawn(State({ now: "menu", allowed }));
    const go = (now: string) => () => flow.set(State, { now });
    expect(go("plaing")).toThrow(UnknownStateError);
    expect(go("plaing")).toThrow(`Did you mean "playing"?`);
    expect(go("paused")).toThrow(
      expect.objectContaining({
        code: "game/unknown-state",
        value: "paused",
        from: "menu",
        known: ["playing"],
      }),
    );
    expect(flow.get(State).now).toBe("menu");
    go("playing")();
    go("over")();
    expect(go("nowhere")).toThrow(UnknownStateError);
    go("menu")();
    expect(() => flow.set(State, { allowed: { menu: "playing" } as never })).toThrow("ecs/invalid-value");
    expect(() => game.spawn(InState({ present: "menu" as never }))).toThrow("ecs/invalid-value");
  });
});
