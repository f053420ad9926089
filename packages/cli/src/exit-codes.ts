/** Exit codes, so that scripts can distinguish the cases. */
export const exitCodes = {
  /** Success. */
  ok: 0,
  /** The program worked, but the files have problems. */
  problems: 1,
  /** Wrong usage, or a file does not exist. */
  usage: 2,
  /** A required package is not installed; the message says how to get it. */
  missing: 3,
  /** An internal error. */
  fault: 4,
} as const;

/** An exit code of the program. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const codes = {
  [exitCodes.ok]: "cli/ok",
  [exitCodes.problems]: "cli/problems",
  [exitCodes.usage]: "cli/usage",
  [exitCodes.missing]: "cli/missing",
  [exitCodes.fault]: "cli/fault",
} as const;

/** Ends the program with a message, without a stack trace. */
export class Stop extends Error {
  /** The exit code of the process. */
  readonly exitCode: ExitCode;
  /** The error code for programs, as in errors of the library. */
  readonly code: string;
  constructor(exitCode: ExitCode, message: string, code: string = codes[exitCode]) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}

const facts = ["code", "problems", "nearest", "ids", "edits", "step"];

/** The facts of an error that a program can act on; for a step of a batch, including those of its own error. */
export function factsOf(error: unknown): { readonly code: string; readonly [fact: string]: unknown } {
  const given = Object(error) as { readonly [fact: string]: unknown };
  const { code = codes[exitCodes.fault] } = given;
  const cause = (code === "verbs/failed-step" ? Object(given.cause) : {}) as typeof given;
  const known = facts.map((fact) => [fact, given[fact] ?? cause[fact]] as const);
  return { ...Object.fromEntries(known.filter(([, value]) => value !== undefined)), code: code as string };
}
