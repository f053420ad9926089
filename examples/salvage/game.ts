/**
 * Salvage: the rules. See README.md.
 */
import { not } from "espalier";
import { AnimationEnded, KeyframeAnimation, keyframePart } from "espalier/animation";
import { type AudioOutput, Listener, Sound, soundPart } from "espalier/audio";
import {
  createGame,
  createTimers,
  type EntityObject,
  type Game,
  type GameOptions,
  message,
} from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { ZIndex } from "espalier/inherit";
import { Camera, createParticles, ParticleEmitter, rect, TextBlock } from "espalier/render";
import { Body, Drift, Meteor, Part, Scrap } from "./components.ts";
import { clips, field, makeMeteor, makeRing, makeScrap, makeShip } from "./pieces.ts";

/** A part joined the ship, or some broke off. */
export const Changed = message<{ readonly parts: number; readonly best: number }>("Changed");
export const Over = message<{ readonly best: number }>("Over");

/** Broken-off parts can be collected again. */
const Cooled = entityEvent("cooled");

export type Stage = "title" | "play" | "over";

export interface Salvage {
  readonly game: Game;
  readonly stage: Stage;
  /** Parts on the ship now, and the most there ever were in this round. */
  readonly parts: number;
  readonly best: number;
}

/** @param output - Plays sounds; if left out, they are only recorded. */
export function createSalvage({ output, ...options }: GameOptions & { output?: AudioOutput } = {}): Salvage {
  const game = createGame({
    ...options,
    parts: { sounds: soundPart(output), keyframes: keyframePart({ clips }) },
    timers: createTimers,
    particles: ({ space }) => createParticles(space),
    components: [Drift, Body, Part, Scrap, Meteor],
    actions: {
      turn: { negative: ["KeyA", "ArrowLeft"], positive: ["KeyD", "ArrowRight"], axes: [0] },
      thrust: ["KeyW", "ArrowUp", "Pad0"],
      start: ["Space", "Enter", "Mouse0", "Touch", "Pad9"],
    },
  });
  const { sounds } = game.parts;
  const state = { stage: "title" as Stage, parts: 0, best: 0 };
  let ship: EntityObject | undefined;
  let level: EntityObject | undefined;
  let begunAt = 0;

  const camera = game.spawn(
    game.space.at(0, 0),
    Camera({ width: field.x * 2, height: field.y * 2, background: 0x10151c, backgroundAlpha: 1 }),
    Listener,
  );
  const above = camera.spawn(game.space.at(0, 0), ZIndex({ z: 10 }));
  const title = above.spawn(
    game.space.at(0, 40),
    KeyframeAnimation({ clip: "breathe" }),
    TextBlock({ text: "SALVAGE", size: 72, bold: true, color: 0xffd166 }),
  );
  const hint = above.spawn(
    game.space.at(0, -30),
    TextBlock({ text: "Space to start, A D W to fly", size: 24, color: 0xedf2f4 }),
  );
  const score = above.spawn(
    game.space.at(-field.x + 16, field.y - 24),
    TextBlock({ size: 22, anchorX: 0, color: 0xedf2f4 }),
  );
  stars(game, camera);

  function begin(): void {
    level?.destroy();
    level = game.spawn(game.space.at(0, 0));
    level.name = "level";
    begunAt = game.time;
    level.on(Cooled, ({ target }) => void game.world.add(target, Scrap));
    // Only rings come to an end: all other clips are loops.
    level.on(AnimationEnded, ({ target }) => void game.destroyEntity(target));
    ship = makeShip(game);
    ship.parent = level;
    for (let k = 0; k < 14; k++) makeScrap(game).parent = level;
    Object.assign(state, { stage: "play", parts: 0, best: 0 });
    title.hidden = hint.hidden = true;
    report();
  }

  function end(): void {
    state.stage = "over";
    sounds.play("over");
    setEngine(false);
    title.hidden = hint.hidden = false;
    title.set(TextBlock, { text: "GAME OVER" });
    hint.set(TextBlock, { text: `You had ${state.best} parts. Space to try again` });
    game.send(Over, { best: state.best });
  }

  /** The flame, and its sound. */
  function setEngine(isOn: boolean): void {
    for (const flame of ship?.children ?? []) {
      if (flame.name !== "flame" || flame.get(ParticleEmitter).on === isOn) continue;
      flame.set(ParticleEmitter, { on: isOn });
      flame.set(Sound, { playing: isOn });
    }
  }

  function report(): void {
    score.set(TextBlock, { text: `Parts ${state.parts}   Best ${state.best}` });
    game.send(Changed, { parts: state.parts, best: state.best });
  }

  game.system("stages", () => {
    if (state.stage !== "play" && game.input.pressed("start")) begin();
  });

  game.system("fly", ({ dt }) => {
    if (ship === undefined || state.stage !== "play") return;
    // The more parts hang on it, the slower it turns and flies.
    const ease = 1 / (1 + state.parts * 0.04);
    ship.rotation -= game.input.axis("turn") * 3.2 * ease * dt;
    const isOn = game.input.isDown("thrust");
    setEngine(isOn);
    const { x, y } = ship.get(Drift);
    const push = game.space.localToWorldDirection(ship.id, isOn ? 160 * ease * dt : 0, 0);
    ship.set(Drift, { x: (x + push.x) * (1 - 0.4 * dt), y: (y + push.y) * (1 - 0.4 * dt) });
  });

  const drifting = game.world.query(Drift);
  game.system("drift", ({ dt }) => {
    drifting.each((entity, drift) => {
      // Parts of the ship are carried by their parents; only what floats freely drifts.
      if (game.world.has(entity, Part) && entity !== ship?.id) return;
      const { x, y, rotation } = game.getLocalTransform(entity);
      game.setLocalTransform(entity, {
        x: wrap(x + drift.x * dt, field.x + 30),
        y: wrap(y + drift.y * dt, field.y + 30),
        rotation: rotation + drift.turn * dt,
      });
    });
  });

  const parts = game.world.query(Part, Body);
  const scraps = game.world.query(Scrap, Body, not(Part));
  const meteors = game.world.query(Meteor, Body);

  game.system("collect", () => {
    if (state.stage !== "play") return;
    scraps.each((scrap) => {
      const part = touching(game, scrap, parts);
      if (part === undefined) return;
      // The heart of it: the scrap becomes a child of the part it touched, where it is.
      game.setParent(scrap, part, { keep: "world" });
      game.world.add(scrap, Part);
      makeRing(game, game.entity(scrap), game.world.get(scrap, Body)!.radius);
      // The larger the ship, the higher the note.
      sounds.play("collect", { at: scrap, far: 900, rate: 1 + Math.min(state.parts, 24) / 24 });
      state.parts++;
      state.best = Math.max(state.best, state.parts);
      report();
    });
  });

  game.system("break", () => {
    if (state.stage !== "play") return;
    meteors.each((meteor) => {
      const part = touching(game, meteor, parts);
      if (part === undefined) return;
      sounds.play("break", { at: meteor, far: 900 });
      game.destroyEntity(meteor);
      if (part === ship?.id) {
        end();
        return;
      }
      breakOff(part);
    });
  });

  /** Everything that hangs on the part floats on its own from where it was. */
  function breakOff(part: number & EntityObject["id"]): void {
    const lost = [...game.tree.descendants(part, { includeSelf: true })].filter((entity) =>
      game.world.has(entity, Part),
    );
    const center = game.getWorldPosition(ship as EntityObject);
    for (const entity of lost.reverse()) {
      game.setParent(entity, level as EntityObject, { keep: "world" });
      // It cannot be collected for a moment, or it would stick again at once.
      game.world.remove(entity, Part, Scrap);
      game.timers.after(entity, 1.5, Cooled);
      const { x, y } = game.getWorldPosition(entity);
      const away = Math.atan2(y - center.y, x - center.x);
      game.world.set(entity, Drift, {
        x: Math.cos(away) * 60,
        y: Math.sin(away) * 60,
        turn: game.random() * 4 - 2,
      });
    }
    state.parts -= lost.length;
    report();
  }

  game.system("come and go", ({ tick }) => {
    if (state.stage !== "play" || ship === undefined || level === undefined) return;
    if (tick % 90 === 0 && scraps.count() < 14) makeScrap(game).parent = level;
    if (tick % 150 === 0) makeMeteor(game, ship, game.time - begunAt).parent = level;
  });

  return {
    game,
    get stage() {
      return state.stage;
    },
    get parts() {
      return state.parts;
    },
    get best() {
      return state.best;
    },
  };
}

/** The first of the entities that touches this one. */
function touching(
  game: Game,
  entity: EntityObject["id"],
  others: Iterable<EntityObject["id"]>,
): EntityObject["id"] | undefined {
  const { x, y } = game.getWorldPosition(entity);
  const radius = game.world.get(entity, Body)?.radius ?? 0;
  for (const other of others) {
    const position = game.getWorldPosition(other);
    const reach = radius + (game.world.get(other, Body)?.radius ?? 0);
    if ((position.x - x) ** 2 + (position.y - y) ** 2 < reach * reach) return other;
  }
  return undefined;
}

function wrap(value: number, half: number): number {
  return value > half ? value - 2 * half : value < -half ? value + 2 * half : value;
}

/** Behind everything, and never touched. */
function stars(game: Game, camera: EntityObject): void {
  const sky = camera.spawn(game.space.at(0, 0));
  game.tree.moveChild(sky.id, "first");
  for (let k = 0; k < 60; k++) {
    const size = 1 + game.random() * 2;
    const star = sky.spawn(
      game.space.at((game.random() * 2 - 1) * field.x, (game.random() * 2 - 1) * field.y),
    );
    star.add(rect(size, size, { fill: 0x5c677d }));
  }
}
