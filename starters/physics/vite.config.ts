import { espalier } from "espalier/vite";
import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the build works in any folder of a server, as on itch.io and GitHub Pages.
  base: "./",
  // The plugin carries a scene file that is saved into the running game. Box2D has two builds: "compat" runs on every page, "deluxe"
  // is faster and needs the headers of cross-origin isolation.
  plugins: [espalier({ box2d: "compat" })],
  build: { target: "es2022" },
});
