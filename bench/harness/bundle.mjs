/** What a user ships: an entry that imports the named exports, bundled, minified and gzipped. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const resolveDir = fileURLToPath(new URL("..", import.meta.url));

/** Returns the bytes of `entry` (the source of a module) after bundling, minifying and gzip -9. */
export async function measureBundle(entry) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir, loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // The build, as users have it: without this, the paths of the repository's tsconfig lead to the source.
    tsconfigRaw: {},
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    write: false,
    logLevel: "silent",
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}
