/** The parent's end of a subject's process: asks, and waits for the answer. */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engineOf } from "./engines.mjs";

/**
 * Without on-stack replacement: code compiled in the middle of a long loop has no constants and may
 * stay in use instead of the final code for seconds, at random (1.5 or 4.6 ns per entity in
 * velocity_100k). Compiled at a call, as in every later frame, the code is always the same.
 */
const steady = "--no-use-osr";

const childFile = fileURLToPath(new URL("child.mjs", import.meta.url));

/** `isFirst`: what is measured is the first run, as users have it, so nothing is switched off. */
export function startWorker(engine, { isFirst = false, timeoutMs = 180_000 } = {}) {
  const { path, isV8 } = engineOf(engine);
  const child = fork(childFile, {
    execPath: path,
    execArgv: ["--expose-gc", ...(isV8 && !isFirst ? [steady] : [])],
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", 2, 2, "ipc"], // what a library prints must not mix with the results
  });
  let settle;
  child.on("message", (answer) => settle?.(answer));
  child.on("exit", (code, signal) => settle?.({ failed: `process ended (${signal ?? code})` }));

  /** Sends one message and resolves with its answer; never rejects. */
  function ask(message) {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle({ failed: `no answer within ${timeoutMs / 1000} s` }), timeoutMs);
      settle = (answer) => {
        settle = undefined;
        clearTimeout(timer);
        resolve(answer);
      };
      if (child.connected) child.send(message);
      else settle({ failed: "process is gone" });
    });
  }

  function stop() {
    settle = undefined;
    child.kill("SIGKILL");
  }

  return { ask, stop };
}
