/**
 * The documentation site for its tests, built in the background while the other browser tests run: it takes about a minute of one
 * processor, and they leave one nearly idle. Only a run with tests of the site builds it.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { root } from "../../scripts/workspace.mjs";

/** The path below which the site is served. */
export const base = "/some/path/";

/** A build of the site that may not have ended yet. */
export interface SiteBuild {
  /** Where its files are. */
  readonly folder: string;
  /** A file that is written when the build has ended: a `ProgramEnd` as JSON. */
  readonly end: string;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly code: number | null;
  /** What it printed, also as errors. */
  readonly output: string;
}

declare module "vitest" {
  interface ProvidedContext {
    site: SiteBuild;
  }
}

/** Starts the build. With `ESPALIER_SITE=<folder>`, a site that was built before for the same path is taken as it is. */
export default function setup(project: TestProject): () => Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "espalier-site-"));
  const { ESPALIER_SITE: given } = process.env;
  const folder = given ?? join(work, "site");
  const end = join(work, "end.json");
  project.provide("site", { folder, end });
  const { ended, stop } =
    given === undefined
      ? runNode([join(root, "site/build.mjs"), "--base", base, "--out", folder])
      : { ended: Promise.resolve({ code: 0, output: "" }), stop() {} };
  const written = ended.then((result) => {
    // In one step: the tests read it as soon as it is there.
    writeFileSync(`${end}.part`, JSON.stringify(result));
    renameSync(`${end}.part`, end);
  });
  const clear = () => {
    stop();
    rmSync(work, { recursive: true, force: true });
  };
  // A run that is interrupted ends without what is returned here.
  process.once("exit", clear);
  return async () => {
    stop();
    await written;
    process.off("exit", clear);
    clear();
  };
}

/** Runs a program of Node. */
export function runNode(args: readonly string[]): { readonly ended: Promise<ProgramEnd>; stop(): void } {
  // Vitest's own settings are nothing for a build.
  const env = { ...process.env, NODE_ENV: "production", VITEST: undefined };
  const program = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (text) => (output += text));
  return {
    ended: new Promise((resolve) => {
      program.on("error", (error) => resolve({ code: null, output: String(error) }));
      program.on("close", (code) => resolve({ code, output }));
    }),
    stop: () => void program.kill(),
  };
}
