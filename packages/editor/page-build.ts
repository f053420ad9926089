/**
 * How the page of the editor is built: the page itself, and beside it the rooms of the library as modules of their own, which
 * share everything with it. Modules of a project import those, so that there is one library in the page.
 */
import react from "@vitejs/plugin-react";
import type { InlineConfig } from "vite";
import { aliases, publicNames } from "../../scripts/public-names.mjs";
import { withoutEmptyFiles } from "./without-empty-files.ts";
import { withoutGeneratedCode } from "./without-generated-code.ts";

/** Rooms that need nothing but the library. */
const rooms = [
  "espalier",
  ...["hierarchy", "inherit", "transform", "history", "scene", "render", "canvas", "physics", "game"].map(
    (room) => `espalier/${room}`,
  ),
];

/** The other build of the engine runs on isolated pages only, which this one is not: it would be 640 kB that nothing loads. */
const compatBox2D = {
  find: /deluxe([\\/])Box2D\.deluxe(?=\.mjs$)/,
  replacement: "compat$1Box2D.compat",
};

export function pageBuild(target: "source" | "dist"): InlineConfig {
  const root = import.meta.dirname;
  // A page is built for production, and those who use this one want the words of errors.
  const library = target === "dist" ? "development" : target;
  const entries = publicNames()
    .filter(({ name }) => rooms.includes(name))
    .map((publicName) => [`rooms/${publicName.name}`, publicName[library]]);
  return {
    root,
    base: "./",
    plugins: [react(), withoutGeneratedCode(), withoutEmptyFiles()],
    resolve: { alias: [...aliases(library), compatBox2D] },
    // The engine of the physics brings a worker that is a module.
    worker: { format: "es" },
    build: {
      target: "es2022",
      chunkSizeWarningLimit: 1500,
      reportCompressedSize: false,
      // The notices of everything that is in the page; a test compares.
      license: { fileName: "THIRD-PARTY-LICENSES.md" },
      rolldownOptions: {
        input: { index: `${root}/index.html`, ...Object.fromEntries(entries) },
        preserveEntrySignatures: "exports-only",
        output: {
          entryFileNames: ({ name }) => (name.startsWith("rooms/") ? "[name].js" : "assets/[name]-[hash].js"),
        },
      },
    },
  };
}
