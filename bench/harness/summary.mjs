/** From the rounds of every subject to one result each: the median, and how it compares. */

/**
 * One result per entry of `measured`.
 *
 * A ratio is the median over the rounds of the ratio within a round, not the ratio of two medians:
 * both sides of a round saw the same machine. Above 1 means this subject is the faster or smaller.
 */
export function summarize(suite, measured) {
  return measured.map((entry) => {
    const { caseName, subject, failed, skipped } = entry;
    const definition = suite.cases[caseName];
    const { role } = suite.subjects[subject];
    const kind = definition.kind ?? "time";
    const result = { suite: suite.name, case: caseName, subject, kind, role, unit: definition.unit };
    if (skipped !== undefined) return { ...result, skipped };
    if (failed !== undefined) return { ...result, failed };
    const rivals = measured.filter(
      (other) => other.caseName === caseName && other.rounds.length > 0 && other.failed === undefined,
    );
    const bestPeer = best(rivals.filter((other) => roleOf(suite, other) === "peer" && other !== entry));
    const limit = best(rivals.filter((other) => roleOf(suite, other) === "limit"));
    return {
      ...result,
      value: median(entry.rounds),
      best: Math.min(...entry.rounds),
      rounds: entry.rounds.length,
      bestPeer: bestPeer?.subject,
      vsBestPeer: bestPeer && medianRatio(bestPeer, entry),
      vsLimit: limit && medianRatio(limit, entry),
    };
  });
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function best(entries) {
  return entries.reduce(
    (winner, entry) => (!winner || median(entry.rounds) < median(winner.rounds) ? entry : winner),
    undefined,
  );
}

function medianRatio(other, entry) {
  const rounds = Math.min(other.rounds.length, entry.rounds.length);
  return median(Array.from({ length: rounds }, (_, i) => other.rounds[i] / entry.rounds[i]));
}

function roleOf(suite, entry) {
  return suite.subjects[entry.subject].role;
}
