import { type AnyInput, createGame } from "espalier/game";
import { describe, expect, it } from "vitest";

const key = (code: string, down = true): AnyInput => ({ type: "key", code, down });
const pointer = (
  phase: "down" | "move" | "up" | "cancel",
  x: number,
  y: number,
  kind: "mouse" | "touch" | "pen" = "mouse",
  id = 1,
): AnyInput => ({
  type: "pointer",
  phase,
  id,
  kind,
  x,
  y,
  button: phase === "move" ? -1 : 0,
  pressure: 0.5,
});

const actions = {
  jump: ["Space", "Mouse0", "Touch", "Pad0"],
  steer: { negative: ["KeyA"], positive: ["KeyD"], axes: [0] },
  move: { left: ["KeyA"], right: ["KeyD"], up: ["KeyW"], down: ["KeyS"], sticks: [0] },
};

describe("actions", () => {
  it("are pressed and released for one step each", () => {
    const game = createGame({ actions });
    const { input } = game;
    const states: boolean[][] = [];
    const look = () => states.push([input.pressed("jump"), input.isDown("jump"), input.released("jump")]);
    input.feed(key("Space"));
    for (let k = 0; k < 2; k++, look()) game.step();
    input.feed(key("Space", false));
    for (let k = 0; k < 2; k++, look()) game.step();
    expect(states).toEqual([
      [true, true, false],
      [false, true, false],
      [false, false, true],
      [false, false, false],
    ]);
  });

  it("detect a key that is pressed and released within one step", () => {
    const game = createGame({ actions });
    game.input.feed(key("Space"), key("Space", false));
    game.step();
    expect([game.input.pressed("jump"), game.input.isDown("jump"), game.input.released("jump")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("wait while there is no step", () => {
    const game = createGame({ actions, step: 0.1 });
    game.input.feed(key("Space"));
    game.advance(0.05);
    expect(game.input.isDown("jump")).toBe(false);
    game.advance(0.05);
    expect(game.input.pressed("jump")).toBe(true);
  });

  it("are held as long as one of their buttons is", () => {
    const game = createGame({ actions });
    game.input.feed(key("Space"), pointer("down", 0, 0));
    game.step();
    game.input.feed(key("Space", false));
    game.step();
    expect([game.input.isDown("jump"), game.input.released("jump")]).toEqual([true, false]);
  });

  it("are pressed once, even when a second of their buttons is pressed", () => {
    const game = createGame({ actions });
    const { input } = game;
    input.feed(key("Space"));
    game.step();
    expect(input.pressed("jump")).toBe(true);
    input.feed(pointer("down", 0, 0));
    game.step();
    expect([input.pressed("jump"), input.isDown("jump")]).toEqual([false, true]);
    // Let go and pressed again within one step counts as pressed.
    input.feed(pointer("up", 0, 0), key("Space", false), key("Space"));
    game.step();
    expect(input.pressed("jump")).toBe(true);
  });

  it("have axes of keys and sticks, with a dead zone, never longer than 1", () => {
    const game = createGame({ actions });
    const { input } = game;
    input.feed(key("KeyD"), key("KeyW"));
    game.step();
    expect(input.axis("steer")).toBe(1);
    expect(input.vector("move").x).toBeCloseTo(Math.SQRT1_2, 10);
    expect(input.vector("move").y).toBeCloseTo(Math.SQRT1_2, 10);
    expect(input.axis("move")).toBeCloseTo(Math.SQRT1_2, 10);
    input.feed(key("KeyA"));
    game.step();
    expect(input.axis("steer")).toBe(0);
    input.feed({ type: "blur" }, { type: "gamepad", index: 0, axes: [0.1, -1], buttons: [1] });
    game.step();
    expect(input.axis("steer")).toBe(0);
    expect(input.vector("move").y).toBeCloseTo(0.995, 2);
    expect(input.pressed("jump")).toBe(true);
    input.feed({ type: "gamepad", index: 0, axes: [-0.575, 0], buttons: [0] });
    game.step();
    expect(input.axis("steer")).toBeCloseTo(-0.5, 10);
    expect(input.axis("jump")).toBe(0);
  });

  it("can be remapped, also from settings that a player saved", () => {
    const game = createGame({ actions });
    game.input.bind("jump", ["KeyJ"]);
    game.input.feed(key("Space"));
    game.step();
    expect(game.input.isDown("jump")).toBe(false);
    const saved = JSON.parse(JSON.stringify(game.input.bindings()));
    expect(saved.jump).toEqual(["KeyJ"]);
    const next = createGame({ actions: saved });
    next.input.feed(key("KeyJ"));
    next.step();
    expect(next.input.pressed("jump")).toBe(true);
  });

  it("are released when the window loses the focus", () => {
    const game = createGame({ actions });
    game.input.feed(key("Space"), pointer("down", 1, 1, "touch", 5));
    game.step();
    game.input.feed({ type: "blur" });
    game.step();
    expect([game.input.isDown("jump"), game.input.released("jump"), game.input.touchCount]).toEqual([
      false,
      true,
      0,
    ]);
  });

  it("are refused when they are not mapped, or mapped to nothing that exists", () => {
    const game = createGame({ actions });
    expect(() => game.input.isDown("jmup")).toThrow(
      'Cannot read the action "jmup": it is not mapped. Did you mean "jump"?',
    );
    expect(() => game.input.bind("fire", ["left mouse"])).toThrow('Cannot map fire to "left mouse"');
    expect(() => game.input.bind("fire", { lft: ["KeyA"] } as never)).toThrow('Did you mean "left"?');
    expect(() => game.input.bind("fire", { sticks: [-1] })).toThrow("axes and sticks are numbers from 0");
    expect(() => game.input.bind("fire", { axes: [0], deadZone: 1 })).toThrow("its deadZone is 1");
    expect(() => game.input.bind("", ["KeyA"])).toThrow("game/invalid-binding");
    expect(() => game.input.vector("steer")).toThrow('Cannot read "steer" as a vector');
    expect(() => createGame({ actions: { go: 5 as never } })).toThrow("Cannot map go to 5.");
  });
});

describe("pointers", () => {
  it("are given raw, with y downwards", () => {
    const game = createGame();
    expect(game.getInput().getMousePosition()).toBeUndefined();
    game.input.feed(pointer("move", 30, 40), { type: "wheel", x: 0, y: 12 }, { type: "wheel", x: 0, y: 3 });
    game.step();
    expect(game.getInput().getMousePosition()).toEqual({ x: 30, y: 40 });
    expect(game.input.wheel).toEqual({ x: 0, y: 15 });
    game.step();
    expect(game.input.wheel).toEqual({ x: 0, y: 0 });
  });

  it("count fingers in the order in which they came down", () => {
    const game = createGame();
    game.input.feed(pointer("down", 1, 1, "touch", 7), pointer("down", 2, 2, "touch", 8));
    game.step();
    expect([game.input.touchCount, game.input.getTouch(1)]).toEqual([2, { x: 2, y: 2 }]);
    game.input.feed(pointer("up", 1, 1, "touch", 7), pointer("move", 5, 5, "touch", 8));
    game.step();
    expect([game.input.touchCount, game.input.getTouch(0), game.input.getTouch(1)]).toEqual([
      1,
      { x: 5, y: 5 },
      undefined,
    ]);
    expect(game.input.isButtonDown("Touch")).toBe(true);
    game.input.feed(pointer("cancel", 5, 5, "touch", 8));
    game.step();
    expect([game.input.wasButtonReleased("Touch"), game.input.wasButtonPressed("Touch")]).toEqual([
      true,
      false,
    ]);
  });

  it("hold a mouse as long as one of its buttons is down", () => {
    const game = createGame();
    const { input } = game;
    const step = (...events: AnyInput[]) => {
      input.feed(...events);
      game.step();
    };
    const button = (phase: "down" | "up" | "cancel", which: number) =>
      ({ ...pointer(phase, 5, 5), button: which }) as AnyInput;
    const states: unknown[] = [];
    const look = () =>
      states.push([
        input.isButtonDown("Mouse0"),
        input.isButtonDown("Mouse2"),
        input.pointers.map(({ isDown }) => isDown),
      ]);
    for (const event of [button("down", 0), button("down", 2), button("up", 0), button("up", 2)]) {
      step(event);
      look();
    }
    step(button("down", 0), button("down", 2));
    step(button("cancel", -1));
    look();
    step(button("down", 0));
    step({ type: "blur" });
    look();
    expect(states).toEqual([
      [true, false, [true]],
      [true, true, [true]],
      [false, true, [true]],
      [false, false, [false]],
      [false, false, [false]],
      [false, false, [false]],
    ]);
  });
});

describe("gamepads", () => {
  it("that are unplugged release their buttons, and leave those of others", () => {
    const game = createGame({ actions: { go: ["Pad0"], jump: ["Pad3"], steer: { axes: [0] } } });
    const pad = (index: number, axes: number[], buttons: number[]): AnyInput => ({
      type: "gamepad",
      index,
      axes,
      buttons,
    });
    game.input.feed(pad(0, [1], [1, 0, 0, 1]), pad(1, [0.5], [1]));
    game.step();
    game.input.feed(pad(0, [], []));
    game.step();
    const { input } = game;
    expect([input.isDown("go"), input.isDown("jump"), input.released("jump")]).toEqual([true, false, true]);
    expect(input.axis("steer")).toBeCloseTo(0.41);
  });
});

describe("bindings", () => {
  it("are a copy, of what was given and of what is handed out", () => {
    const mine = { jump: ["Space"], move: { left: ["KeyA"], sticks: [0], deadZone: 0.2 } };
    const game = createGame({ actions: mine });
    mine.jump.push("KeyJ");
    const handed = game.input.bindings() as typeof mine;
    handed.jump.push("KeyK");
    handed.move.left.length = 0;
    expect(game.input.bindings()).toEqual({
      jump: ["Space"],
      move: { left: ["KeyA"], sticks: [0], deadZone: 0.2 },
    });
    game.input.feed(key("KeyJ"), key("KeyK"));
    game.step();
    expect(game.input.isDown("jump")).toBe(false);
  });
});
