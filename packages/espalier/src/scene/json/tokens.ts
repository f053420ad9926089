/**
 * The smallest parts of JSON text: whitespace and comments, strings, numbers, words.
 */

import { shortText } from "../../ecs/internal.ts";

/** Something in the text that is not JSON. */
export interface Fault {
  readonly offset: number;
  /** What is wrong and what to do, as sentences. */
  readonly message: string;
}

/** More would only repeat the same error. */
export const mostFaults = 100;

const numberLike = /[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d*)?|Infinity|NaN)/y;
const strictNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const wordLike = /[A-Za-z_$][\w$-]*/y;

/** An offset in a text, which advances past what is read, and the faults found on the way. */
export class Tokens {
  readonly text: string;
  readonly faults: Fault[] = [];
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  fault(message: string, offset = this.at): void {
    if (this.faults.length < mostFaults) this.faults.push({ offset, message });
  }

  /** Advances to the next character that is neither whitespace nor in a comment, and returns it; `undefined` at the end. */
  next(): string | undefined {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.at);
      if (code === 32 || code === 10 || code === 13 || code === 9) {
        this.at++;
      } else if (code === 47 && text[this.at + 1] === "/") {
        const end = text.indexOf("\n", this.at);
        this.at = end < 0 ? text.length : end + 1;
      } else if (code === 47 && text[this.at + 1] === "*") {
        const end = text.indexOf("*/", this.at + 2);
        if (end < 0) this.fault("This comment is never closed. End it with */.");
        this.at = end < 0 ? text.length : end + 2;
      } else if (code === 0xa0 || code === 0xfeff || code === 0x2028 || code === 0x2029) {
        this.fault("There is an invisible character here. Replace it with a plain space.");
        this.at++;
      } else {
        return text[this.at];
      }
    }
  }

  /** The string that begins here; `undefined` if there is none. Ends at the end of the line if it is never closed. */
  string(): string | undefined {
    const { text, at: start } = this;
    const quote = text[start];
    if (quote !== '"' && quote !== "'") return undefined;
    if (quote === "'") this.fault('Strings are written in double quotes: ".');
    let value = "";
    let from = ++this.at;
    for (;;) {
      const char = text[this.at];
      if (char === undefined || char === "\n") {
        this.fault(`This string is never closed. Add ${quote} at its end.`, start);
        return value + text.slice(from, text[this.at - 1] === "\r" ? this.at - 1 : this.at);
      }
      if (char === "\\") {
        value += text.slice(from, this.at) + this.escape();
        from = this.at;
        continue;
      }
      if (char < " ") {
        const written = char === "\t" ? "\\t" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
        this.fault(`This string contains a control character. Write it as ${written}.`);
      }
      this.at++;
      if (char === quote) return value + text.slice(from, this.at - 1);
    }
  }

  private escape(): string {
    const { text, at } = this;
    const char = text[at + 1] ?? "";
    const isCode = char === "u";
    const end = at + (isCode ? 6 : 2);
    try {
      const value = JSON.parse(`"${text.slice(at, end)}"`) as string;
      this.at = end;
      return value;
    } catch {
      const shown = char < " " ? "at the end of a line" : `before ${char}`;
      this.fault(
        isCode
          ? "\\u needs four hexadecimal digits after it."
          : `A backslash ${shown} means nothing. Write \\\\ for the character itself.`,
      );
      this.at += isCode ? 2 : 1;
      return "";
    }
  }

  /** The number that begins here; `undefined` if there is none. */
  number(): number | undefined {
    const found = this.match(numberLike);
    if (found === "") return undefined;
    let value = Number(found);
    if (!strictNumber.test(found)) {
      value = Number(found.replaceAll("_", "").replace(/[eE][+-]?$/, ""));
      const plain = Number.isFinite(value)
        ? `Write ${value}.`
        : `Write "${value}" in quotes where a float field should hold it.`;
      this.fault(`${shortText(found)} is not how JSON writes numbers. ${plain}`, this.at - found.length);
      if (!Number.isFinite(value)) return 0;
    }
    return value;
  }

  /** The bare word that begins here, such as `true`; empty if there is none. */
  word(): string {
    return this.match(wordLike);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }
}
