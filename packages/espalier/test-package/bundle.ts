/** Bundling a small program against the packed library, as a user's build does. */
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type OutputChunk, rolldown } from "rolldown";
import type { Project } from "./packed.ts";

export interface Bundle {
  /** What is loaded before the program runs; what it imports while it runs is not in it. */
  code: string;
  /** Bytes of that after gzip. */
  gzipped: number;
  /** Paths of the library sources that any loaded file was built from: `src/ecs/world.ts`. */
  sources: string[];
}

export interface BundleOptions {
  minify: boolean;
  /** Whether to believe the package's `sideEffects: false`, or look for oneself. */
  trustSideEffects: boolean;
  /** The export condition; `default` leaves the choice to NODE_ENV, which is folded in both cases. */
  condition?: "production" | "default";
}

export async function bundle(project: Project, program: string, options: BundleOptions): Promise<Bundle> {
  const build = await rolldown({
    input: project.write("program.ts", program),
    cwd: project.dir,
    platform: "browser",
    resolve: { conditionNames: ["import", options.condition ?? "production"] },
    transform: { define: { "process.env.NODE_ENV": `"production"` } },
    // A rule outranks the flag in package.json; the plain option does not.
    ...(options.trustSideEffects
      ? {}
      : { treeshake: { moduleSideEffects: [{ test: /./, sideEffects: true }] } }),
  });
  const { output } = await build.generate({ format: "esm", minify: options.minify });
  const loaded = await build.watchFiles;
  await build.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  const code = firstLoaded(chunks)
    .map((chunk) => chunk.code)
    .join("");
  return { code, gzipped: gzipSync(code, { level: 9 }).length, sources: loaded.flatMap(sourcesOf) };
}

/** The entry, and the chunks that it and they import at once. */
function firstLoaded(chunks: readonly OutputChunk[]): OutputChunk[] {
  const found = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  }
  return [...found];
}

/** What a built file was built from, as its source map says. */
function sourcesOf(file: string): string[] {
  if (!/node_modules[\\/]espalier[\\/]dist[\\/]/.test(file) || !existsSync(`${file}.map`)) return [];
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] };
  return sources.map((source) => source.replace(/^.*\/src\//, "src/"));
}
