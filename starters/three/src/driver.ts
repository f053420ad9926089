import { f32 } from "espalier";
import { behaviour } from "espalier/game";

/**
 * Drives by the actions of the player. A behaviour is a component: its fields stand in scene files, and every entity
 * that has it gets these hooks. Moving the hull moves turret and barrel, because they are its children.
 */
export const Driver = behaviour(
  "Driver",
  { speed: f32(140), turn: f32(2.5) },
  {
    update({ entity, game, values }, dt) {
      entity.rotation -= game.input.axis("turn") * values.turn * dt;
      const way = game.input.axis("drive") * values.speed * dt;
      const { x, y } = game.space.localToWorldDirection(entity.id, way, 0);
      entity.setPosition(entity.x + x, entity.y + y);
      // The turret points at the mouse, whichever way the hull looks.
      const turret = entity.children.find(({ name }) => name === "turret");
      const mouse = game.getMousePosition();
      if (turret && mouse) game.space.lookAt(turret.id, mouse.x, mouse.y);
    },
  },
);
