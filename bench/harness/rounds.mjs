/**
 * Driving the subjects of a case in turn.
 *
 * Every subject lives in its own process; a round gives each one batch, one after the other, so
 * that slow seconds of the machine affect all of them.
 */
import { isWanted, takesPart } from "./options.mjs";
import { summarize } from "./summary.mjs";
import { startWorker } from "./worker.mjs";

/** So many rounds are run even by a subject whose runs are long. */
const leastRounds = 3;

/** Runs the wanted cases of a suite and hands every result to `report` as soon as it is known. */
export async function runSuite(suite, options, report) {
  const subjects = Object.keys(suite.subjects);
  for (const group of groupCases(suite, options)) {
    const started = Date.now();
    const kind = suite.cases[group[0]].kind ?? "time";
    const entries = group.flatMap((caseName) =>
      subjects
        .filter((subject) => takesPart(subject, suite.cases[caseName], options))
        .map((subject) => ({ caseName, subject })),
    );
    const measure = suite.cases[group[0]].together
      ? measureTogether
      : kind === "time"
        ? measureTimes
        : measureValues;
    const measured = await measure(suite, entries, options);
    for (const result of summarize(suite, measured)) report(result);
    log(`${suite.name} ${group.join(", ")}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}

/** Cases that declare the same `group` share their rounds, because they are compared. */
function groupCases(suite, options) {
  const groups = new Map();
  for (const [name, definition] of Object.entries(suite.cases)) {
    if (!isWanted(name, definition, options)) continue;
    const key = definition.group ?? name;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return groups.values();
}

async function measureTimes(suite, entries, options) {
  const effort = { ...options.effort, ...suite.cases[entries[0].caseName].effort };
  const measured = [];
  for (const entry of entries) {
    const worker = startWorker(options.engine);
    const answer = judged(suite, entry, await worker.ask(prepareMessage(suite, entry, options)));
    if (answer.ready === undefined) worker.stop();
    measured.push({ ...entry, ...answer, worker, rounds: [], spentMs: 0 });
    logProblem(suite, entry, answer);
  }
  const running = () => measured.filter((entry) => entry.ready && isFine(entry));
  for (let round = 0; round < effort.rounds; round++) {
    const turn = running().filter((entry) => round < leastRounds || entry.spentMs < effort.budgetMs);
    // Each round starts with another subject, so that none always runs right after the same one.
    for (let i = 0; i < turn.length; i++) {
      const entry = turn[(i + round) % turn.length];
      const started = Date.now();
      const answer = await entry.worker.ask({ type: "time" });
      entry.spentMs += Date.now() - started;
      entry.rounds[round] = answer.ns;
      noteProblem(suite, entry, answer);
    }
  }
  for (const entry of running()) noteProblem(suite, entry, await entry.worker.ask({ type: "finish" }));
  for (const entry of measured) entry.worker.stop();
  return measured;
}

/**
 * A case whose subjects take turns within one page names the file that lets them (`together`): what is compared differs by less
 * than two processes do. The file's `measure` gives the nanoseconds per unit of each subject, round by round.
 */
async function measureTogether(suite, entries, options) {
  const { caseName } = entries[0];
  const definition = suite.cases[caseName];
  let answer;
  try {
    const { measure } = await import(
      new URL(`../${suite.name}/${definition.together}`, import.meta.url).href
    );
    const rounds = await measure(definition, options);
    answer = ({ subject }) => ({ rounds: rounds[subject], count: definition.unitCount });
  } catch (error) {
    answer = () => ({ rounds: [], failed: `${error.name}: ${error.message}` });
  }
  return entries.map((entry) => {
    const result = { ...entry, ...answer(entry) };
    logProblem(suite, entry, result);
    return result;
  });
}

/** Memory, allocation, first runs, spread of frames and bundle size: no rounds, each value from a fresh process. */
async function measureValues(suite, entries, options) {
  const measured = [];
  for (const entry of entries) {
    const { kind } = suite.cases[entry.caseName];
    const repeats = kind === "bundle" ? 1 : options.effort[kind === "first" ? "firstRuns" : "memoryRuns"];
    const rounds = [];
    const spreads = [];
    let answer;
    for (let i = 0; i < repeats; i++) {
      const worker = startWorker(options.engine, { isFirst: kind === "first" });
      answer = judged(suite, entry, await worker.ask(prepareMessage(suite, entry, options)));
      worker.stop();
      if (answer.value === undefined) break;
      rounds.push(answer.value);
      if (answer.spread !== undefined) spreads.push(answer.spread);
    }
    measured.push({ ...entry, ...answer, rounds, spreads });
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

/** What a peer may be unable to do, our own library must do: there it is a failure. */
function judged(suite, { subject }, answer) {
  if (answer.unable === undefined || suite.subjects[subject].role !== "own") return answer;
  return { failed: answer.unable };
}

function isFine({ failed, unable }) {
  return failed === undefined && unable === undefined;
}

function noteProblem(suite, entry, answer) {
  const { failed, unable } = judged(suite, entry, answer);
  if (isFine({ failed, unable })) return;
  Object.assign(entry, { failed, unable });
  logProblem(suite, entry, entry);
}

const told = new Set();

function logProblem(suite, { caseName, subject }, { failed, unable, skipped }) {
  if (unable !== undefined) log(`${suite.name} ${caseName} ${subject}: ${unable}`);
  if (failed !== undefined) log(`${suite.name} ${caseName} ${subject}: FAILED: ${failed}`);
  if (skipped === undefined || skipped === "no such case") return;
  const text = `${suite.name} ${subject}: left out: ${skipped}`;
  if (!told.has(text)) log(text);
  told.add(text);
}

function log(text) {
  console.error(text);
}
