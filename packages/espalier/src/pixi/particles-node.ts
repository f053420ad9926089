/**
 * Particles in Pixi: one container of light-weight particles per emitter, with reused particles.
 */
// Accessed as members of the module, so that it can be loaded with versions that lack them, which createPixiRenderer refuses.
import * as pixi from "pixi.js";
import { type Particle, Texture } from "pixi.js";
import { mixColors, multiplyColors, type YAxis } from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";
import type { PixiTextures } from "./pixi-textures.ts";
import { textureUser } from "./sprite-node.ts";

export function createParticlesNode(textures: PixiTextures, yAxis: YAxis): PixiNode {
  const container = new pixi.ParticleContainer({
    dynamicProperties: { position: true, vertex: true, color: true, rotation: false, uvs: false },
  });
  const user = textureUser(textures);
  const spare: Particle[] = [];

  return createNode(
    container,
    (drawing) => {
      if (drawing.kind !== "particles") return;
      const { value, pool, entity, tint, alpha } = drawing;
      const isPlain = value.texture === "";
      const found = isPlain ? undefined : textures.find(entity, value.texture, value.frame);
      if (isPlain) user.clear();
      else user.set(value.texture);
      const texture = found?.texture ?? Texture.WHITE;
      const unit = isPlain ? value.size / texture.width : 1;
      const alive = found?.state === "loading" ? 0 : (pool?.count ?? 0);
      const shown = container.particleChildren as Particle[];
      if (container.texture !== texture) container.texture = texture;
      while (shown.length > alive) spare.push(shown.pop()!);
      while (shown.length < alive)
        shown.push(spare.pop() ?? new pixi.Particle({ texture, anchorX: 0.5, anchorY: 0.5 }));
      for (let k = 0; k < alive; k++) {
        const particle = shown[k];
        const t = Math.min(pool!.age[k] / pool!.life[k], 1);
        const scale = (value.startScale + (value.endScale - value.startScale) * t) * unit;
        particle.texture = texture;
        particle.x = pool!.x[k];
        particle.y = pool!.y[k];
        particle.scaleX = scale;
        particle.scaleY = yAxis === "up" ? -scale : scale;
        particle.tint = multiplyColors(mixColors(value.startColor, value.endColor, t), tint);
        particle.alpha = Math.min(
          Math.max((value.startAlpha + (value.endAlpha - value.startAlpha) * t) * alpha, 0),
          1,
        );
      }
      container.update();
    },
    () => {
      user.clear();
      container.destroy();
    },
  );
}
