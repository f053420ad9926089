/**
 * A solar system: every orbit is an empty entity that turns, with the body that circles as its child. Planets carry their moons, and
 * no code computes where a moon is.
 */
import { f32 } from "espalier";
import { behaviour, createGame, type EntityObject, type Game, type GameOptions } from "espalier/game";
import { Camera, circle, TextBlock } from "espalier/render";
import { setInherit } from "espalier/transform";

/** Turns at a steady pace. */
const Spin = behaviour(
  "Spin",
  { speed: f32(1) },
  { update: ({ entity, values }, dt) => void (entity.rotation += values.speed * dt) },
);

interface Body {
  readonly name: string;
  readonly distance: number;
  readonly radius: number;
  readonly color: number;
  /** Seconds for one turn. */
  readonly year: number;
  readonly moons?: readonly Body[];
}

const planets: readonly Body[] = [
  { name: "Mercury", distance: 60, radius: 5, color: 0xb1a296, year: 4 },
  { name: "Venus", distance: 95, radius: 9, color: 0xe6c07b, year: 7 },
  {
    name: "Earth",
    distance: 140,
    radius: 10,
    color: 0x4d9de0,
    year: 12,
    moons: [{ name: "Moon", distance: 20, radius: 3, color: 0xd9d9d9, year: 2 }],
  },
  {
    name: "Jupiter",
    distance: 220,
    radius: 20,
    color: 0xd8a47f,
    year: 30,
    moons: [
      { name: "Io", distance: 30, radius: 3, color: 0xf4e285, year: 1.5 },
      { name: "Europa", distance: 38, radius: 3, color: 0xcad2c5, year: 3 },
    ],
  },
];

export function createSolarSystem(options: GameOptions = {}): Game {
  const game = createGame({ ...options, behaviours: [Spin] });
  const sun = game.spawn(game.space.at(0, 0), circle(30, { fill: 0xffd166 }));
  sun.name = "Sun";
  const waiting: [parent: EntityObject, body: Body][] = planets.map((planet) => [sun, planet]);
  for (const [parent, body] of waiting) {
    parent.spawn(
      game.space.at(0, 0),
      circle(body.distance, { fillAlpha: 0, stroke: 0x2b3a55, strokeWidth: 1 }),
    );
    const orbit = parent.spawn(
      game.space.at(0, 0, body.distance),
      Spin({ speed: (2 * Math.PI) / body.year }),
    );
    orbit.name = `orbit of ${body.name}`;
    const made = orbit.spawn(game.space.at(body.distance, 0), circle(body.radius, { fill: body.color }));
    made.name = body.name;
    if (parent === sun) label(game, made, body);
    for (const moon of body.moons ?? []) waiting.push([made, moon]);
  }
  game.spawn(
    game.space.at(0, 0),
    Camera({ width: 640, height: 560, background: 0x0b1020, backgroundAlpha: 1 }),
  );
  return game;
}

/** Names follow their planet but do not turn with it. */
function label(game: Game, planet: EntityObject, { name, radius }: Body): void {
  const text = planet.spawn(
    game.space.at(0, radius + 12),
    TextBlock({ text: name, size: 13, color: 0xcdd6f4 }),
  );
  setInherit(game.space, text.id, "position");
}
