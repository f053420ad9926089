/**
 * What the game is made of.
 */
import { KeyframeAnimation, type KeyframeClips } from "espalier/animation";
import { Sound } from "espalier/audio";
import type { EntityObject, Game } from "espalier/game";
import { ZIndex } from "espalier/inherit";
import { Alpha, circle, ParticleEmitter, polygon } from "espalier/render";
import { Body, Drift, Meteor, Part, Scrap } from "./components.ts";

const scrapColors = [0x8ecae6, 0x90be6d, 0xf9c74f, 0xf9844a, 0xb79ced];

/** Half the size of the world; beyond it things come back on the other side. */
export const field = { x: 480, y: 300 };

const grow = (values: readonly number[], times: readonly number[]) =>
  ["scaleX", "scaleY"].map((field) => ({
    path: "",
    component: "Transform2D",
    field,
    times,
    values,
    easing: "quadOut" as const,
  }));

/** Animations. Not for pieces that collide: the rules look at positions in the world. */
export const clips: KeyframeClips = {
  /** A ring that widens and fades, around what was collected. */
  ring: {
    seconds: 0.5,
    tracks: [
      ...grow([0.6, 2.2], [0, 0.5]),
      { path: "", component: "Alpha", field: "value", times: [0, 0.5], values: [0.9, 0] },
    ],
  },
  /** The glow of meteors. */
  glow: { seconds: 0.8, loop: true, tracks: grow([1, 1.25, 1], [0, 0.4, 0.8]) },
  /** The title. */
  breathe: { seconds: 3, loop: true, tracks: grow([1, 1.05, 1], [0, 1.5, 3]) },
};

/** Widens around a part, and is gone. */
export function makeRing(game: Game, part: EntityObject, radius: number): EntityObject {
  return part.spawn(
    game.space.at(0, 0),
    circle(radius, { fillAlpha: 0, stroke: 0xffd166, strokeWidth: 3 }),
    Alpha,
    KeyframeAnimation({ clip: "ring" }),
  );
}

export function makeShip(game: Game): EntityObject {
  const core = game.spawn(
    game.space.at(0, 0, Math.PI / 2),
    Body({ radius: 16 }),
    Drift,
    Part,
    ZIndex({ z: 2 }),
  );
  core.name = "core";
  core.add(polygon([22, 0, -14, 15, -7, 0, -14, -15], { fill: 0xedf2f4, stroke: 0x8d99ae, strokeWidth: 2 }));
  const flame = core.spawn(
    game.space.at(-12, 0, Math.PI),
    ParticleEmitter({
      on: false,
      rate: 60,
      lifetime: 0.5,
      spread: 0.3,
      speed: 120,
      size: 6,
      endScale: 0.2,
      startColor: 0xffd166,
      endColor: 0xef476f,
    }),
    Sound({ sound: "engine", loop: true, playing: false, volume: 0.5, fade: 0.08 }),
  );
  flame.name = "flame";
  return core;
}

export function makeScrap(game: Game): EntityObject {
  const { random } = game;
  const radius = 8 + random() * 8;
  const fill = scrapColors[Math.floor(random() * scrapColors.length)] as number;
  const scrap = game.spawn(atEdge(game), Scrap, Body({ radius }), ZIndex({ z: 1 }));
  scrap.add(Drift({ x: random() * 40 - 20, y: random() * 40 - 20, turn: random() * 2 - 1 }));
  return scrap.add(rock(game, radius, 6, { fill, stroke: 0x10151c, strokeWidth: 2 }));
}

/** @param seconds - How long the round has lasted: meteors get faster. */
export function makeMeteor(game: Game, ship: EntityObject, seconds: number): EntityObject {
  const radius = 10 + game.random() * 12;
  const meteor = game.spawn(atEdge(game), Meteor, Body({ radius }), ZIndex({ z: 3 }));
  const speed = 70 + game.random() * 60 + seconds;
  const angle = Math.atan2(ship.y - meteor.y, ship.x - meteor.x) + (game.random() - 0.5) * 0.5;
  meteor.add(Drift({ x: Math.cos(angle) * speed, y: Math.sin(angle) * speed, turn: game.random() * 4 - 2 }));
  meteor.spawn(
    game.space.at(0, 0),
    circle(radius + 4, { fill: 0xef476f, fillAlpha: 0.25 }),
    KeyframeAnimation({ clip: "glow" }),
  );
  return meteor.add(rock(game, radius, 9, { fill: 0x6d4c41, stroke: 0xef476f, strokeWidth: 2 }));
}

/** A polygon with uneven corners. */
function rock(
  game: Game,
  radius: number,
  corners: number,
  style: { fill: number; stroke: number; strokeWidth: number },
) {
  const points: number[] = [];
  for (let k = 0; k < corners; k++) {
    const angle = (k / corners) * 2 * Math.PI;
    const reach = radius * (0.8 + game.random() * 0.35);
    points.push(Math.cos(angle) * reach, Math.sin(angle) * reach);
  }
  return polygon(points, style);
}

function atEdge({ random, space }: Game) {
  const isSide = random() < 0.5;
  const sign = random() < 0.5 ? -1 : 1;
  const along = random() * 2 - 1;
  return isSide ? space.at(sign * field.x, along * field.y) : space.at(along * field.x, sign * field.y);
}
