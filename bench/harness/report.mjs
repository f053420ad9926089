/** Results as lines of JSON, and as tables to read. */

/** One result as one line: suite, case, subject and the number first, the rest after it. */
export function jsonLine(result) {
  const { suite, case: caseName, subject, kind, unit, role } = result;
  const measure = ["time", "first", "steady"].includes(kind) ? "ns" : "bytes";
  const line = { suite, case: caseName, subject, [measure]: null, unit, role };
  if (result.failed !== undefined) return JSON.stringify({ ...line, failed: result.failed });
  if (result.unable !== undefined) return JSON.stringify({ ...line, unable: result.unable });
  return JSON.stringify({
    ...line,
    [measure]: round(result.value),
    best: round(result.best),
    rounds: result.rounds,
    count: result.count,
    bestPeer: result.bestPeer,
    vsBestPeer: round(result.vsBestPeer),
    vsLimit: round(result.vsLimit),
    ...roundedSpread(result),
    vs:
      result.vs && Object.fromEntries(Object.entries(result.vs).map(([name, ratio]) => [name, round(ratio)])),
  });
}

/** Of a whole frame, not of a unit: nanoseconds, and bytes. */
function roundedSpread({ spread }) {
  if (spread === undefined) return undefined;
  return { frame: Object.fromEntries(Object.entries(spread).map(([name, value]) => [name, round(value)])) };
}

export function printTables(suite, results) {
  printKind(suite, results, "time", "ns per unit, median of the rounds; smaller is better");
  printKind(suite, results, "first", "ns per unit in the first run of a process; smaller is better");
  printKind(suite, results, "steady", "ns of processor time per unit, median of the frames");
  printSpreads(suite, results);
  printKind(suite, results, "memory", "bytes per unit");
  printKind(suite, results, "allocation", "bytes of garbage per unit");
  printKind(suite, results, "bundle", "bytes of the core import, minified and gzipped");
}

function printKind(suite, results, kind, title) {
  const wanted = results.filter((result) => result.kind === kind && result.skipped === undefined);
  if (wanted.length === 0) return;
  for (const cases of columnsOf(unique(wanted.map((result) => result.case)))) {
    printTable(suite, wanted, cases, title);
  }
}

/** Whole frames: how long, how even, and how much garbage. */
function printSpreads(suite, results) {
  for (const name of unique(results.filter(({ spread }) => spread).map((result) => result.case))) {
    console.log(`\n${suite.name} ${name}: processor time of a frame in µs, and bytes it allocates`);
    printRows([
      ["", "median", "p95", "p99", "worst", "p95/median", "p99/median", "bytes"],
      ...results
        .filter((result) => result.case === name && result.spread)
        .map(({ subject, value, count, spread: { p95, p99, worst, bytes } }) => {
          const whole = value * count;
          const times = [whole, p95, p99, worst].map((ns) => (ns / 1000).toFixed(0));
          return [subject, ...times, (p95 / whole).toFixed(2), (p99 / whole).toFixed(2), bytes.toFixed(0)];
        }),
    ]);
  }
}

/** Cases side by side until the table is wide; a family (the part before the slash) stays together. */
function columnsOf(cases) {
  const tables = [];
  for (const family of unique(cases.map(familyOf))) {
    const members = cases.filter((name) => familyOf(name) === family);
    const last = tables.at(-1);
    if (last && last.length + members.length <= maxColumns) last.push(...members);
    else tables.push(members);
  }
  return tables;
}

const maxColumns = 12;

function familyOf(name) {
  return name.split("/")[0];
}

function printTable(suite, results, cases, title) {
  const subjects = unique(
    results.filter((result) => cases.includes(result.case)).map((result) => result.subject),
  );
  const cell = (subject, name, pick) => {
    const result = results.find((one) => one.subject === subject && one.case === name);
    if (result === undefined) return "-";
    return result.failed !== undefined ? "FAILED" : (result.unable ?? pick(result));
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
    ["best peer", ...cases.map((name) => bestPeerOf(suite, results, name))],
    ...subjects.map((subject) => [
      subject,
      ...cases.map((name) =>
        cell(subject, name, ({ vsBestPeer, vsLimit }) => `${times(vsBestPeer)} / ${times(vsLimit)}`),
      ),
    ]),
  ]);
}

function bestPeerOf(suite, results, name) {
  const peers = results.filter(
    ({ case: caseName, role, subject, value }) =>
      caseName === name && role === "peer" && value !== undefined && !suite.subjects[subject].byHand,
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
  if (value !== 0 && value < 0.01) return value.toPrecision(2);
  return value >= 1000 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

function round(value) {
  return value === undefined ? undefined : Number(value.toPrecision(4));
}

function unique(values) {
  return [...new Set(values)];
}
