/** Many processes that open one log at the same moment, where one that was killed has left its lock. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.ts";

const PROCESSES = 6;
const ROUNDS = process.env.ESPALIER_LONG === undefined ? 60 : 1000;

let dir: string;
let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "espalier-locking-"));
  program = join(dir, "locking-program.mjs");
  await bundleProgram(fileURLToPath(new URL("./locking-program.ts", import.meta.url)), program);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

async function start(folder: string): Promise<ChildProcess> {
  const child = fork(program, [folder]);
  children.push(child);
  await once(child, "message");
  return child;
}

async function ask(child: ChildProcess, what: number | "close"): Promise<string> {
  const answer = once(child, "message");
  child.send(what);
  return (await answer)[0] as string;
}

describe("a lock that a killed process left", () => {
  it(`is taken over by exactly one of ${PROCESSES} processes that find it at the same moment (${ROUNDS} times)`, async () => {
    const folder = join(dir, "log");
    const left = join(dir, "left");
    mkdirSync(left);
    const killed = await start(folder);
    expect(await ask(killed, 0)).toBe("open");
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const locks = readdirSync(folder).filter((name) => name.startsWith("lock"));
    expect(locks).toHaveLength(1);
    for (const name of locks) copyFileSync(join(folder, name), join(left, name));

    const all = await Promise.all(Array.from({ length: PROCESSES }, () => start(folder)));
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of locks) copyFileSync(join(left, name), join(folder, name));
      const at = Date.now() + 5;
      const answers = await Promise.all(all.map((child) => ask(child, at)));
      expect(answers.filter((answer) => answer === "open")).toHaveLength(1);
      await Promise.all(all.map((child) => ask(child, "close")));
      expect(readdirSync(folder).filter((name) => name.startsWith("lock"))).toEqual([]);
    }
  }, 600_000);
});
