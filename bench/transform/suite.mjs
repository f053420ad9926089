/**
 * The transform suite: its subjects, its cases, and the check of every case.
 *
 * The cases are in cases.mjs, shared by all subjects; a subject's file implements the steps with its
 * library. Every world transform is compared with a 64-bit reference, computed here from the expected
 * locals and parents.
 */
import { expectEqual, expectNear, expectTrue } from "../harness/expect.mjs";
import { referenceWorlds, visitOrder } from "./cases.mjs";

const peer = (file) => ({ file, role: "peer" });
const limit = (file) => ({ file, role: "limit" });

export const subjects = {
  espalier: { file: "espalier.mjs", role: "own", limit: "limit-js" },
  "espalier-wasm": { file: "espalier.mjs", role: "own", limit: "limit-wasm" },
  "espalier-set": { file: "espalier.mjs", role: "own", limit: "limit-js" },
  three: peer("three.mjs"),
  pixi: peer("pixi.mjs"),
  bitecs: peer("bitecs.mjs"),
  koota: peer("koota.mjs"),
  "limit-js": limit("limit-js.mjs"),
  "limit-wasm": limit("limit-wasm.mjs"),
};

const own = ["espalier", "espalier-wasm"];
const limits = ["limit-js", "limit-wasm"];

const sizes = { "1k": 1000, "10k": 10_000, "100k": 100_000, "1m": 1_000_000 };
const tolerance = 1e-3;

const workloads = {
  full: { verify: verifyWorlds, shapes: ["wide", "deep"] },
  pass: { verify: verifyWorlds, shapes: ["wide", "deep"] },
  sparse: { verify: verifyWorlds, shapes: ["wide", "deep"] },
  idle: { verify: verifyWorlds, shapes: [] },
  churn: { verify: verifyChurn, shapes: ["wide", "deep"] },
  build: { verify: verifyWorlds, shapes: [] },
  destroy: { verify: verifyDestroy, shapes: [] },
  visit: { verify: verifyVisit, shapes: ["wide", "deep"] },
};

const drawing = ["three", "pixi"];

/** The subjects of the quick run, by case; the others take part in the full one only. */
const quick = {
  ...Object.fromEntries(["full", "pass", "sparse", "idle"].map((name) => [`${name}/10k`, true])),
  ...Object.fromEntries(
    ["churn", "build", "destroy", "visit"].map((name) => [
      `${name}/10k`,
      [...own, ...drawing, "koota", ...limits],
    ]),
  ),
  ...Object.fromEntries(
    ["full", "pass", "sparse", "churn"].map((name) => [`${name}/100k`, [...own, ...drawing, ...limits]]),
  ),
  ...Object.fromEntries(["idle/1k", "idle/1m", "pass/1m"].map((name) => [name, [...own, ...limits]])),
  "full_churned/10k": own,
  "full_churned/100k": own,
};

export const cases = {
  bundle: { kind: "bundle", unit: "import for a tree with transforms" },
  ...Object.fromEntries(
    Object.entries(workloads).flatMap(([name, { verify, shapes }]) => [
      ...Object.keys(sizes).map((label) => define(name, label, { verify })),
      ...shapes.map((shape) => define(name, "10k", { verify, shape })),
    ]),
  ),
  ...Object.fromEntries([
    define("full", "100k", { verify: verifyWorlds, shape: "scattered" }),
    define("visit", "100k", { verify: verifyVisit, shape: "scattered" }),
    ...["10k", "100k"].map((label) =>
      define("full_churned", label, {
        verify: verifyWorlds,
        group: `full/${label}`, // compared with the freshly built tree
      }),
    ),
    ...publicShapes(),
    ...["full", "sparse", "churn"].map((name) => {
      const verify = workloads[name].verify;
      const [, definition] = define(name, "10k", { verify, kind: "allocation", unitCount: 1, unit: "frame" });
      return [`garbage/${name}`, { ...definition, quick: own, group: undefined }];
    }),
  ]),
};

/** Scenes that others publish figures for: the README says where, and which. */
function publicShapes() {
  const common = { verify: verifyWorlds, effort: { warmRuns: 50 }, quick: [...own, ...drawing] };
  return [
    [
      "public/koota",
      {
        ...common,
        quick: [...common.quick, "koota"],
        builder: "full",
        parameters: { shape: "groups" },
        size: 65_001,
      },
    ],
    ["public/bevy", { ...common, builder: "moving", parameters: { shape: "layers" }, size: 51_697 }],
    [
      "public/hilo3d",
      { ...common, kind: "steady", builder: "moving", parameters: { shape: "wide" }, size: 110_001 },
    ],
  ].map(([name, definition]) => [name, { ...definition, unitCount: 1, unit: "frame" }]);
}

function define(name, label, { verify, shape = "balanced", ...more }) {
  const size = sizes[label];
  const isBalanced = shape === "balanced";
  const caseName = isBalanced ? `${name}/${label}` : `${name}/${label}/${shape}`;
  const definition = {
    builder: name,
    parameters: { shape },
    size,
    unitCount: size,
    unit: "node",
    effort: { warmRuns: 50 }, // runs are long, and V8 counts their loop iterations
    quick: quick[caseName] ?? false,
    verify,
    ...more,
  };
  if (isBalanced && name === "full" && size <= 100_000) definition.group = `full/${label}`;
  return [caseName, definition];
}

/** Runs once more and compares the world transforms of all nodes. */
async function verifyWorlds(it) {
  for (let i = 0; i < 2; i++) {
    it.reset?.();
    it.run();
    expectWorlds(it);
  }
}

function expectWorlds(it) {
  const { space, nodes } = it;
  const reference = referenceWorlds(it.expected());
  const world = new Float64Array(6);
  for (let i = 0; i < nodes.length; i++) {
    space.readWorld(nodes[i], world);
    for (let k = 0; k < 6; k++) {
      const isNear = Math.abs(world[k] - reference[i * 6 + k]) <= tolerance;
      if (!isNear) expectNear(world[k], reference[i * 6 + k], tolerance, `${fields[k]} of node ${i}`);
    }
  }
}

const fields = ["a", "b", "c", "d", "tx", "ty"];

/** Forth, halfway, and back: more frames than one round. */
async function verifyChurn(it) {
  for (let i = 0; i < 19; i++) {
    it.run();
    if (i % 3 === 0) expectWorlds(it);
  }
}

async function verifyDestroy(it) {
  for (let i = 0; i < 2; i++) {
    it.reset();
    expectWorlds(it);
    expectTrue(!it.nodes.some((node) => !it.space.isAlive(node)), "a node is not alive");
    it.run();
    expectTrue(!it.nodes.some((node) => it.space.isAlive(node)), "a node is still alive");
  }
}

async function verifyVisit(it) {
  it.run();
  const { space, nodes } = it;
  const order = visitOrder(it);
  let sum = 0;
  order.forEach((node, i) => {
    sum = (sum + Math.imul(space.numberOf(node), i + 1)) | 0;
  });
  expectEqual(order.length, nodes.length, "number of nodes to visit");
  expectEqual(it.result(), sum, "sum over the tree, depth first");
  expectWorlds(it);
}
