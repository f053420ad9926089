import { espalier } from "espalier/vite";
import { defineConfig } from "vite";

// The plugin carries a scene file that is saved into the running game.
// Relative addresses: the build works in any folder of a server, as on itch.io and GitHub Pages.
export default defineConfig({ base: "./", plugins: [espalier()], build: { target: "es2022" } });
