/** `JSON.stringify` without recursion limits where it matters: results may hold what a scene holds. */
export function printInline(value: unknown): string {
  try {
    // What JSON may hold as it is, and a terminal would obey.
    return JSON.stringify(value).replace(
      /[^\t\n -~\u00a0-\u200d\u2010-\u2029\u202f-\u2065\u206a-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ error: "The result is nested too deeply to be printed as JSON." });
  }
}
