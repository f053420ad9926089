/** Longer texts lose their middle in messages: names and ids may come from a file and have any length. */
const longest = 100;

/** A text for a message. */
export function shortText(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, 60)}…${text.slice(-39)}`;
}
