/** Bundling a small program against the packed library, as a user's build does. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { packageDir } from "../../../scripts/public-names.mjs";
import type { Project } from "./packed.ts";

export interface Bundle {
  code: string;
  /** Bytes after gzip. */
  gzipped: number;
  /** Paths of the library sources that any loaded file was built from: `src/ecs/world.ts`. */
  sources: string[];
}

export interface BundleOptions {
  minify: boolean;
  /** Whether to believe the package's `sideEffects: false`, or look for oneself. */
  trustSideEffects: boolean;
}

export async function bundle(project: Project, program: string, options: BundleOptions): Promise<Bundle> {
  const build = await rolldown({
    input: project.write("program.mjs", program),
    cwd: project.dir,
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": `"production"` } },
    // A rule outranks the flag in package.json; the plain option does not.
    ...(options.trustSideEffects
      ? {}
      : { treeshake: { moduleSideEffects: [{ test: /./, sideEffects: true }] } }),
  });
  const { output } = await build.generate({ format: "esm", minify: options.minify });
  const loaded = await build.watchFiles;
  await build.close();
  const code = output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
  return { code, gzipped: gzipSync(code, { level: 9 }).length, sources: loaded.flatMap(sourcesOf) };
}

/** What a built file was built from, as the build noted it. */
function sourcesOf(file: string): string[] {
  const [, name] = /node_modules[\\/]espalier[\\/]dist[\\/](.*)$/.exec(file) ?? [];
  if (name === undefined) return [];
  const noted = JSON.parse(readFileSync(join(packageDir, "dist/internal.sources.json"), "utf8"));
  return noted[name.replaceAll("\\", "/")] ?? [];
}
