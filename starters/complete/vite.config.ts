import { espalier } from "espalier/vite";
import { defineConfig } from "vite";

// Maps of Tiled become scenes: objects of these classes are instances of the prefabs, and every tile set is the texture "tiles". Saving the map
// changes the running game. Relative addresses: the build works in any folder of a server, as on itch.io and GitHub Pages.
export default defineConfig({
  base: "./",
  plugins: [espalier({ maps: { prefabs: ["hero", "coin", "bat"], texture: () => "tiles" } })],
  build: { target: "es2022" },
});
