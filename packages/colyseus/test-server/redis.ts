/** A real Redis: the one of REDIS_URL, or `redis-server` of the system, which CI installs when it is missing. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";

export interface RunningRedis {
  readonly url: string;
  stop(): void;
}

/** Nothing where there is none; in CI that is an error. */
export async function startRedis(): Promise<RunningRedis | undefined> {
  const { REDIS_URL: url, CI } = process.env;
  if (url !== undefined && url !== "") return { url, stop: () => {} };
  if (!isInstalled() && CI !== undefined) install();
  if (!isInstalled()) {
    const missing = "No Redis: set REDIS_URL, or install redis-server.";
    if (CI !== undefined) throw new Error(missing);
    console.warn(`NOT RUN: several processes. ${missing}`);
    return undefined;
  }
  const port = 20_000 + ((process.pid + 7919) % 12_000);
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await outputOf(child, /Ready to accept connections/);
  return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill("SIGKILL") };
}

/** Waits until a process prints something. */
export function outputOf(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`It ended with ${code}: ${text}`)));
  });
}

function isInstalled(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

function install(): void {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo"];
  for (const args of [["update"], ["install", "-y", "redis-server"]]) {
    const [command = "", ...rest] = [...sudo, "apt-get", ...args];
    spawnSync(command, rest, { stdio: "inherit" });
  }
}
