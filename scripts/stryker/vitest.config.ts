/** The behaviour tests of one room, as the project "unit" of the root runs them: see scripts/mutants.mjs. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import whole from "../../vitest.config.ts";

const tests = process.env.ESPALIER_MUTANT_TESTS?.split(",") ?? [];
const unit = whole.test?.projects?.find(
  (project) => typeof project === "object" && "test" in project && project.test?.name === "unit",
) as { resolve: object; test: object };

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve: unit.resolve,
  // The library is loaded once for each change, not once for each file of tests.
  test: {
    ...unit.test,
    isolate: false,
    include: tests.map((filter) => `packages/espalier/test/${filter}*.test.ts`),
  },
});
