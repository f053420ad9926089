/**
 * The smallest parts of JSON text: blanks and comments, strings, numbers, words.
 */

/** Something in the text that is not JSON. */
export interface Fault {
  readonly offset: number;
  /** What is wrong and what to do, as sentences. */
  readonly message: string;
}

export interface Token<Value> {
  readonly value: Value;
  /** Where the text goes on behind it. */
  readonly end: number;
}

/** The first place from `at` on that is neither blank nor comment. */
export function skipBlanks(text: string, at: number, faults: Fault[]): number {
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 10 || code === 13 || code === 9) {
      at++;
    } else if (code === 47 && text[at + 1] === "/") {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end + 1;
    } else if (code === 47 && text[at + 1] === "*") {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) faults.push({ offset: at, message: "This comment is never closed. End it with */." });
      at = end < 0 ? text.length : end + 2;
    } else if (code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029) {
      faults.push({
        offset: at,
        message: "There is an invisible character here. Replace it by a plain space.",
      });
      at++;
    } else {
      return at;
    }
  }
}

const escapes: { readonly [char: string]: string } = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** The string that begins at `at` with a quote. Ends at the line's end if it is never closed. */
export function readString(text: string, at: number, faults: Fault[]): Token<string> {
  const quote = text[at] as string;
  if (quote === "'") faults.push({ offset: at, message: 'Texts stand in double quotes: ".' });
  let value = "";
  let from = at + 1;
  let end = from;
  for (;;) {
    const char = text[end];
    if (char === quote) break;
    if (char === undefined || char === "\n") {
      faults.push({ offset: at, message: `This text is never closed. Add ${quote} at its end.` });
      const stop = text[end - 1] === "\r" ? end - 1 : end;
      return { value: value + text.slice(from, stop), end };
    }
    if (char === "\\") {
      value += text.slice(from, end);
      const escaped = readEscape(text, end, faults);
      value += escaped.value;
      from = end = escaped.end;
      continue;
    }
    if (char < " ") {
      const written = char === "\t" ? "\\t" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
      faults.push({ offset: end, message: `This text holds a control character. Write it as ${written}.` });
    }
    end++;
  }
  return { value: value + text.slice(from, end), end: end + 1 };
}

function readEscape(text: string, at: number, faults: Fault[]): Token<string> {
  const char = text[at + 1];
  const known = char === undefined ? undefined : escapes[char];
  if (known !== undefined) return { value: known, end: at + 2 };
  if (char === "u") {
    const digits = text.slice(at + 2, at + 6);
    if (/^[0-9a-fA-F]{4}$/.test(digits)) {
      return { value: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
    }
    faults.push({ offset: at, message: "\\u needs four hexadecimal digits behind it." });
    return { value: "", end: at + 2 };
  }
  const shown = char === undefined || char < " " ? "at the end of a line" : `before ${char}`;
  faults.push({
    offset: at,
    message: `A backslash ${shown} means nothing. Write \\\\ for the character itself.`,
  });
  return { value: "", end: at + 1 };
}

const numberLike = /[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d*)?|Infinity|NaN)/y;
const strictNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number at `at`; nothing if there is none. */
export function readNumber(text: string, at: number, faults: Fault[]): Token<number> | undefined {
  numberLike.lastIndex = at;
  const found = numberLike.exec(text)?.[0];
  if (found === undefined) return undefined;
  const end = at + found.length;
  if (strictNumber.test(found)) return { value: Number(found), end };
  const value = Number(found.replaceAll("_", "").replace(/[eE][+-]?$/, ""));
  const plain = Number.isFinite(value)
    ? `Write ${value}.`
    : `Write "${value}" in quotes where a float field should hold it.`;
  faults.push({ offset: at, message: `${found} is not how JSON writes numbers. ${plain}` });
  return { value: Number.isFinite(value) ? value : 0, end };
}

const wordLike = /[A-Za-z_$][\w$-]*/y;

/** The bare word at `at`, such as `true`; empty if there is none. */
export function readWord(text: string, at: number): string {
  wordLike.lastIndex = at;
  return wordLike.exec(text)?.[0] ?? "";
}
