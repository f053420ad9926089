import { defineConfig } from "vite";

// The engine's file is a worker too, and workers that are modules need this to be built.
export default defineConfig({ worker: { format: "es" } });
