/** What the program ends with, so that scripts can tell the cases apart. */
export const exitCodes = {
  /** Everything is well. */
  ok: 0,
  /** It did its work, and something is wrong with the files: they have problems. */
  problems: 1,
  /** It was called in a way it does not understand, or a file is not there. */
  usage: 2,
  /** It needs something that is not installed; the message says how to get it. */
  missing: 3,
  /** A fault of the program itself. */
  fault: 4,
} as const;

/** A number that the program ends with. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const codes = {
  [exitCodes.ok]: "cli/ok",
  [exitCodes.problems]: "cli/problems",
  [exitCodes.usage]: "cli/usage",
  [exitCodes.missing]: "cli/missing",
  [exitCodes.fault]: "cli/fault",
} as const;

/** Ends the program with a message and without a stack. */
export class Stop extends Error {
  /** The code that the process ends with. */
  readonly exitCode: ExitCode;
  /** For programs, as errors of the library have one. */
  readonly code: string;
  constructor(exitCode: ExitCode, message: string, code: string = codes[exitCode]) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

const facts = ["code", "problems", "nearest", "ids", "edits", "step"];

/** What a program can act on of an error, beside its message; of a step of a batch also what its own error says. */
export function factsOf(error: unknown): { readonly code: string; readonly [fact: string]: unknown } {
  const given = Object(error) as { readonly [fact: string]: unknown };
  const { code = codes[exitCodes.fault] } = given;
  const cause = (code === "verbs/failed-step" ? Object(given.cause) : {}) as typeof given;
  const known = facts.map((fact) => [fact, given[fact] ?? cause[fact]] as const);
  return { ...Object.fromEntries(known.filter(([, value]) => value !== undefined)), code: code as string };
}
