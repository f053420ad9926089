/** Lives on the log in a folder until it is killed: `node killed-program.mjs <folder>`. */
import { openWorldLog } from "espalier/log";
import { components, createLife, live } from "./random-life.ts";

const life = createLife();
const log = openWorldLog(process.argv[2] as string, life.world, {
  components,
  trees: [life.tree],
  rotateBytes: 5000,
});
process.send?.(log.sequence);
for (;;) {
  live(life, log.sequence + 1);
  log.append();
  // Snapshots are written between ticks.
  if (log.sequence % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
}
