/** The arena: the same components, prefabs and systems for one player, the server and its clients. */
import { angle, fields, range, replicate } from "@espalier/colyseus";
import { bool, component, type Entity, entityRef, f32, tag, u8 } from "espalier";
import { createGame, type Game, type GameOptions } from "espalier/game";
import { circle, rect } from "espalier/render";
import { Transform2D } from "espalier/transform";

export const SIZE = 400;

export const Tank = component("Tank", { color: u8(), score: f32(), wait: f32() });
export const Gun = tag("Gun");
export const Shell = component("Shell", { speed: f32(240), left: f32(2), from: entityRef() });
/** What a player does. */
export const Drive = component("Drive", { throttle: f32(), turn: f32(), fire: bool() });

export const arena = replicate({
  components: [
    fields(Transform2D, { x: range(-SIZE, SIZE), y: range(-SIZE, SIZE), rotation: angle() }),
    fields(Tank, { wait: false }),
    Gun,
    fields(Shell, { speed: false, left: false, from: false }),
  ],
  input: Drive,
  bounds: { throttle: range(-1, 1, { bits: 8 }), turn: range(-1, 1, { bits: 8 }) },
});

const colors = [0xe4572e, 0x17bebb, 0xffc914, 0x76b041, 0x8f6fd6, 0xd65db1];
const clamp = (value: number) => Math.max(-SIZE, Math.min(SIZE, value));

/** Drives what has an input: the server every tank, a client its own. */
export function drive({ world, dt }: { readonly world: Game["world"]; readonly dt: number }): void {
  world.query(Transform2D, Drive).update((place, { throttle, turn }) => {
    place.rotation += turn * 2.5 * dt;
    place.x = clamp(place.x + Math.cos(place.rotation) * throttle * 90 * dt);
    place.y = clamp(place.y + Math.sin(place.rotation) * throttle * 90 * dt);
  });
}

/** A tank with its gun. */
export function spawnTank(game: Game, color: number): Entity {
  const x = (game.random() * 2 - 1) * (SIZE - 50);
  const y = (game.random() * 2 - 1) * (SIZE - 50);
  const tank = game.spawn(game.space.at(x, y), Tank({ color: color % colors.length }), Drive()).id;
  game.tree.attachNew(tank, game.space.at(14, 0), Gun());
  return tank;
}

/** How a tank, a gun or a shell looks: an entity below it, which only games with a screen have. */
export function addLook(game: Game, entity: Entity): void {
  const { world, tree, space } = game;
  const tank = world.get(entity, Tank);
  if (tank !== undefined) {
    tree.attachNew(entity, space.at(0, 0), rect(32, 22, { fill: colors[tank.color] ?? 0xffffff }));
  } else if (world.has(entity, Gun)) tree.attachNew(entity, space.at(0, 0), rect(20, 6, { fill: 0x333333 }));
  else if (world.has(entity, Shell)) tree.attachNew(entity, space.at(0, 0), circle(4, { fill: 0x111111 }));
}

/** The rules: for the server, and for a game of one player. */
export function addRules(game: Game): Game {
  const { world } = game;
  const tanks = world.query(Transform2D, Tank, Drive);
  const shells = world.query(Transform2D, Shell);
  game.system("drive", ({ dt }) => drive({ world, dt }));
  game.system("fire", ({ dt }) => {
    for (const entity of [...tanks]) {
      const { wait } = world.get(entity, Tank)!;
      const isFiring = world.get(entity, Drive)!.fire && wait <= 0;
      if (wait > 0 || isFiring) world.set(entity, Tank, { wait: isFiring ? 0.5 : wait - dt });
      if (!isFiring) continue;
      const { x, y, rotation } = world.get(entity, Transform2D)!;
      const [dx, dy] = [Math.cos(rotation), Math.sin(rotation)];
      game.tree.attachNew(
        null,
        Transform2D({ x: x + dx * 30, y: y + dy * 30, rotation }),
        Shell({ from: entity }),
      );
    }
  });
  game.system("shells", ({ dt }) => {
    shells.update((place, shell) => {
      place.x += Math.cos(place.rotation) * shell.speed * dt;
      place.y += Math.sin(place.rotation) * shell.speed * dt;
      shell.left -= dt;
    });
    for (const entity of [...shells]) hit(game, entity, [...tanks]);
  });
  return game;
}

/** A tank that is hit starts elsewhere, and the one that fired scores. */
function hit(game: Game, entity: Entity, tanks: readonly Entity[]): void {
  const { world } = game;
  const { x, y } = world.get(entity, Transform2D)!;
  const { from, left } = world.get(entity, Shell)!;
  const target = tanks.find((tank) => {
    const place = world.get(tank, Transform2D)!;
    return tank !== from && Math.hypot(place.x - x, place.y - y) < 18;
  });
  if (target !== undefined) {
    world.set(target, Transform2D, { x: (game.random() * 2 - 1) * SIZE, y: (game.random() * 2 - 1) * SIZE });
    const score = from === null ? undefined : world.get(from, Tank)?.score;
    if (from !== null && score !== undefined) world.set(from, Tank, { score: score + 1 });
  }
  if (target !== undefined || left <= 0 || Math.abs(x) > SIZE || Math.abs(y) > SIZE)
    game.tree.destroy(entity);
}

/** The game without its rules: what a client has. */
export const createArena = (options: GameOptions = {}): Game =>
  createGame({ step: 1 / 30, components: [Tank, Gun, Shell, Drive], ...options }) as Game;
