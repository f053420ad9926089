/** What the game is made of: behaviours, actions and components. No screen, no loudspeaker: tests and tools use the same. */
import { f32, tag, type World } from "espalier";
import { SpriteAnimation } from "espalier/animation";
import { audioComponents } from "espalier/audio";
import { behaviour, type EntityObject, type Game, type GameOptions, message } from "espalier/game";
import { Sprite, Tilemap, tileAt } from "espalier/render";

/** Sent when the hero takes a coin, or is caught. */
export const Taken = message("Taken");
export const Caught = message("Caught");

const TILE = 16;
const WALL = 1;

/** Whether a box of that size fits there, between the walls of the map. */
function isFree(world: World, map: EntityObject, x: number, y: number, half: number): boolean {
  for (const [dx, dy] of [
    [-half, -half],
    [half, -half],
    [-half, half],
    [half, half],
  ] as const)
    if (tileAt(world, map.id, Math.floor((x + dx) / TILE), Math.floor(-(y + dy) / TILE)) === WALL)
      return false;
  return true;
}

/** Moves along each axis as far as walls allow. Returns whether the whole way was free. */
function move(entity: EntityObject, game: Game, dx: number, dy: number, half: number): boolean {
  const map = groundOf(entity);
  const canX = isFree(game.world, map, entity.x + dx, entity.y, half);
  if (canX) entity.x += dx;
  const canY = isFree(game.world, map, entity.x, entity.y + dy, half);
  if (canY) entity.y += dy;
  return canX && canY;
}

/** The layer with the walls: the map is loaded below one entity, and its layers are siblings. */
function groundOf(entity: EntityObject): EntityObject {
  const ground = entity.parent?.parent?.children.find((layer) => layer.has(Tilemap));
  if (!ground) throw new Error("The map has no layer of tiles.");
  return ground;
}

const near = (a: EntityObject, b: EntityObject, distance: number) =>
  Math.hypot(a.x - b.x, a.y - b.y) < distance;

/** What the hero takes. */
export const Coin = tag("Coin");

/** Runs by the actions of the player, and takes coins. Its score is part of the scene, so it is saved with it. */
export const Hero = behaviour(
  "Hero",
  { speed: f32(80), score: f32(0) },
  {
    update({ entity, game, values }, dt) {
      const { x, y } = game.input.vector("move");
      move(entity, game, x * values.speed * dt, y * values.speed * dt, 5);
      const clip = x === 0 && y === 0 ? "idle" : "run";
      if (entity.get(SpriteAnimation).clip !== clip) entity.set(SpriteAnimation, { clip, time: 0 });
      if (x !== 0) entity.set(Sprite, { flipX: x < 0 });
      for (const other of entity.parent!.children) {
        if (!other.isActive || !near(entity, other, 10)) continue;
        if (other.has(Coin)) {
          other.isActive = false;
          values.score += 1;
          game.send(Taken);
        } else if (other.has(Bat)) game.send(Caught);
      }
    },
  },
);

/** Flies until it meets a wall, then turns. */
export const Bat = behaviour(
  "Bat",
  { speed: f32(50), way: f32(1) },
  {
    update({ entity, game, values }, dt) {
      if (!move(entity, game, values.way * values.speed * dt, 0, 6)) values.way = -values.way;
    },
  },
);

export const content = {
  components: [...audioComponents, SpriteAnimation, Coin],
  behaviours: [Hero, Bat],
  actions: {
    move: {
      left: ["KeyA", "ArrowLeft"],
      right: ["KeyD", "ArrowRight"],
      up: ["KeyW", "ArrowUp"],
      down: ["KeyS", "ArrowDown"],
      sticks: [0],
    },
    start: ["Enter", "Pad0"],
    pause: ["Escape", "KeyP", "Pad9"],
  },
} satisfies GameOptions;
