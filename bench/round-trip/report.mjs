/** The report for people: how many files of each outcome, and the most frequent losses. */
const outcomes = {
  equal: "the second import equals the first",
  listed: "differs, and the export listed what was not carried",
  unlisted: "differs, and nothing was listed",
  incomplete: "not tried: instances of files that are not there",
  refused: "not tried: the import refused the file",
  failed: "an error in the export or in the second import",
};
const most = 25;

export function printReport(results) {
  console.log(`${results.length} files`);
  for (const [outcome, words] of Object.entries(outcomes)) {
    const own = results.filter((result) => result.outcome === outcome);
    if (own.length > 0) console.log(`  ${String(own.length).padStart(5)} ${outcome}: ${words}`);
  }
  for (const { file, outcome, why, lost = [] } of results) {
    if (outcome === "equal") continue;
    console.log(`\n${file}: ${outcome}${why === undefined ? "" : `: ${why}`}`);
    for (const what of lost.slice(0, most)) console.log(`  ${what}`);
    if (lost.length > most) console.log(`  … and ${lost.length - most} more`);
  }
  printCounts(
    "Not carried by the export",
    results.flatMap(({ lost = [] }) => lost),
  );
  printCounts(
    "Not taken by the import",
    results.flatMap(({ unmapped = [] }) => unmapped.map(kindOf)),
  );
}

/** Losses of one kind differ in names and numbers. */
function kindOf(what) {
  return what.replace(/"[^"]*"|\S*[\d/:_]\S*/g, "…").replace(/^signal .*/, "signal connections");
}

function printCounts(title, all) {
  const counts = new Map();
  for (const what of all) counts.set(what, (counts.get(what) ?? 0) + 1);
  if (counts.size === 0) return;
  console.log(`\n${title}:`);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  for (const [what, count] of sorted.slice(0, most)) console.log(`  ${String(count).padStart(5)} ${what}`);
}
