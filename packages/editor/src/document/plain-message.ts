/** A message of the library for people who do not program: without the numbers of entities, and without its code. */
export function plainMessage(text: string): string {
  return text.replace(/(?<=\S)#\d+(?:v\d+)?/g, "").replace(/\s*\[[a-z-]+\/[a-z0-9-]+\]\s*$/, "");
}
