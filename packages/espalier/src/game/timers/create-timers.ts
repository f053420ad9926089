/**
 * Timers as an option of a game, so that they are bundled only if the option is used.
 */
import { type ArgumentTest, expectArguments } from "../../ecs/index.ts";
import type { Game } from "../game-api.ts";
import { TimeKeeper } from "./time-keeper.ts";

const aGame: ArgumentTest = {
  expected: "that of a game. Write createGame({ timers: createTimers })",
  fits: (value) => typeof value === "number",
};

/**
 * Timers, tweens and sequences for a game: `createGame({ timers: createTimers })`, then `game.timers`.
 *
 * @example
 * ```ts
 * const game = createGame({ timers: createTimers, step: 0.5 });
 * const tank = game.spawn(game.space.at(0, 0));
 * game.timers.tween(tank, Transform2D, { x: 10 }, { seconds: 1 });
 * game.step(2);
 * tank.x; // → 10
 * ```
 */
export function createTimers(game: Game): TimeKeeper {
  expectArguments("make timers", ["it", Object(game).stepSeconds, aGame]);
  const clock = {
    step: game.stepSeconds,
    get tick() {
      return game.tick;
    },
  };
  return new TimeKeeper(game, clock, (name) => game.world.componentNamed(name));
}
