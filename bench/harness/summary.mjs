/** From the rounds of every subject to one result each: the median, and how it compares. */

/**
 * One result per entry of `measured`.
 *
 * A ratio is the median over the rounds of the ratio within a round, not the ratio of two medians:
 * within a round both ran under the same load. Above 1 means this subject is the faster or smaller.
 *
 * A subject may be `byHand`: not a library but what people write instead of one; it is never the best
 * peer. A subject may also name the `limit` it is compared with.
 */
export function summarize(suite, measured) {
  return measured.map((entry) => {
    const { caseName, subject, failed, unable, skipped } = entry;
    const definition = suite.cases[caseName];
    const { role } = suite.subjects[subject];
    const kind = definition.kind ?? "time";
    const result = { suite: suite.name, case: caseName, subject, kind, role, unit: definition.unit };
    if (skipped !== undefined) return { ...result, skipped };
    if (failed !== undefined) return { ...result, failed };
    if (unable !== undefined) return { ...result, unable };
    const rivals = measured.filter((other) => other.caseName === caseName && hasResult(other));
    const peers = rivals.filter((other) => roleOf(suite, other) === "peer" && other !== entry);
    const bestPeer = best(peers.filter((other) => !suite.subjects[other.subject].byHand));
    const { limit: ownLimit } = suite.subjects[subject];
    const limit = best(
      rivals.filter(
        (other) => roleOf(suite, other) === "limit" && (ownLimit ?? other.subject) === other.subject,
      ),
    );
    return {
      ...result,
      value: median(entry.rounds),
      best: Math.min(...entry.rounds),
      rounds: entry.rounds.length,
      count: entry.count,
      bestPeer: bestPeer?.subject,
      vsBestPeer: bestPeer && medianRatio(bestPeer, entry),
      vsLimit: limit && medianRatio(limit, entry),
      vs: role === "own" ? ratiosTo(rivals, entry) : undefined,
      spread: spreadOf(entry),
    };
  });
}

/** Of a steady case: the medians over its processes of what each of them found. */
function spreadOf({ spreads = [] }) {
  if (spreads.length === 0) return undefined;
  return Object.fromEntries(
    Object.keys(spreads[0]).map((name) => [name, median(spreads.map((spread) => spread[name]))]),
  );
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

/** To every other subject of the case, by its name. */
function ratiosTo(rivals, entry) {
  const others = rivals.filter((other) => other !== entry);
  return Object.fromEntries(others.map((other) => [other.subject, medianRatio(other, entry)]));
}

function hasResult({ rounds, failed, unable }) {
  return rounds.length > 0 && failed === undefined && unable === undefined;
}

function roleOf(suite, entry) {
  return suite.subjects[entry.subject].role;
}
