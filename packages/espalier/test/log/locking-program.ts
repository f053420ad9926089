/** Tries to open the log in a folder at a given moment, and prints whether it got it: `node locking-program.mjs <folder>`. */
import { createWorld } from "espalier";
import { LockedLogError, openWorldLog, type WorldLog } from "espalier/log";

let log: WorldLog | undefined;
process.on("message", async (at: number | "close") => {
  if (at === "close") {
    await log?.close();
    log = undefined;
    process.send?.("closed");
    return;
  }
  // Not a timer, which would come late, and not for all at the same time.
  while (Date.now() < at);
  try {
    log = openWorldLog(process.argv[2] as string, createWorld(), { components: [] });
    process.send?.("open");
  } catch (error) {
    if (!(error instanceof LockedLogError)) throw error;
    process.send?.("locked");
  }
});
process.send?.("ready");
