/**
 * The output of the program: results to stdout, notes about the work to stderr.
 */
import { ESCAPE, plainText } from "./plain-text.ts";
import { printInline } from "./print-json.ts";

export interface OutputOptions {
  readonly json: boolean;
  /** If undefined, the terminal, NO_COLOR and FORCE_COLOR decide. */
  readonly color: boolean | undefined;
}

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

const codes: { readonly [S in Style]: readonly [number, number] } = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** The escape sequences that `style` writes. */
const ownStyles = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|32|33|36|39)m)`);

/** The size of a text that takes noticeable time to process. */
const longText = 2_000_000;

export class Output {
  readonly isJson: boolean;
  private readonly hasColor: boolean;
  private progressShown = false;
  private readonly startedAt = Date.now();

  constructor(options: OutputOptions) {
    this.isJson = options.json;
    this.hasColor = !options.json && (options.color ?? wantsColor());
  }

  /** A line of the result. */
  line(text = ""): void {
    this.clearProgress();
    process.stdout.write(`${this.clean(text)}\n`);
  }

  /** Writes the result unchanged. */
  text(text: string): void {
    this.clearProgress();
    process.stdout.write(text);
  }

  /** The whole result as one line of JSON. */
  json(value: unknown): void {
    this.clearProgress();
    process.stdout.write(`${printInline(value)}\n`);
  }

  /** A remark that is not part of the result. */
  note(text: string): void {
    this.clearProgress();
    process.stderr.write(`${this.clean(text)}\n`);
  }

  /** How many characters of a text from a file are shown in one line. */
  get width(): number {
    return Math.max(40, process.stdout.columns ?? 160);
  }

  /** Only the requested colours reach the terminal. */
  private clean(text: string): string {
    const parts = this.hasColor ? text.split(ownStyles) : [text];
    return parts.map((part, k) => (k % 2 === 1 ? part : plainText(part))).join("");
  }

  style(style: Style, text: string): string {
    if (!this.hasColor) return text;
    const [on, off] = codes[style];
    return `\u001b[${on}m${plainText(text)}\u001b[${off}m`;
  }

  /**
   * Shows the current activity: on a terminal, and only when it takes long.
   *
   * @param size - The number of characters that are about to be processed at once.
   */
  progress(text: string, size = 0): void {
    if (!process.stderr.isTTY || this.isJson) return;
    if (size < longText && Date.now() - this.startedAt < 300) return;
    process.stderr.write(`\r\u001b[2K${this.style("dim", text)}`);
    this.progressShown = true;
  }

  clearProgress(): void {
    if (!this.progressShown) return;
    process.stderr.write("\r\u001b[2K");
    this.progressShown = false;
  }
}

function wantsColor(): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return process.stdout.isTTY === true && TERM !== "dumb";
}
