/** `JSON.stringify` without recursion limits where it matters: results may hold what a scene holds. */
export function printInline(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ error: "The result is nested too deeply to be printed as JSON." });
  }
}
