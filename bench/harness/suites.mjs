/**
 * Finding suites. A suite is a folder of bench/ with a `suite.mjs` that exports `subjects` and
 * `cases`; the files of the subjects are in the same folder.
 */
import { existsSync, readdirSync } from "node:fs";

const root = new URL("../", import.meta.url);

export async function loadSuites(names) {
  const known = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(suiteFile(entry.name)))
    .map((entry) => entry.name)
    .sort();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`No suite named ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  }
  return Promise.all((names.length > 0 ? names : known).map(loadSuite));
}

export async function loadSuite(name) {
  const { subjects, cases } = await import(suiteFile(name).href);
  return { name, subjects, cases };
}

/** The file that implements a subject, as an address to import. */
export function subjectFile(suite, subject) {
  return new URL(`${suite.name}/${suite.subjects[subject].file}`, root).href;
}

function suiteFile(name) {
  return new URL(`${name}/suite.mjs`, root);
}
