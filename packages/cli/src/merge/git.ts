/** The git commands that merging scenes needs. */
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { exitCodes, Stop } from "../exit-codes.ts";
import { shown } from "../files.ts";

/** The largest output of git that is read: that of a scene. */
const mostBytes = 512 * 1024 * 1024;

/** The output of a git command. @throws Stop with git's message when it fails. */
export function git(folder: string, ...args: string[]): string {
  const result = tryGit(folder, ...args);
  if (result.status === 0) return result.stdout;
  throw new Stop(exitCodes.usage, `git ${args[0]} failed: ${result.stderr.trim() || "it cannot be run"}.`);
}

export function tryGit(
  folder: string,
  ...args: string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr, error } = spawnSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: mostBytes,
  });
  if (error !== undefined && (error as NodeJS.ErrnoException).code === "ENOENT") {
    throw new Stop(exitCodes.missing, "This needs git, which is not installed or not on the PATH.");
  }
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** The folder of the work tree that a file is in. */
export function workTreeOf(file: string): string {
  const result = tryGit(dirname(resolve(file)), "rev-parse", "--show-toplevel");
  if (result.status === 0) return result.stdout.trim();
  throw new Stop(exitCodes.usage, `${shown(file)} is not in a git repository.`);
}
