/** Maps of Tiled as scenes: see `maps` in vite.config.ts. */
declare module "*.tmj?scene" {
  const scene: import("espalier/scene").SceneFile;
  export default scene;
}
