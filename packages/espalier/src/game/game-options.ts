/**
 * The options of a game, with their kinds. Those of its scene format come first.
 */
import type { OptionKinds } from "../ecs/index.ts";

export const gameOptions: OptionKinds = {
  components: "anything",
  behaviours: "anything",
  plugins: "anything",
  step: "anything",
  version: "anything",
  migrations: "anything",
  schema: "anything",
  transient: "anything",
  maxSteps: "anything",
  updateOrder: ["tree", "level"],
  errors: ["report", "disable", "throw"],
  onError: "function",
  onWarn: "function",
  actions: "anything",
  scenes: "anything",
  assets: "anything",
  timers: "anything",
  particles: "anything",
  parts: "anything",
  history: "anything",
  seed: "anything",
  renderer: "anything",
  physics: "anything",
  yAxis: ["up", "down"],
  interpolate: "boolean",
  element: "anything",
  frames: "anything",
  longestFrame: "anything",
  world: "anything",
  hierarchy: "anything",
};
