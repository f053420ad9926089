/** The command line of the runner. */
import { parseArgs } from "node:util";

export const usage = `node bench/run.mjs [suite ...] [options]

  suite            folders of bench/ that hold a suite.mjs; all of them if none is named
  --quick          fewer and shorter rounds: good for a look, not for a claim
  --json           one line of JSON per result on stdout, nothing else
  --case <name>    only this case, or this family (interference runs interference/*); repeatable
  --subject <name> only this subject; repeatable
  --shared         one process runs every case of a subject before the measured one
`;

/** How much is measured: time per batch, number of rounds, time and runs to warm up. */
const full = { batchMs: 10, rounds: 31, warmMs: 800, warmRuns: 2000, memoryRuns: 3 };
const quick = { batchMs: 4, rounds: 11, warmMs: 300, warmRuns: 1500, memoryRuns: 1 };

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
    },
  });
  return {
    suites: positionals,
    cases: values.case.flatMap((names) => names.split(",")),
    subjects: values.subject.flatMap((names) => names.split(",")),
    effort: values.quick ? quick : full,
    json: values.json,
    shared: values.shared,
    help: values.help,
  };
}

/** Whether a case is asked for: by its name, or by the family in front of the slash. */
export function isWanted(name, wanted) {
  return wanted.length === 0 || wanted.includes(name) || wanted.includes(name.split("/")[0]);
}
