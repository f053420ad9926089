/** Values as readable text: `x 40, y -60` and not JSON. */

export function worded(value: unknown): string {
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return withoutNoise([...(value as unknown as Iterable<unknown>)])
      .map(worded)
      .join(", ");
  return Object.entries(value)
    .map(([name, member]) => `${name} ${worded(member)}`)
    .join(", ");
}

/** Rounding errors beside much larger numbers, as in the matrix of a 90° rotation, count as 0. */
const NOISE = 1e-12;

function withoutNoise(list: readonly unknown[]): readonly unknown[] {
  const numbers = list.filter((one): one is number => typeof one === "number");
  const largest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return list.map((one) => (typeof one === "number" && Math.abs(one) < largest * NOISE ? 0 : one));
}

/** The same, with colours as `#rrggbb`. */
export function wordedAs(name: string, value: unknown): string {
  if (typeof value !== "number" || !/tint|color/i.test(name)) return worded(value);
  return `#${value.toString(16).padStart(6, "0")}`;
}
