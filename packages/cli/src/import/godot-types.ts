/**
 * What a scene must know about the types of Godot's nodes.
 */

/** Types that are nothing but a place in the tree. */
const plainTypes = new Set(["Node", "Node2D"]);

/** Types of the plane whose name does not say so. */
const placedTypes = new Set([
  "AnimatedSprite",
  "BackBufferCopy",
  "CanvasGroup",
  "CanvasModulate",
  "ParallaxLayer",
  "Sprite",
  "TileMap",
  "TileMapLayer",
  "TouchScreenButton",
  "YSort",
]);

/** Layers of their own, which nothing above moves. */
const layerTypes = new Set(["CanvasLayer", "ParallaxBackground"]);

/** Types that are nowhere; of a type that is not listed, such as a widget or one's own, nobody knows. */
const placelessTypes = new Set([
  "AnimationPlayer",
  "AnimationTree",
  "AudioStreamPlayer",
  "HTTPRequest",
  "MultiplayerSpawner",
  "MultiplayerSynchronizer",
  "Node",
  "ResourcePreloader",
  "SubViewport",
  "Timer",
  "Tween",
  "Viewport",
  "Window",
  "WorldEnvironment",
]);

export function isPlain(type: string): boolean {
  return plainTypes.has(type);
}

/** Whether nodes of that type have a place in the plane. */
export function isPlaced(type: string): boolean {
  return type.endsWith("2D") || placedTypes.has(type) || layerTypes.has(type);
}

export function isLayer(type: string): boolean {
  return layerTypes.has(type);
}

export function hasNoPlace(type: string): boolean {
  return placelessTypes.has(type);
}
