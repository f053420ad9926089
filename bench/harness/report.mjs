/** Results as lines of JSON, and as tables to read. */

/** One result as one line: suite, case, subject and the number first, the rest after it. */
export function jsonLine(result) {
  const { suite, case: caseName, subject, kind, unit, role } = result;
  const measure = kind === "time" ? "ns" : "bytes";
  const line = { suite, case: caseName, subject, [measure]: null, unit, role };
  if (result.failed !== undefined) return JSON.stringify({ ...line, failed: result.failed });
  return JSON.stringify({
    ...line,
    [measure]: round(result.value),
    best: round(result.best),
    rounds: result.rounds,
    bestPeer: result.bestPeer,
    vsBestPeer: round(result.vsBestPeer),
    vsLimit: round(result.vsLimit),
  });
}

export function printTables(suite, results) {
  printKind(suite, results, "time", "ns per unit, median of the rounds; smaller is better");
  printKind(suite, results, "memory", "bytes per unit");
  printKind(suite, results, "bundle", "bytes of the core import, minified and gzipped");
}

function printKind(suite, results, kind, title) {
  const wanted = results.filter((result) => result.kind === kind && result.skipped === undefined);
  if (wanted.length === 0) return;
  const cases = unique(wanted.map((result) => result.case));
  const subjects = unique(wanted.map((result) => result.subject));
  const cell = (subject, name, pick) => {
    const result = wanted.find((one) => one.subject === subject && one.case === name);
    if (result === undefined) return "-";
    return result.failed !== undefined ? "FAILED" : pick(result);
  };
  console.log(`\n${suite.name}: ${title}`);
  printRows([
    ["", ...cases],
    ...subjects.map((subject) => [
      subject,
      ...cases.map((name) => cell(subject, name, ({ value }) => format(value))),
    ]),
  ]);
  console.log("\nBest peer, and how many times as good each subject is as it / as the limit");
  printRows([
    ["", ...cases],
    ["best peer", ...cases.map((name) => bestPeerOf(wanted, name))],
    ...subjects.map((subject) => [
      subject,
      ...cases.map((name) =>
        cell(subject, name, ({ vsBestPeer, vsLimit }) => `${times(vsBestPeer)} / ${times(vsLimit)}`),
      ),
    ]),
  ]);
}

function bestPeerOf(results, name) {
  const peers = results.filter(
    (result) => result.case === name && result.role === "peer" && result.failed === undefined,
  );
  peers.sort((a, b) => a.value - b.value);
  return peers[0]?.subject ?? "-";
}

function printRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i])));
    console.log(cells.join("  ").trimEnd());
  }
}

function times(ratio) {
  return ratio === undefined ? "-" : ratio < 9.95 ? ratio.toFixed(2) : ratio.toFixed(0);
}

function format(value) {
  return value >= 1000 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function round(value) {
  return value === undefined ? undefined : Number(value.toPrecision(4));
}

function unique(values) {
  return [...new Set(values)];
}
