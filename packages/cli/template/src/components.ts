import { component, f32, tag } from "espalier";
import { createSceneFormat } from "espalier/scene";
import { Transform2D } from "espalier/transform";

/** How far an entity goes and turns in one frame. */
export const Speed = component("Speed", { x: f32(), y: f32(), turn: f32() });

/** What the player steers. */
export const Player = tag("Player");

/** The components that scenes may hold. */
export const format = createSceneFormat({
  components: [Transform2D, Speed, Player],
  schema: "./scene.schema.json",
});
