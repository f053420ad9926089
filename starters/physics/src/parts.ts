import type { Game, GameOptions } from "espalier/game";
import { createPhysics } from "espalier/physics";
import { loadBox2D } from "espalier/physics/box2d";
import { Driver } from "./driver.ts";

const box2d = await loadBox2D();

/** What the game is made of: list your components and behaviours here. */
export const parts = {
  components: [],
  behaviours: [Driver],
  actions: {
    drive: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"], axes: [0] },
  },
  // Scenes are in pixels, and 50 of them are a metre.
  physics: ({ space }: Game) => createPhysics(space, box2d, { unitsPerMetre: 50 }),
} satisfies GameOptions;
