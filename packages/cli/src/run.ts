/**
 * Runs a command from its arguments, and turns the outcome into an exit code.
 */
import { CommanderError } from "commander";
import { EspalierError } from "espalier";
import { type ExitCode, exitCodes, factsOf, Stop } from "./exit-codes.ts";
import { whyNot } from "./files.ts";
import { plainText, shortened } from "./plain-text.ts";
import { printInline } from "./print-json.ts";
import { createProgram } from "./program.ts";

/** Runs the command line. Returns the exit code; never ends the process itself. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  if (!process.stdout.listeners("error").includes(ignoreClosedPipe)) {
    process.stdout.on("error", ignoreClosedPipe);
  }
  let exitCode: ExitCode = exitCodes.ok;
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== "string")) {
    process.stderr.write("Cannot run the command line: its arguments are an array of strings.\n");
    return exitCodes.usage;
  }
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.ok;
    }
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.exitCode === exitCodes.ok) return exitCodes.ok;
    if (args.includes("--json")) {
      const { message, facts } = failure;
      process.stdout.write(`${printInline({ error: message, ...facts })}\n`);
    } else if (!failure.isTold) {
      const lines = plainText(failure.message).split("\n");
      process.stderr.write(`${lines.map((line) => shortened(line, 500)).join("\n")}\n`);
    }
    return failure.exitCode;
  }
}

interface Failure {
  readonly exitCode: ExitCode;
  readonly message: string;
  /** Whether the user has seen the message. */
  readonly isTold?: boolean;
  /** Further facts for programs: the code, the problems of files, similar names. */
  readonly facts: object;
}

/** Codes of library errors that are about the call and not about a file. */
const usageCodes: ReadonlySet<string | undefined> = new Set([
  "verbs/unknown-verb",
  "verbs/invalid-parameters",
  "verbs/unknown-entity",
  "verbs/ambiguous-path",
  "verbs/unknown-edit",
  "verbs/not-an-instance",
]);

function failureOf(error: unknown): Failure {
  const { message = String(error), stack = message } = Object(error) as Partial<Error>;
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    const facts = factsOf(new Stop(exitCodes.usage, message));
    return { exitCode, message: message.replace(/^error: /, ""), isTold: true, facts };
  }
  if (error instanceof Stop) return { exitCode: error.exitCode, message, facts: factsOf(error) };
  // Errors of the library are about the user's files, including those of another copy of it.
  const { problems, code } = Object(error) as { problems?: unknown; code?: string };
  if (error instanceof EspalierError || problems !== undefined) {
    const exitCode = usageCodes.has(code) ? exitCodes.usage : exitCodes.problems;
    return { exitCode, message, facts: factsOf(error) };
  }
  return {
    exitCode: exitCodes.fault,
    facts: factsOf(undefined),
    message: `${stack}\nThis is an internal error of the Espalier command line. Please report it.`,
  };
}

/** Ignores that the reader of the output, such as `head`, has closed it; reports other failures, such as a full disk. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") return;
  process.stderr.write(`Cannot write the result: ${whyNot(error)}.\n`);
  process.exit(exitCodes.usage);
}
