/**
 * The text of Godot scenes (`.tscn`, formats 2 to 4): sections with attributes and properties. Nothing recurses.
 */
import { emptyRecord } from "./imported.ts";

/** A value of Godot. Types that JSON lacks are objects with the name of the type: `{ "Vector2": [1, 2] }`. */
export type GodotValue =
  | null
  | boolean
  | number
  | string
  | readonly GodotValue[]
  | { readonly [key: string]: GodotValue };

export interface Section {
  /** `node`, `ext_resource`, … */
  readonly kind: string;
  readonly line: number;
  readonly attributes: { readonly [name: string]: GodotValue };
  readonly properties: { readonly [name: string]: GodotValue };
}

/** A text that is not a scene of Godot. */
export class TscnError extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export function parseTscn(text: string): Section[] {
  return new Parser(text).run();
}

/** How deeply lists and dictionaries may be nested, so that a text of brackets cannot use up all memory. */
const deepest = 1_000_000;

const noScene = "A scene of Godot begins with [gd_scene …].";

interface Open {
  readonly kind: "list" | "dictionary" | "call";
  readonly name: string;
  readonly items: GodotValue[];
  /** Keys of a dictionary, parallel to its items. */
  readonly keys: string[];
}

class Parser {
  private readonly text: string;
  private at = 0;
  // Lines are counted incrementally, because every section needs its line.
  private counted = 0;
  private lines = 1;

  constructor(text: string) {
    this.text = text;
  }

  run(): Section[] {
    const sections: {
      kind: string;
      line: number;
      attributes: object;
      properties: { [name: string]: GodotValue };
    }[] = [];
    for (;;) {
      this.skip();
      if (this.at >= this.text.length) {
        if (sections.length === 0) throw this.error(noScene);
        return sections as Section[];
      }
      if (this.text[this.at] === "[") {
        sections.push(this.header());
        if (sections[0]?.kind !== "gd_scene") throw this.error(noScene);
        continue;
      }
      const section = sections.at(-1);
      if (section === undefined) throw this.error(noScene);
      const name = this.name("=");
      section.properties[name] = this.value();
    }
  }

  private header() {
    const line = this.line();
    this.at++;
    const kind = this.word();
    const attributes = emptyRecord<GodotValue>();
    for (;;) {
      this.skip();
      if (this.text[this.at] === "]") {
        this.at++;
        return { kind, line, attributes, properties: emptyRecord<GodotValue>() };
      }
      if (this.at >= this.text.length) throw this.error("This section is never closed. Add ].");
      const name = this.name("=");
      attributes[name] = this.value();
    }
  }

  /** Reads text up to `end`, which is skipped. */
  private name(end: string): string {
    this.skip();
    const from = this.at;
    const found = this.text.indexOf(end, from);
    const lineEnd = this.text.indexOf("\n", from);
    if (found < 0 || (lineEnd >= 0 && lineEnd < found)) throw this.error(`Expected name${end}value.`);
    this.at = found + end.length;
    return this.text
      .slice(from, found)
      .trim()
      .replace(/^"(.*)"$/, "$1");
  }

  /** A value with everything inside it. */
  private value(): GodotValue {
    const open: Open[] = [];
    for (;;) {
      this.skip();
      const top = open.at(-1);
      const closer = top === undefined ? "" : top.kind === "list" ? "]" : top.kind === "call" ? ")" : "}";
      let value: GodotValue;
      if (top !== undefined && this.text[this.at] === closer) {
        this.at++;
        open.pop();
        value = closed(top);
      } else {
        if (top?.kind === "dictionary") {
          top.keys.push(this.key());
          this.expect(":");
          this.skip();
        }
        const opened = this.opening();
        if (opened !== undefined) {
          if (open.push(opened) > deepest)
            throw this.error(`This value is nested more than ${deepest.toLocaleString("en")} levels deep.`);
          continue;
        }
        value = this.scalar();
      }
      const outer = open.at(-1);
      if (outer === undefined) return value;
      outer.items.push(value);
      this.skip();
      if (this.text[this.at] === ",") this.at++;
    }
  }

