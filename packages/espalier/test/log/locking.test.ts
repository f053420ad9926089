/** Many processes that open one log at the same moment, where one that was killed has left its lock; and threads of one process. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { createWorld, DEVELOPMENT } from "espalier";
import { LockedLogError, openWorldLog, type WorldLog } from "espalier/log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "./bundle-program.ts";

const PROCESSES = 6;
const ROUNDS = process.env.ESPALIER_LONG === undefined ? 60 : 1000;

let dir: string;
let program: string;
let thread: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "espalier-locking-"));
  program = join(dir, "locking-program.mjs");
  await bundleProgram(fileURLToPath(new URL("./locking-program.ts", import.meta.url)), program);
  thread = join(dir, "locking-thread.mjs");
  await bundleProgram(fileURLToPath(new URL("./locking-thread.ts", import.meta.url)), thread);
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

describe("a log that a thread has open", () => {
  const openHere = (folder: string): WorldLog => openWorldLog(folder, createWorld(), { components: [] });
  async function startThread(folder: string): Promise<{ worker: Worker; said: string }> {
    const worker = new Worker(thread, { workerData: folder });
    return { worker, said: (await once(worker, "message"))[0] as string };
  }

  it("is not opened by another thread of the process until it is closed", async () => {
    const folder = join(dir, "threads");
    const log = openHere(folder);
    const refused = await startThread(folder);
    expect(refused.said).toBe("locked");
    await log.close();

    const { worker, said } = await startThread(folder);
    expect(said).toBe("open");
    expect(() => openHere(folder)).toThrow(LockedLogError);
    expect((await startThread(folder)).said).toBe("locked");
    worker.postMessage("close");
    await once(worker, "message");
    await openHere(folder).close();
    await worker.terminate();
  });

  it("is opened by one of several threads that wait for another process at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const folder = join(dir, `waiting-${round}`);
      mkdirSync(folder);
      // A process that is about to take the lock, and has the lower name: the threads make room for it again and again.
      const other = join(folder, `lock-${process.ppid}-0`);
      writeFileSync(other, "");
      const waiting = Array.from({ length: 4 }, () => startThread(folder));
      setTimeout(() => rmSync(other), 300);
      const threads = await Promise.all(waiting);
      expect(threads.map(({ said }) => said).sort()).toEqual(["locked", "locked", "locked", "open"]);
      for (const { worker } of threads) await worker.terminate();
    }
  });

  it("says which file to delete when the thread has ended without closing it", async () => {
    const folder = join(dir, "ended");
    const { worker, said } = await startThread(folder);
    expect(said).toBe("open");
    await worker.terminate();
    let error: unknown;
    try {
      openHere(folder);
    } catch (thrown) {
      error = thrown;
    }
    const { pid, file, message } = error as LockedLogError;
    expect(pid).toBe(process.pid);
    if (DEVELOPMENT)
      expect(message).toContain(
        `this process has it open. Close it there first, or delete ${file} if a thread that has ended left it`,
      );
    rmSync(file);
    await openHere(folder).close();
  });
});
