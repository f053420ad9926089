/**
 * The longest increasing subsequence: which items of a list can stay where they are when the list is sorted.
 */

/** Marks, by position, one longest increasing subsequence of `values`. Negative values are ignored. O(n log n). */
export function longestIncreasing(values: ArrayLike<number>): Uint8Array {
  const { length } = values;
  // Chains have a million lists with one item.
  if (length === 1) return Uint8Array.of((values[0] as number) < 0 ? 0 : 1);
  const marks = new Uint8Array(length);
  /** By length: the position with the smallest value that ends an increasing subsequence of that length. */
  const ends = new Int32Array(length);
  const before = new Int32Array(length).fill(-1);
  let longest = 0;
  for (let at = 0; at < length; at++) {
    const value = values[at] as number;
    if (value < 0) continue;
    let low = 0;
    // Lists are mostly sorted already: check the end first.
    if (longest > 0 && (values[ends[longest - 1] as number] as number) < value) low = longest;
    let high = longest;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = ends[low - 1] as number;
    ends[low] = at;
    if (low === longest) longest++;
  }
  for (let at = longest === 0 ? -1 : (ends[longest - 1] as number); at >= 0; at = before[at] as number) {
    marks[at] = 1;
  }
  return marks;
}
