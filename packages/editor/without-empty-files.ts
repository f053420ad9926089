/**
 * For the build of the page: the bundler leaves an empty file behind each room whose modules are all shared, and an import of it.
 */
import { basename } from "node:path";
import type { Plugin } from "vite";

export function withoutEmptyFiles(): Plugin {
  return {
    name: "espalier:without-empty-files",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const empty = chunks.filter(({ code }) => code.trim() === "");
      for (const { fileName } of empty) delete bundle[fileName];
      for (const chunk of chunks) {
        for (const { fileName } of empty) {
          if (!chunk.code.includes(basename(fileName))) continue;
          chunk.code = chunk.code.replaceAll(bareImportOf(fileName), "");
          if (chunk.code.includes(basename(fileName)))
            this.error(`${chunk.fileName} uses ${fileName}, which is empty.`);
        }
      }
    },
  };
}

/** `import "../assets/canvas-BvRk9kiK.js";`, minified or not. */
function bareImportOf(fileName: string): RegExp {
  const name = basename(fileName).replace(/[.$]/g, "\\$&");
  return new RegExp(`import\\s*["'][^"']*/${name}["'];?\\s*`, "g");
}
