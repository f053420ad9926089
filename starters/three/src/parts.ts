import type { GameOptions } from "espalier/game";
import { Driver } from "./driver.ts";

/** What the game is made of: list your components and behaviours here. */
export const parts = {
  components: [],
  behaviours: [Driver],
  actions: {
    drive: { negative: ["KeyS", "ArrowDown"], positive: ["KeyW", "ArrowUp"] },
    turn: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"], axes: [0] },
  },
} satisfies GameOptions;
