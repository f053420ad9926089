import { espalier } from "espalier/vite";
import { defineConfig } from "vite";

// The plugin carries a scene file that is saved into the running game.
export default defineConfig({ plugins: [espalier()], build: { target: "es2022" } });
