/**
 * A panel with buttons: what is inside moves, hides and is clicked with the panel. Buttons do not know the panel; their
 * events bubble to it. The title bar drags everything.
 */
import {
  Click,
  createGame,
  type EntityObject,
  type Game,
  type GameOptions,
  message,
  PointerDown,
  PointerEnter,
  PointerLeave,
  PointerMove,
  PointerUp,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { roundedRect, Shape, TextBlock } from "espalier/render";

/** The event that a button sends to its ancestors. */
const Pressed = entityEvent<{ readonly label: string }>("pressed");

/** The message that a button of the panel was chosen. */
export const Chosen = message<{ readonly button: string }>("Chosen");

export function createPanelGame(options: GameOptions = {}): Game {
  const game = createGame(options);
  const panel = game.spawn(
    game.space.at(200, 170),
    roundedRect(240, 220, 14, { fill: 0x2b2d42, stroke: 0x8d99ae, strokeWidth: 2 }),
  );
  panel.name = "panel";
  titleBar(game, panel);
  const status = panel.spawn(
    game.space.at(0, -90),
    TextBlock({ text: "Nothing chosen", size: 14, color: 0xedf2f4 }),
  );
  status.name = "status";
  ["Play", "Options", "Quit"].forEach((label, k) => {
    button(game, panel, label, 36 - k * 46);
  });
  // One handler for all buttons, also those added later.
  panel.on(Pressed, ({ payload }) => {
    status.set(TextBlock, { text: `Chosen: ${payload.label}` });
    game.send(Chosen, { button: payload.label });
  });
  return game;
}

function button(game: Game, panel: EntityObject, label: string, y: number): void {
  const made = panel.spawn(game.space.at(0, y), roundedRect(180, 36, 10, { fill: 0x4a4e69 }));
  made.name = `button ${label}`;
  const text = made.spawn(game.space.at(0, 0), TextBlock({ text: label, size: 18, color: 0xffffff }));
  // Also when the text on it is hit: the click bubbles.
  made.on(Click, () => void made.emit(Pressed, { label }));
  for (const part of [made, text]) {
    part.on(PointerEnter, () => made.set(Shape, { fill: 0x6c70a0 }));
    part.on(PointerLeave, () => made.set(Shape, { fill: 0x4a4e69 }));
  }
}

function titleBar(game: Game, panel: EntityObject): void {
  const bar = panel.spawn(game.space.at(0, 90), roundedRect(240, 40, 14, { fill: 0xef233c }));
  bar.name = "title bar";
  bar.spawn(game.space.at(0, 0), TextBlock({ text: "Drag me", size: 18, bold: true, color: 0xffffff }));
  let grip: { x: number; y: number } | undefined;
  bar.on(PointerDown, ({ payload }) => {
    grip = { x: payload.x - panel.x, y: payload.y - panel.y };
  });
  bar.on(PointerMove, ({ payload }) => {
    if (grip !== undefined) panel.setPosition(payload.x - grip.x, payload.y - grip.y);
  });
  bar.on(PointerUp, () => {
    grip = undefined;
  });
}
