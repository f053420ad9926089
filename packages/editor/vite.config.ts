import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { aliases } from "../../scripts/public-names.mjs";

/** The page of the editor, on the built library. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  resolve: { alias: aliases("dist") },
  build: { target: "es2022", chunkSizeWarningLimit: 1500, reportCompressedSize: false },
});
