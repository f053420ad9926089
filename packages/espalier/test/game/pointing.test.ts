import {
  type AnyInput,
  Click,
  createGame,
  Drag,
  type Game,
  Gesture,
  PointerDown,
  PointerEnter,
  PointerLeave,
  PointerMove,
  PointerUp,
  Tap,
} from "espalier/game";
import { ZIndex } from "espalier/inherit";
import { Camera, circle, createRecordingRenderer, rect } from "espalier/render";
import { describe, expect, it } from "vitest";

const pointer = (phase: "down" | "move" | "up" | "cancel", x: number, y: number): AnyInput => ({
  type: "pointer",
  phase,
  id: 1,
  kind: "mouse",
  x,
  y,
  button: 0,
  pressure: 0.5,
});

function screened(options: Parameters<typeof createGame>[0] = {}): Game {
  const game = createGame(options);
  game.input.feed({ type: "resize", width: 400, height: 200 });
  return game;
}

describe("positions of pointers", () => {
  it("have y upwards, and raw ones downwards", () => {
    const game = screened();
    game.input.feed(pointer("move", 30, 40));
    game.step();
    expect(game.getMousePosition()).toEqual({ x: 30, y: 160 });
    expect(game.getInput().getMousePosition()).toEqual({ x: 30, y: 40 });
  });

  it("have y downwards in a game that says so", () => {
    const game = screened({ yAxis: "down" });
    game.input.feed(pointer("move", 30, 40));
    game.step();
    expect(game.getMousePosition()).toEqual({ x: 30, y: 40 });
  });

  it("go through camera and letterbox", () => {
    const game = screened();
    game.spawn(game.space.at(100, 50), Camera({ width: 100, height: 100 }));
    game.input.feed(pointer("move", 200, 100), {
      ...pointer("down", 100, 0),
      kind: "touch",
      id: 3,
    } as AnyInput);
    game.step();
    expect(game.getMousePosition()).toEqual({ x: 100, y: 50 });
    expect(game.getTouch(0)).toEqual({ x: 50, y: 100 });
    expect(game.getTouch(1)).toBeUndefined();
  });
});

describe("picking", () => {
  function stack(options: Parameters<typeof createGame>[0] = {}) {
    const game = screened(options);
    const low = game.spawn(game.space.at(50, 50), rect(40, 40));
    const high = game.spawn(game.space.at(50, 50), rect(20, 20), ZIndex({ z: 5 }));
    const child = low.spawn(game.space.at(0, 0), circle(5));
    return { game, low, high, child };
  }

  it.each([
    ["without a renderer", {}],
    ["with one", { renderer: (game: Game) => createRecordingRenderer(game.space) }],
  ])("gives the topmost by effective z, %s", (_, options) => {
    const { game, low, high, child } = stack(options);
    game.step();
    expect(game.pickAll(50, 50)).toEqual([high, child, low]);
    expect(game.pick(35, 35)).toBe(low);
    expect(game.pick(500, 500)).toBeNull();
  });

  it("skips what is hidden or not active", () => {
    const { game, low, high, child } = stack();
    high.hidden = true;
    expect(game.pick(50, 50)).toBe(child);
    low.isActive = false;
    expect(game.pick(50, 50)).toBeNull();
  });
});

describe("pointer events on entities", () => {
  it("happen to what is under the pointer, and bubble", () => {
    const game = screened();
    const panel = game.spawn(game.space.at(100, 100), rect(100, 100));
    const button = panel.spawn(game.space.at(0, 20), rect(40, 20));
    const said: string[] = [];
    panel.name = "panel";
    button.name = "button";
    for (const [name, kind] of Object.entries({ PointerDown, PointerUp, PointerMove, Click })) {
      panel.on(
        kind,
        ({ target, payload }) =>
          void said.push(`${name} ${game.entity(target).name} ${payload.x},${payload.y}`),
      );
    }
    button.on(PointerEnter, () => void said.push("enter"));
    button.on(PointerLeave, () => void said.push("leave"));
    game.input.feed(
      pointer("move", 110, 80),
      pointer("down", 110, 80),
      pointer("up", 110, 80),
      pointer("move", 60, 100),
    );
    game.step();
    expect(said).toEqual([
      "enter",
      "PointerMove button 110,120",
      "PointerDown button 110,120",
      "PointerUp button 110,120",
      "Click button 110,120",
      "leave",
      "PointerMove panel 60,100",
    ]);
  });

  it("are no click when the pointer comes up elsewhere, or is cancelled", () => {
    const game = screened();
    const box = game.spawn(game.space.at(100, 100), rect(50, 50));
    let clicks = 0;
    box.on(Click, () => void clicks++);
    game.input.feed(pointer("down", 100, 100), pointer("up", 10, 10));
    game.input.feed(pointer("down", 100, 100), pointer("cancel", 100, 100));
    game.step();
    expect(clicks).toBe(0);
  });
});

describe("clicks", () => {
  it("belong to a button, and to the last time that it went down", () => {
    const game = screened();
    const clicks: number[] = [];
    const box = game.spawn(game.space.at(100, 100), rect(50, 50));
    box.on(Click, ({ payload }) => void clicks.push(payload.button));
    const on = (phase: "down" | "up", button: number) =>
      ({ ...pointer(phase, 100, 100), button }) as AnyInput;
    const beside = (phase: "down" | "up", button: number) =>
      ({ ...pointer(phase, 5, 5), button }) as AnyInput;
    game.input.feed(on("down", 0), beside("down", 2), on("up", 2), on("up", 0));
    // Its end was never told: the window lost the focus.
    game.input.feed(on("down", 0), beside("down", 0), on("up", 0));
    game.step();
    expect(clicks).toEqual([0]);
  });
});

describe("gestures", () => {
  const gesture = (
    kind: "tap" | "drag",
    phase: "start" | "move" | "end",
    x: number,
    y: number,
    dx = 0,
    dy = 0,
  ): AnyInput => ({
    type: "gesture",
    kind,
    phase,
    x,
    y,
    dx,
    dy,
    scale: 1,
    angle: 0,
  });

  it("have game coordinates, as messages and as events of the entity they began on", () => {
    const game = screened();
    const box = game.spawn(game.space.at(100, 100), rect(50, 50));
    const said: string[] = [];
    game.listenFor(Gesture, ({ kind, phase }) => void said.push(`${kind} ${phase}`));
    box.on(Drag, ({ payload }) => {
      said.push(`box by ${payload.dx},${payload.dy}`);
      box.setPosition(box.x + payload.dx, box.y + payload.dy);
    });
    box.on(Tap, () => void said.push("box tapped"));
    game.input.feed(
      gesture("drag", "start", 110, 90, 10, -10),
      gesture("drag", "end", 310, 90, 200, 0),
      gesture("tap", "end", 300, 90),
    );
    game.step();
    expect(said).toEqual(["drag start", "box by 10,10", "drag end", "box by 200,0", "tap end", "box tapped"]);
    expect([box.x, box.y]).toEqual([310, 110]);
  });
});
