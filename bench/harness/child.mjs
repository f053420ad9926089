/**
 * One subject in one case, alone in its process; the parent tells it when to run.
 *
 * Messages in: `prepare`, then any number of `time`, then `finish`. Each gets one answer, and an
 * answer with `failed`, `unable` or `skipped` is the last one.
 */
import { measureAllocation } from "./allocation.mjs";
import { measureBundle } from "./bundle.mjs";
import { Unable } from "./expect.mjs";
import { createBatch, timeBatch, warmUp } from "./measure.mjs";
import { measureBytes } from "./memory.mjs";
import { measureSteady } from "./steady.mjs";
import { loadSuite, subjectFile } from "./suites.mjs";

/** A style of a library, or a limit, need not implement every case: nothing to report. */
const noSuchCase = "no such case";

let current;

process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  try {
    process.send(await answer(message));
  } catch (error) {
    process.send(problemOf(error));
  }
});

function problemOf(error) {
  if (error instanceof Unable) return { unable: error.message };
  if (error instanceof RangeError && error.message.includes("call stack")) return { unable: "overflow" };
  return { failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}

function answer(message) {
  if (message.type === "prepare") return prepare(message);
  return message.type === "time" ? time() : finish();
}

async function prepare({ suiteName, caseName, subjectName, effort, company }) {
  const suite = await loadSuite(suiteName);
  let module;
  try {
    module = await import(subjectFile(suite, subjectName));
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    return { skipped: `not installed or not built (${firstLine(error.message)})` };
  }
  const subject = module.subjects[subjectName];
  if (subject === undefined) return { skipped: module.skipped ?? "no such subject" };

  const definition = suite.cases[caseName];
  const { kind = "time" } = definition;
  if (kind === "bundle") {
    if (subject.bundle === undefined) return { skipped: noSuchCase };
    return { value: await measureBundle(subject.bundle) };
  }
  const build = builderOf(subject, definition, caseName);
  if (build === undefined) return { skipped: noSuchCase };
  if (kind === "memory") {
    // A first instance, discarded: the code it compiles must not count as data.
    if (definition.warmSize !== undefined) await build({}, definition.warmSize);
    const { instance, bytes } = await measureBytes(() => build({}));
    await definition.verify(instance, definition);
    return { value: bytes / definition.unitCount };
  }
  if (kind === "first") return { value: await measureFirst(build, definition) };
  if (kind === "steady") {
    const instance = await build({});
    await definition.verify?.(instance, definition);
    const { median, ...spread } = await measureSteady(instance);
    await definition.verify?.(instance, definition);
    const count = unitCountOf(instance, definition);
    return { value: median / count, count, spread };
  }
  if (kind === "allocation") {
    const { instance } = await start(build, definition, effort);
    return { value: (await measureAllocation(instance)) / unitCountOf(instance, definition) };
  }

  for (const other of company) {
    const definition = suite.cases[other];
    const build = builderOf(subject, definition, other);
    if (build) await start(build, definition, { ...effort, warmMs: effort.warmMs / 2 });
  }
  current = await start(build, definition, effort);
  return { ready: true, count: unitCountOf(current.instance, definition) };
}

/** Nanoseconds per unit of the very first run of the process, checked afterwards. */
async function measureFirst(build, definition) {
  const instance = await build({});
  if (instance.reset) await instance.reset();
  const start = performance.now();
  await instance.run();
  const ms = performance.now() - start;
  await definition.verify?.(instance, definition);
  return (ms * 1e6) / unitCountOf(instance, definition);
}

/** The subject's function for a case; several cases may share one, told apart by `parameters`. */
function builderOf(subject, definition, caseName) {
  const build = subject.cases[definition.builder ?? caseName];
  if (build === undefined) return undefined;
  return (probe, size = definition.size) => build(size, probe, definition.parameters);
}

/** A subject that is too slow for the whole work may do a part of it and say how much. */
function unitCountOf(instance, definition) {
  return instance.unitCount ?? definition.unitCount;
}

async function start(build, definition, effort) {
  const probe = {};
  const instance = await build(probe);
  await definition.verify?.(instance, definition, probe);
  const batch = await createBatch(instance);
  const runs = await warmUp(instance, batch, { ...effort, ...definition.effort });
  return { instance, batch, runs, definition, probe };
}

async function time() {
  const msPerRun = await timeBatch(current.instance, current.batch, current.runs);
  return { ns: (msPerRun * 1e6) / unitCountOf(current.instance, current.definition) };
}

/** Checked again at the end: a subject that stopped working while it was timed has no result. */
async function finish() {
  const { instance, definition, probe } = current;
  await definition.verify?.(instance, definition, probe);
  return { done: true };
}

function firstLine(text) {
  return text.split("\n")[0].replace(/ imported from .*/, "");
}
