/** What a number becomes: the same for all, or each from what it is. */

/** `10`, or what `+=10` makes of each. */
export type NumberChange = number | ((now: number) => number);

export function changed(change: NumberChange, now: number): number {
  return typeof change === "number" ? change : change(now);
}

/** The same change for values that are shown in another unit: degrees of an angle that is kept in radians. */
export function inUnit(change: NumberChange, factor: number): NumberChange {
  if (typeof change === "number") return change / factor;
  return (now) => change(now * factor) / factor;
}
