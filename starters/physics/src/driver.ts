import { f32 } from "espalier";
import { behaviour } from "espalier/game";
import { Joint } from "espalier/physics";

/**
 * Drives by the actions of the player: sets the motors of the joints that hold the wheels, which are children of the car.
 * A behaviour is a component: its fields stand in scene files, and every entity that has it gets these hooks.
 */
export const Driver = behaviour(
  "Driver",
  { speed: f32(20) },
  {
    update({ entity, game, values }) {
      // A wheel that turns clockwise, to the right, has a negative speed.
      const motorSpeed = -game.input.axis("drive") * values.speed;
      for (const axle of entity.children) {
        if (axle.has(Joint)) game.world.set(axle.id, Joint, { motorSpeed });
      }
    },
  },
);
