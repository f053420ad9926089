import { defineConfig } from "vite";

// The engine's file is also a worker, and module workers need this in a build.
export default defineConfig({ worker: { format: "es" } });
