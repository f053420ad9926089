/**
 * Driving the subjects of a case in turn.
 *
 * Every subject lives in its own process; a round gives each one batch, one after the other, so
 * that slow seconds of the machine fall on all of them.
 */
import { isWanted } from "./options.mjs";
import { summarize } from "./summary.mjs";
import { startWorker } from "./worker.mjs";

/** Runs the wanted cases of a suite and hands every result to `report` as soon as it is known. */
export async function runSuite(suite, options, report) {
  const subjects = Object.keys(suite.subjects).filter(
    (name) => options.subjects.length === 0 || options.subjects.includes(name),
  );
  for (const group of groupCases(suite, options)) {
    const started = Date.now();
    const kind = suite.cases[group[0]].kind ?? "time";
    const entries = group.flatMap((caseName) => subjects.map((subject) => ({ caseName, subject })));
    const measured =
      kind === "time"
        ? await measureTimes(suite, entries, options)
        : await measureValues(suite, entries, options);
    for (const result of summarize(suite, measured)) report(result);
    log(`${suite.name} ${group.join(", ")}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

/** Cases that declare the same `group` share their rounds, because they are compared. */
function groupCases(suite, options) {
  const groups = new Map();
  for (const [name, definition] of Object.entries(suite.cases)) {
    if (!isWanted(name, options.cases)) continue;
    const key = definition.group ?? name;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return groups.values();
}

async function measureTimes(suite, entries, options) {
  const { effort } = options;
  const measured = [];
  for (const entry of entries) {
    const worker = startWorker();
    const answer = await worker.ask(prepareMessage(suite, entry, options));
    if (answer.ready === undefined) worker.stop();
    measured.push({ ...entry, ...answer, worker, rounds: [] });
    logProblem(suite, entry, answer);
  }
  const running = () => measured.filter((entry) => entry.ready && entry.failed === undefined);
  for (let round = 0; round < effort.rounds; round++) {
    const turn = running();
    // Another one begins each round: no subject always runs behind the same neighbour's garbage.
    for (let i = 0; i < turn.length; i++) {
      const entry = turn[(i + round) % turn.length];
      const answer = await entry.worker.ask({ type: "time" });
      entry.rounds[round] = answer.ns;
      noteFailure(suite, entry, answer);
    }
  }
  for (const entry of running()) noteFailure(suite, entry, await entry.worker.ask({ type: "finish" }));
  for (const entry of measured) entry.worker.stop();
  return measured;
}

/** Memory and bundle size: no rounds, each value from a fresh process. */
async function measureValues(suite, entries, options) {
  const measured = [];
  for (const entry of entries) {
    const repeats = suite.cases[entry.caseName].kind === "memory" ? options.effort.memoryRuns : 1;
    const rounds = [];
    let answer;
    for (let i = 0; i < repeats; i++) {
      const worker = startWorker();
      answer = await worker.ask(prepareMessage(suite, entry, options));
      worker.stop();
      if (answer.value === undefined) break;
      rounds.push(answer.value);
    }
    measured.push({ ...entry, ...answer, rounds });
    logProblem(suite, entry, answer);
  }
  return measured;
}

function prepareMessage(suite, { caseName, subject }, options) {
  const company = options.shared
    ? Object.keys(suite.cases).filter((name) => {
        const { kind = "time", group } = suite.cases[name];
        return kind === "time" && group === undefined && name !== caseName;
      })
    : [];
  return {
    type: "prepare",
    suiteName: suite.name,
    caseName,
    subjectName: subject,
    effort: options.effort,
    company,
  };
}

function noteFailure(suite, entry, answer) {
  if (answer.failed === undefined) return;
  entry.failed = answer.failed;
  logProblem(suite, entry, answer);
}

const told = new Set();

function logProblem(suite, { caseName, subject }, { failed, skipped }) {
  if (failed !== undefined) log(`${suite.name} ${caseName} ${subject}: FAILED: ${failed}`);
  if (skipped === undefined || skipped === "case not implemented") return;
  const text = `${suite.name} ${subject}: left out: ${skipped}`;
  if (!told.has(text)) log(text);
  told.add(text);
}

function log(text) {
  console.error(text);
}
