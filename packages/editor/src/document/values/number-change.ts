/** A change of numbers: the same value for all, or each relative to its current value. */

/** `10`, or the function for `+=10`. */
export type NumberChange = number | ((now: number) => number);

export function changed(change: NumberChange, now: number): number {
  return typeof change === "number" ? change : change(now);
}

/** The same change for values that are shown in another unit: degrees of an angle that is kept in radians. */
export function inUnit(change: NumberChange, factor: number): NumberChange {
  if (typeof change === "number") return change / factor;
  return (now) => change(now * factor) / factor;
}
