/**
 * How much the tests detect: Stryker changes one small thing in the source at a time and runs the tests, which should then fail.
 *
 *     node scripts/mutants.mjs hierarchy/order/keep-sorted.ts hierarchy/keep-sorted
 *     node scripts/mutants.mjs "ecs/archetypes/*.ts,ecs/entities/entities.ts" ecs/queries,ecs/entities --concurrency 1
 *
 * First the files, below packages/espalier/src, then the beginnings of the paths of their tests, below packages/espalier/test; further arguments go to
 * Stryker. Random tests made with `property` run a tenth of their cases. A change that no test notices is printed with its line: some of these
 * have no observable effect (a fast path, the size of a buffer); each of the others is a missing test. Take a few files with the tests
 * that cover them, short ones: a whole room takes hours.
 *
 * Stryker is installed into its own folder (scripts/stryker) when it is first needed.
 */
import { join } from "node:path";
import { ensureInstalled, root, run } from "./workspace.mjs";

const [files, tests, ...options] = process.argv.slice(2);
if (files === undefined || tests === undefined) {
  console.error(
    "Give files and tests, each separated by commas: node scripts/mutants.mjs hierarchy/order/keep-sorted.ts hierarchy/keep-sorted",
  );
  process.exit(2);
}
const folder = join(root, "scripts/stryker");
ensureInstalled(folder);
process.exitCode = run(
  process.execPath,
  [
    join(folder, "node_modules/@stryker-mutator/core/bin/stryker.js"),
    "run",
    join(folder, "stryker.config.mjs"),
    "--mutate",
    files
      .split(",")
      .map((file) => `packages/espalier/src/${file}`)
      .join(","),
    ...options,
  ],
  { env: { ESPALIER_MUTANT_TESTS: tests, ESPALIER_RUNS: process.env.ESPALIER_RUNS ?? "0.1" } },
);
