/** `JSON.stringify` with an error instead of a stack overflow: results may be as deep as a scene. */
export function printInline(value: unknown): string {
  try {
    // Characters that JSON allows unescaped, but a terminal would interpret.
    return JSON.stringify(value).replace(
      /[^\t\n -~\u00a0-\u200d\u2010-\u2029\u202f-\u2065\u206a-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify({ error: "The result is nested too deeply to be printed as JSON." });
  }
}
