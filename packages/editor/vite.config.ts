import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { aliases } from "../../scripts/public-names.mjs";
import { withoutGeneratedCode } from "./without-generated-code.ts";

/** The page of the editor, on the built library. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react(), withoutGeneratedCode()],
  resolve: { alias: aliases("dist") },
  // The engine of the physics brings a worker that is a module.
  worker: { format: "es" },
  build: { target: "es2022", chunkSizeWarningLimit: 1500, reportCompressedSize: false },
});
