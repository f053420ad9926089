/**
 * A simple pilot, for playing without a player: it presses the keys that a player would.
 */
import { not } from "espalier";
import type { AnyInput, Game } from "espalier/game";
import { Drift, Part, Scrap } from "./components.ts";

/** Presses and releases the keys that lead to the nearest scrap. */
export function fly(game: Game): void {
  const { turn, isAhead } = steer(game);
  const key = (code: string, down: boolean): AnyInput => ({ type: "key", code, down });
  game.input.feed(key("KeyA", turn > 0.1), key("KeyD", turn < -0.1), key("KeyW", isAhead));
}

/** Towards the nearest scrap. */
function steer(game: Game): { readonly turn: number; readonly isAhead: boolean } {
  const core = game.find("/level/core");
  if (core === null) return { turn: 0, isAhead: false };
  let nearest = Number.POSITIVE_INFINITY;
  let turn = 0;
  for (const scrap of game.world.query(Scrap, not(Part))) {
    const { x, y } = game.space.worldToLocal(core.id, ...pair(game.getWorldPosition(scrap)));
    if (Math.hypot(x, y) < nearest) [nearest, turn] = [Math.hypot(x, y), Math.atan2(y, x)];
  }
  const { x, y } = core.get(Drift);
  return { turn, isAhead: Math.abs(turn) < 0.5 && Math.hypot(x, y) < 90 };
}

const pair = ({ x, y }: { x: number; y: number }) => [x, y] as const;
