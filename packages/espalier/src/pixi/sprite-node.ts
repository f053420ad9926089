/**
 * Sprites and nine slices in Pixi.
 */
import { NineSliceSprite, Sprite, Texture } from "pixi.js";
import type { Drawing } from "../render/index.ts";
import { createNode, type PixiNode } from "./pixi-node.ts";
import type { PixiTextures } from "./pixi-textures.ts";

/** Counts the texture that a node uses. */
export function textureUser(textures: PixiTextures): { set(name: string): void; clear(): void } {
  let used: string | undefined;
  const clear = () => {
    if (used !== undefined) textures.release(used);
    used = undefined;
  };
  return {
    set(name) {
      if (used === name) return;
      clear();
      used = name;
      textures.use(name);
    },
    clear,
  };
}

export function createSpriteNode(textures: PixiTextures): PixiNode {
  const sprite = new Sprite(Texture.EMPTY);
  const user = textureUser(textures);
  // The last values passed to Pixi, whose setters do work even for the same value.
  let lastTint = 0xffffff;
  return createNode(
    sprite,
    (drawing: Drawing) => {
      if (drawing.kind !== "sprite") return;
      const { value, entity } = drawing;
      user.set(value.texture);
      const { texture, state } = textures.find(entity, value.texture, value.frame);
      if (sprite.texture !== texture) sprite.texture = texture;
      const anchorX = value.flipX ? 1 - value.anchorX : value.anchorX;
      const anchorY = value.flipY ? 1 - value.anchorY : value.anchorY;
      const { anchor } = sprite;
      if (anchor.x !== anchorX || anchor.y !== anchorY) anchor.set(anchorX, anchorY);
      const tint = state === "missing" ? 0xffffff : drawing.tint;
      if (tint !== lastTint) sprite.tint = lastTint = tint;
      if (sprite.alpha !== drawing.alpha) sprite.alpha = drawing.alpha;
    },
    () => {
      user.clear();
      sprite.destroy();
    },
  );
}

export function createNineSliceNode(textures: PixiTextures): PixiNode {
  const sprite = new NineSliceSprite({ texture: Texture.EMPTY });
  const user = textureUser(textures);
  return createNode(
    sprite,
    (drawing: Drawing) => {
      if (drawing.kind !== "nineSlice") return;
      const { value, entity } = drawing;
      user.set(value.texture);
      const { texture, state } = textures.find(entity, value.texture, value.frame);
      sprite.texture = texture;
      // Corners that are larger than the texture, or than what is drawn, shrink together.
      const fitX = Math.min(1, texture.width / (value.left + value.right || 1));
      const fitY = Math.min(1, texture.height / (value.top + value.bottom || 1));
      sprite.leftWidth = Math.max(value.left, 0) * fitX;
      sprite.rightWidth = Math.max(value.right, 0) * fitX;
      sprite.topHeight = Math.max(value.top, 0) * fitY;
      sprite.bottomHeight = Math.max(value.bottom, 0) * fitY;
      sprite.width = Math.max(value.width, 0);
      sprite.height = Math.max(value.height, 0);
      sprite.anchor.set(value.anchorX, value.anchorY);
      sprite.tint = state === "missing" ? 0xffffff : drawing.tint;
      sprite.alpha = state === "loading" ? 0 : drawing.alpha;
    },
    () => {
      user.clear();
      sprite.destroy();
    },
  );
}
