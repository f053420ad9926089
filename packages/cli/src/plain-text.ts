/**
 * Makes texts of files safe for a terminal.
 */

/** The character that begins escape sequences. */
export const ESCAPE = String.fromCharCode(0x1b);

const BELL = 0x07;
const STRING_END = 0x9c;
/** Single characters that are equivalent to an escape and the next character. */
const CONTROL_SEQUENCE = 0x9b;
const STRINGS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);
/** Characters that change the writing direction. */
const DIRECTIONS: ReadonlySet<number> = new Set([
  0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
]);

/** The text without what a terminal would interpret: control characters and complete escape sequences. */
export function plainText(text: string): string {
  let plain = "";
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isCommand(code)) {
      at++;
      continue;
    }
    plain += text.slice(from, at);
    at = endOfCommand(text, at, code);
    from = at;
  }
  return from === 0 ? text : plain + text.slice(from);
}

/** The text with its middle left out, if it is longer than it may be. */
export function shortened(text: string, longest: number): string {
  const most = Math.floor(longest);
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  return `${text.slice(0, head)}…${text.slice(text.length - (most - 1 - head))}`;
}

function isCommand(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a;
  return (code >= 0x7f && code <= 0x9f) || DIRECTIONS.has(code);
}

/** The position after an escape sequence. */
function endOfCommand(text: string, at: number, code: number): number {
  if (code !== 0x1b) return endOf(text, at + 1, code);
  const next = text.charCodeAt(at + 1);
  // `ESC [` is the same as the one character for it, and so on.
  if (next >= 0x40 && next <= 0x5f) return endOf(text, at + 2, next + 0x40);
  return next >= 0x20 && next < 0x7f ? at + 2 : at + 1;
}

function endOf(text: string, from: number, kind: number): number {
  let at = from;
  if (kind === CONTROL_SEQUENCE) {
    while (text.charCodeAt(at) >= 0x20 && text.charCodeAt(at) < 0x40) at++;
    return text.charCodeAt(at) >= 0x40 && text.charCodeAt(at) < 0x7f ? at + 1 : at;
  }
  if (!STRINGS.has(kind)) return from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x1b) return at;
    if (code === BELL || code === STRING_END) return at + 1;
  }
  return at;
}
