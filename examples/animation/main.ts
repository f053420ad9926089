/** A hero runs and jumps from a sprite sheet, and a door opens by keyframes. No pixels are needed. */
import {
  AnimationEnded,
  animationPart,
  KeyframeAnimation,
  keyframePart,
  readAtlas,
  SpriteAnimation,
} from "espalier/animation";
import { createGame } from "espalier/game";
import { entityEvent } from "espalier/hierarchy";
import { Sprite } from "espalier/render";

// As Aseprite exports it.
const frame = (k: number, duration: number) => ({ frame: { x: k * 16, y: 0, w: 16, h: 16 }, duration });
const sheet = {
  frames: {
    "run 0": frame(0, 100),
    "run 1": frame(1, 100),
    "jump 0": frame(2, 200),
    "jump 1": frame(3, 100),
  },
  meta: {
    image: "hero.png",
    frameTags: [
      { name: "run", from: 0, to: 1, direction: "forward" },
      { name: "jump", from: 2, to: 3, direction: "forward", repeat: "1" },
    ],
  },
};
const Step = entityEvent<void>("step");
const turn = { path: "leaf", component: "Transform2D", field: "rotation" };
const clips = {
  open: { seconds: 1, tracks: [{ ...turn, times: [0, 1], values: [0, 90], easing: "quadOut" as const }] },
};

const game = createGame({
  step: 0.1,
  parts: {
    animations: animationPart({ atlases: { hero: readAtlas(sheet, { events: { run: { 1: "step" } } }) } }),
    keyframes: keyframePart({ clips }),
  },
});
const hero = game.spawn(game.space.at(0, 0), Sprite({ texture: "hero" }), SpriteAnimation({ clip: "run" }));
hero.on(Step, () => console.log("  a step is heard"));
hero.on(AnimationEnded, ({ payload }) => {
  console.log(`  ${payload.clip} is over`);
  hero.set(SpriteAnimation, { clip: "run", time: 0 });
});
const door = game.spawn(KeyframeAnimation);
const leaf = door.spawn(game.space.at(0, 0));
leaf.name = "leaf";
game.parts.keyframes.play(door, "open");

for (let tick = 1; tick <= 8; tick++) {
  if (tick === 4) hero.set(SpriteAnimation, { clip: "jump", time: 0 });
  game.step();
  console.log(`${tick}: ${hero.get(Sprite).frame}, the door at ${leaf.rotation.toFixed(0)}`);
}
game.stop();
