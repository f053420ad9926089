import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { aliases } from "./scripts/public-names.mjs";
import { snippets } from "./test/docs/snippet-plugin.ts";

/** `ESPALIER_TARGET=dist` runs the same tests on the build in which NODE_ENV decides, `production` on that for production. */
const target = targetOf(process.env.ESPALIER_TARGET);

const resolve = { alias: aliases(target) };

/** The multiplayer package, on the source or on its build. */
const multiplayer = ["", "client", "server"].map((entry) => ({
  find: new RegExp(`^@espalier/colyseus${entry === "" ? "" : `/${entry}`}$`),
  replacement: fileURLToPath(
    new URL(
      target === "source"
        ? `packages/colyseus/src/${entry === "" ? "" : `${entry}/`}index.ts`
        : `packages/colyseus/dist/${entry === "" ? "index" : entry}.mjs`,
      import.meta.url,
    ),
  ),
}));

/**
 * Tests with real pages and servers wait for many things at once; on a machine that is shared one of them can come too late. What fails twice is
 * broken. Not on a developer's machine, where a test that fails now and then is to be seen.
 */
const retry = process.env.CI === undefined ? 0 : 1;

const shared = {
  // Property tests run thousands of cases on a shared two-core machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // Vitest leaves one core free, which on two cores is half of them.
  maxWorkers: availableParallelism(),
};

/**
 * A sample of the behaviour tests, for the build: bundling may drop or reorder code, and each room is a way in. Wide tests, and the
 * random ones that compare with a plain model.
 */
const buildSample = [
  "packages/espalier/test/entries.test.ts",
  "packages/espalier/test/ecs/{commands-twin,compile-loop,components,error-pages,model,queries}.test.ts",
  "packages/espalier/test/hierarchy/{attach,destroy,listeners,terms,walks}.test.ts",
  "packages/espalier/test/inherit/inherited.test.ts",
  "packages/espalier/test/transform/{kernels,spaces,transforms-3d,world-term}.test.ts",
  "packages/espalier/test/history/{patch,snapshot,undo-random}.test.ts",
  "packages/espalier/test/scene/{instance,load,save}.test.ts",
  "packages/espalier/test/{render/renderer,canvas/canvas-renderer,signals/signals,three/three-sync,react/server}.test.ts",
  "packages/espalier/test/physics/{stepping,joints}.test.ts",
  "packages/espalier/test/game/{behaviours,game,input,scenes}.test.ts",
  "packages/cli/test/{gltf,godot}.test.ts",
  "packages/editor/test/{document,server}.test.ts",
];

/** Random tests against plain models that look at what happens, not at messages. */
const productionSample = [
  "packages/espalier/test/ecs/{check-random,commands-twin,iteration}.test.ts",
  "packages/espalier/test/hierarchy/{deep,every-edit,fuzz,leave-together}.test.ts",
];

/** In a real Chromium: see test/browser/chromium.ts. */
const inBrowser = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  env: { ESPALIER_TARGET: target },
  // One file after the other in one worker, so that all of them use one browser: see test/browser/shared-browser.ts.
  fileParallelism: false,
  isolate: false,
  // What a page shows comes when its turn comes; on a loaded machine that is not within the second of the default.
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    // On a loaded machine the worker of the browser tests takes longer to end than the 10 seconds of the default.
    teardownTimeout: 60_000,
    // `npm run coverage`.
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.{ts,tsx}"],
      reporter: ["text-summary", "json-summary", "html"],
    },
    projects: [
      {
        resolve,
        test: {
          ...shared,
          name: "unit",
          include: ["packages/*/test/**/*.test.ts"],
          setupFiles: ["test/setup/seed.ts"],
        },
      },
      {
        // What runs on the build in `npm test`: some of each room. ESPALIER_TARGET=dist --project unit runs all.
        resolve,
        test: {
          ...shared,
          name: "build",
          include: buildSample,
          setupFiles: ["test/setup/seed.ts"],
        },
      },
      {
        // What the build for production must do as well: refuse by class, code and facts, for every error page, and agree with plain models.
        resolve: { alias: [...aliases("production"), ...multiplayer] },
        plugins: [snippets()],
        test: {
          ...shared,
          name: "production",
          include: [
            "packages/espalier/test-production/*.test.ts",
            "test/docs/error-pages.test.ts",
            ...productionSample,
          ],
          setupFiles: ["test/setup/seed.ts"],
          env: { ESPALIER_TARGET: "production" },
        },
      },
      {
        // While you edit; the types step of `npm test` checks the same files.
        resolve,
        test: {
          ...shared,
          name: "types",
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ["packages/espalier/test/**/*.test-d.ts"],
            tsconfig: "packages/espalier/test/tsconfig.json",
            // The types step of `npm test` reports errors outside the type tests.
            ignoreSourceErrors: true,
          },
        },
      },
      {
        // Colyseus needs Node 22: see scripts/newer-node.mjs.
        resolve: { alias: [...aliases(target), ...multiplayer] },
        test: {
          ...shared,
          name: "multiplayer",
          retry,
          setupFiles: ["test/setup/seed.ts"],
          include: ["packages/colyseus/test-server/**/*.test.ts"],
          env: { ESPALIER_TARGET: target },
          // Each starts servers and waits for them.
          maxWorkers: 2,
        },
      },
      {
        test: { ...shared, name: "structure", include: ["test/{structure,scripts}/*.test.ts"] },
      },
      {
        resolve: { alias: [...aliases(target), ...multiplayer] },
        plugins: [snippets()],
        test: { ...shared, name: "docs", include: ["test/docs/*.test.ts"] },
      },
      {
        test: {
          ...shared,
          name: "examples",
          include: ["test/examples/*.test.ts"],
          env: { ESPALIER_TARGET: target },
        },
      },
      {
        resolve,
        test: {
          ...inBrowser,
          name: "browser",
          retry,
          include: ["test/browser/*.test.ts", "packages/*/test-browser/**/*.test.ts"],
          exclude: ["test/browser/site.test.ts"],
        },
      },
      {
        // Behind the other browser tests, during which the site is built: see test/setup/site.ts.
        resolve,
        test: {
          ...inBrowser,
          name: "site",
          retry,
          include: ["test/browser/site.test.ts"],
          globalSetup: ["test/setup/site.ts"],
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Installs and bundles the packed library, so it needs a build: see scripts/test.mjs.
        test: {
          testTimeout: 180_000,
          hookTimeout: 180_000,
          name: "package",
          include: ["packages/*/test-package/*.test.ts", "test/install/core.test.ts"],
          // They wait for processes they start: two at a time also on two cores.
          maxWorkers: 2,
        },
      },
      {
        // The packed library in everything it is said to work in: `npm run test:install`.
        test: {
          testTimeout: 180_000,
          hookTimeout: 600_000,
          name: "install",
          include: ["test/install/*.test.ts"],
        },
      },
    ],
  },
});

function targetOf(name: string | undefined): "source" | "dist" | "production" {
  return name === "dist" || name === "production" ? name : "source";
}
