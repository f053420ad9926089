import { espalier } from "espalier/vite";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the build works in any folder of a server, as on itch.io and GitHub Pages.
  base: "./",
  // The plugin carries a scene file that is saved into the running game.
  plugins: [espalier()],
  build: { target: "es2022" },
  // The file of the physics engine is a worker too, and a worker that is a module needs this to be built.
  worker: { format: "es" },
});
