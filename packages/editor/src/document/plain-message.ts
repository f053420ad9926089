/**
 * A message of the library for people who do not program: without the numbers of named entities and without codes, and only the first of a
 * list of problems.
 */
export function plainMessage(text: string): string {
  const [what = "", first] = text.split("\n");
  const shown = first === undefined || first.trim() === "" ? what : `${what} ${first.trim()}`;
  return shown
    .replace(/(?<=[^\s("'/])#\d+(?:v\d+)?/g, "")
    .replace(/\s*\[[a-z-]+\/[a-z0-9-]+\](?=\s|$)/g, "")
    .trim();
}
