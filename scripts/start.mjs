/** `npm start`: installs and builds what is missing, then runs the demo. */
import { join } from "node:path";
import { ensureBuilt, ensureInstalled, root, run } from "./workspace.mjs";

ensureInstalled();
ensureBuilt();
process.exitCode = run(process.execPath, [join(root, "scripts/demo.mjs"), ...process.argv.slice(2)]);
