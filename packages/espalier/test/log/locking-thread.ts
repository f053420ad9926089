/** A thread that opens the log in a folder and says whether it got it. It closes the log when it is asked to. */
import { parentPort, workerData } from "node:worker_threads";
import { createWorld } from "espalier";
import { LockedLogError, openWorldLog } from "espalier/log";

try {
  const log = openWorldLog(workerData as string, createWorld(), { components: [] });
  parentPort?.on("message", async () => {
    await log.close();
    parentPort?.postMessage("closed");
  });
  parentPort?.postMessage("open");
} catch (error) {
  if (!(error instanceof LockedLogError)) throw error;
  parentPort?.postMessage("locked");
}
