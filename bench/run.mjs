#!/usr/bin/env node
/**
 * The benchmark runner: `node bench/run.mjs [suite ...] [--quick] [--json] [--case name]
 * [--subject name] [--only prefix] [--scaling] [--engine name] [--shared]`. What is measured, and why this way: README.md beside this file.
 */
import { engineOf } from "./harness/engines.mjs";
import { parseOptions, usage } from "./harness/options.mjs";
import { installPeers } from "./harness/peers.mjs";
import { jsonLine, printTables } from "./harness/report.mjs";
import { runSuite } from "./harness/rounds.mjs";
import { loadSuites } from "./harness/suites.mjs";

const options = parseOptions(process.argv.slice(2));
if (options.help) {
  console.log(usage);
  process.exit(0);
}
installPeers();
engineOf(options.engine); // refused here, before anything has run

const suites = await loadSuites(options.suites);
let failures = 0;
for (const suite of suites) {
  const results = [];
  await runSuite(suite, options, (result) => {
    results.push(result);
    if (result.failed !== undefined) failures++;
    if (options.json && result.skipped === undefined) console.log(jsonLine(result));
  });
  if (!options.json) printTables(suite, results);
}
process.exitCode = failures > 0 ? 1 : 0;
