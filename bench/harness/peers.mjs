/** The peers are no workspace of the library: they are installed here, on first use. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bench = fileURLToPath(new URL("..", import.meta.url));

/** Installs the pinned peers from the lockfile if they are not there. Speaks on stderr only. */
export function installPeers() {
  if (existsSync(`${bench}node_modules/.package-lock.json`)) return;
  console.error("Installing the benchmark's peers (npm ci in bench/) ...");
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: bench,
    stdio: ["ignore", 2, 2],
  });
}