  private opening(): Open | undefined {
    // An array may have a script as its type: Array[ExtResource("1")]([]).
    const rest = /[A-Za-z_][\w]*(?:\[(?:[\w., ]|\(\s*(?:"[^"]*"|\d+)\s*\))+\])?\s*\(|\[|\{/y;
    rest.lastIndex = this.at;
    const found = rest.exec(this.text)?.[0];
    if (found === undefined) return undefined;
    this.at += found.length;
    const kind = found === "[" ? "list" : found === "{" ? "dictionary" : "call";
    return { kind, name: kind === "call" ? found.slice(0, -1).trim() : "", items: [], keys: [] };
  }

  /** The key of a dictionary: a string as it is, anything else as it is written. */
  private key(): string {
    this.skip();
    const call = /[A-Za-z_]\w*\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)/y;
    call.lastIndex = this.at;
    const found = call.exec(this.text)?.[0];
    if (found !== undefined) {
      this.at += found.length;
      return found.replace(/\s+/g, " ");
    }
    const isText = /[&"]/.test(this.text[this.at] ?? "");
    const key = this.scalar();
    if (typeof key === "object" && key !== null)
      return `NodePath(${JSON.stringify(Object(key).NodePath[0])})`;
    return isText && !isPlainKey(key as string) ? JSON.stringify(key) : String(key);
  }

  private scalar(): GodotValue {
    this.skip();
    const char = this.text[this.at];
    if (char === '"') return this.string();
    if ((char === "&" || char === "^") && this.text[this.at + 1] === '"') {
      this.at++;
      const value = this.string();
      return char === "&" ? value : { NodePath: [value] };
    }
    const number = /[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)/y;
    number.lastIndex = this.at;
    const digits = number.exec(this.text)?.[0];
    if (digits !== undefined) {
      this.at += digits.length;
      if (digits.includes("inf")) return digits.startsWith("-") ? "-Infinity" : "Infinity";
      if (digits.includes("nan")) return "NaN";
      const value = Number(digits);
      return Number.isFinite(value) ? value : String(value);
    }
    const word = this.word();
    if (word === "true" || word === "false") return word === "true";
    if (word === "null" || word === "nil") return null;
    if (word === "inf" || word === "nan") return word === "inf" ? "Infinity" : "NaN";
    if (word === "") throw this.error(`Expected a value, found ${JSON.stringify(char ?? "the end")}.`);
    return word;
  }

  private string(): string {
    let value = "";
    let from = ++this.at;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined) throw this.error('This string is never closed. Add ".');
      if (char === '"') break;
      if (char === "\\") {
        value += this.text.slice(from, this.at);
        value += this.escaped();
        from = this.at;
        continue;
      }
      this.at++;
    }
    value += this.text.slice(from, this.at);
    this.at++;
    return value;
  }

  /** The character after a backslash. */
  private escaped(): string {
    const char = this.text[this.at + 1] ?? "";
    const digits = char === "u" ? 4 : char === "U" ? 6 : 0;
    const code = this.text.slice(this.at + 2, this.at + 2 + digits);
    if (digits > 0 && code.length === digits && /^[0-9a-fA-F]+$/.test(code)) {
      this.at += 2 + digits;
      // The halves of a surrogate pair come as two escapes of four digits and combine.
      return digits === 4
        ? String.fromCharCode(Number.parseInt(code, 16))
        : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    }
    this.at += 2;
    return escapes[char] ?? char;
  }

  private word(): string {
    const pattern = /[A-Za-z_][\w./]*/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private expect(char: string): void {
    this.skip();
    if (this.text[this.at] !== char) throw this.error(`Expected ${char}.`);
    this.at++;
  }

  /** Skips whitespace and comments. */
  private skip(): void {
    const pattern = /(?:\s|;[^\n]*)*/y;
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.text)?.[0].length ?? 0;
  }

  private line(): number {
    for (;;) {
      const end = this.text.indexOf("\n", this.counted);
      if (end < 0 || end >= this.at) return this.lines;
      this.counted = end + 1;
      this.lines++;
    }
  }

  private error(message: string): TscnError {
    return new TscnError(this.line(), message);
  }
}

/** Whether a key is a plain string: not the text of a number, a keyword of Godot, a call or a quoted string. */
export function isPlainKey(key: string): boolean {
  if (/^(true|false|null)$|^[A-Za-z_]\w*\(.*\)$/s.test(key) || String(Number(key)) === key) return false;
  return unquotedKey(key) === undefined;
}

/** The string of a key in quotes; `undefined` for other keys. */
export function unquotedKey(key: string): string | undefined {
  if (!key.startsWith('"')) return undefined;
  try {
    return String(JSON.parse(key));
  } catch {
    return undefined;
  }
}

function closed({ kind, name, items, keys }: Open): GodotValue {
  if (kind === "list") return items;
  const made = emptyRecord<GodotValue>();
  if (kind === "call") made[name] = items;
  else for (let k = 0; k < keys.length; k++) made[keys[k] as string] = items[k] ?? null;
  return made;
}

const escapes: { readonly [char: string]: string } = {
  __proto__: null as never,
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
};
