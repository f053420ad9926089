/** The arena, shared by a game for one player, the server and its clients. Tanks and shells are prefabs with behaviours. */
import { angle, fields, range, replicate } from "@espalier/colyseus";
import { bool, component, entityRef, f32, type ValueOf } from "espalier";
import {
  behaviour,
  createGame,
  type EntityObject,
  type Game,
  type GameOptions,
  message,
  sceneFiles,
} from "espalier/game";
import { Shape } from "espalier/render";
import type { Prefab } from "espalier/scene";
import { Transform2D } from "espalier/transform";
import level from "./scenes/arena.scene.json";
import shell from "./scenes/shell.prefab.json";
import tank from "./scenes/tank.prefab.json";

/** Half of the side of the square. */
export const SIZE = 400;

export const Tank = component("Tank", { speed: f32(90), turning: f32(2.5), score: f32() });
/** What a player does. */
export const Drive = component("Drive", { throttle: f32(), turn: f32(), fire: bool() });

/** What clients receive: positions and appearance. Behaviours stay on the server. */
export const arena = replicate({
  components: [
    fields(Transform2D, { x: range(-SIZE, SIZE), y: range(-SIZE, SIZE), rotation: angle() }),
    Tank,
    fields(Shape, { points: false, gradient: false }),
  ],
  input: Drive,
  bounds: { throttle: range(-1, 1, { bits: 8 }), turn: range(-1, 1, { bits: 8 }) },
});

/** A gun was fired there, in this direction. */
const Fired = message<{ readonly by: EntityObject; readonly x: number; readonly y: number }>("Fired");

/** One step of a tank: for the behaviour, and for a client that predicts it. */
export function drive(
  transform: { x: number; y: number; rotation: number },
  { speed, turning }: Pick<ValueOf<typeof Tank.schema>, "speed" | "turning">,
  { throttle, turn }: Pick<ValueOf<typeof Drive.schema>, "throttle" | "turn">,
  dt: number,
): void {
  transform.rotation += turn * turning * dt;
  transform.x = clamp(transform.x + Math.cos(transform.rotation) * throttle * speed * dt);
  transform.y = clamp(transform.y + Math.sin(transform.rotation) * throttle * speed * dt);
}

const clamp = (value: number) => Math.max(-SIZE, Math.min(SIZE, value));

const Driver = behaviour(
  "Driver",
  {},
  {
    update({ entity }, dt) {
      const transform = { x: entity.x, y: entity.y, rotation: entity.rotation };
      drive(transform, entity.get(Tank), entity.get(Drive), dt);
      entity.setPosition(transform.x, transform.y);
      entity.rotation = transform.rotation;
    },
  },
);

/** Fires, and loads again. */
const Gunner = behaviour(
  "Gunner",
  { every: f32(0.5), wait: f32() },
  {
    update({ entity, game, values }, dt) {
      values.wait = Math.max(0, values.wait - dt);
      if (!entity.get(Drive).fire || values.wait > 0) return;
      values.wait = values.every;
      const { x, y } = game.space.localToWorld(entity.id, 30, 0);
      game.send(Fired, { by: entity, x, y });
    },
  },
);

/** Flies until it hits something: the tank that was hit starts elsewhere, and the one that fired scores. */
const Flight = behaviour(
  "Flight",
  { speed: f32(240), left: f32(2), by: entityRef() },
  {
    update({ entity, game, values }, dt) {
      const { world } = game;
      values.left -= dt;
      entity.setPosition(
        entity.x + Math.cos(entity.rotation) * values.speed * dt,
        entity.y + Math.sin(entity.rotation) * values.speed * dt,
      );
      const hit = [...world.query(Transform2D, Tank)].find((other) => {
        const { x, y } = game.space.localOf(other);
        return other !== values.by && Math.hypot(x - entity.x, y - entity.y) < 18;
      });
      if (hit !== undefined) {
        moveAnywhere(game, game.entity(hit));
        if (values.by !== null) world.set(values.by, Tank, { score: world.get(values.by, Tank)!.score + 1 });
      }
      const isOutside = Math.abs(entity.x) > SIZE || Math.abs(entity.y) > SIZE;
      if (hit !== undefined || values.left <= 0 || isOutside) entity.destroy();
    },
  },
);

/** Moves a tank to a random position. */
function moveAnywhere(game: Game, tank: EntityObject): void {
  const coordinate = () => (game.random() * 2 - 1) * (SIZE - 50);
  tank.setPosition(coordinate(), coordinate());
}

const colors = [0xe4572e, 0x17bebb, 0xffc914, 0x76b041, 0x8f6fd6, 0xd65db1];
const tanks = new WeakMap<Game, Prefab>();

/** Adds a tank. The number selects its color. */
export function spawnTank(game: Game, color: number): EntityObject {
  const made = game.instantiate(tanks.get(game) as Prefab);
  made.children[0]?.set(Shape, { fill: colors[color % colors.length] ?? 0xffffff });
  moveAnywhere(game, made);
  return made;
}

/** The game for one player and for the server. A client creates it too: entities from the server have no behaviours. */
export async function createArena(options: GameOptions = {}): Promise<Game> {
  const game: Game = createGame({
    step: 1 / 30,
    components: [Tank, Drive],
    behaviours: [Driver, Gunner, Flight],
    scenes: sceneFiles({
      "arena.scene.json": level,
      "tank.prefab.json": tank,
      "shell.prefab.json": shell,
    }),
    ...options,
  });
  tanks.set(game, await game.loadPrefab("tank"));
  const shells = await game.loadPrefab("shell");
  game.listenFor(Fired, ({ by, x, y }) => {
    const fired = game.instantiate(shells);
    fired.setPosition(x, y);
    fired.rotation = by.rotation;
    fired.set(Flight, { by: by.id });
  });
  return game;
}
