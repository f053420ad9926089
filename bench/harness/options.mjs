/** The command line of the runner. */
import { parseArgs } from "node:util";

export const usage = `node bench/run.mjs [suite ...] [options]

  suite            folders of bench/ that hold a suite.mjs; all of them if none is named
  --quick          fewer and shorter rounds, fewer cases unless they are named: good for a look, not
                   for a claim
  --json           one line of JSON per result on stdout, nothing else
  --case <name>    only this case, or this family (interference runs interference/*); repeatable
  --subject <name> only this subject; repeatable
  --only <prefix>  only the subjects whose names begin so: --only espalier; repeatable
  --scaling        in place of the usual cases those that show how they grow with the number of entities
  --engine <name>  node (the one that runs this), node24 or bun: what runs the subjects
  --shared         one process runs every case of a subject before the measured one
`;

/**
 * How much is measured: time per batch, number of rounds, time and runs to warm up. A subject that has
 * spent `budgetMs` on its rounds stops after the third or later one.
 */
const full = {
  batchMs: 10,
  rounds: 31,
  warmMs: 800,
  warmRuns: 2000,
  memoryRuns: 3,
  firstRuns: 15,
  budgetMs: 8000,
};
const quick = {
  batchMs: 4,
  rounds: 11,
  warmMs: 300,
  warmRuns: 1500,
  memoryRuns: 1,
  firstRuns: 5,
  budgetMs: 1000,
};

export function parseOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      shared: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
      case: { type: "string", multiple: true, default: [] },
      subject: { type: "string", multiple: true, default: [] },
      only: { type: "string", multiple: true, default: [] },
      scaling: { type: "boolean", default: false },
      engine: { type: "string", default: "node" },
    },
  });
  return {
    suites: positionals,
    cases: values.case.flatMap((names) => names.split(",")),
    subjects: values.subject.flatMap((names) => names.split(",")),
    only: values.only.flatMap((names) => names.split(",")),
    scaling: values.scaling,
    engine: values.engine,
    effort: values.quick ? quick : full,
    quick: values.quick,
    json: values.json,
    shared: values.shared,
    help: values.help,
  };
}

/**
 * Whether a case is asked for: by its name, or by the family in front of the slash. If none is named,
 * a quick run leaves out those with `quick: false`. Those with `scaling` are for --scaling, the others are not.
 */
export function isWanted(name, { quick: isQuick = true, scaling = false }, options) {
  const { cases } = options;
  if (cases.includes(name) && (scaling || !options.scaling)) return true;
  if (options.scaling !== scaling) return false;
  if (cases.length === 0) return !options.quick || isQuick !== false;
  return cases.includes(name.split("/")[0]);
}

/** Whether a subject takes part in a case: `quick` may name those of the quick run. */
export function takesPart(subject, { quick: quickSubjects }, options) {
  if (options.only.length > 0 && !options.only.some((prefix) => subject.startsWith(prefix))) return false;
  if (options.subjects.length > 0) return options.subjects.includes(subject);
  if (!options.quick || options.cases.length > 0 || !Array.isArray(quickSubjects)) return true;
  return quickSubjects.includes(subject);
}
