/**
 * From arguments to a command, and from what it does to an exit code.
 */
import { CommanderError } from "commander";
import { EspalierError } from "espalier";
import { type ExitCode, exitCodes, Stop } from "./exit-codes.ts";
import { createProgram } from "./program.ts";

/** Runs the command line. Gives the exit code; never ends the process itself. */
export async function run(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = exitCodes.ok;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    if (args.length === 0) {
      program.outputHelp();
      return exitCodes.ok;
    }
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error instanceof Stop) {
      process.stderr.write(`${error.message}\n`);
      return error.exitCode;
    }
    // Errors of the library are about the user's files and say so; anything else is ours.
    if (error instanceof EspalierError || "problems" in Object(error)) {
      process.stderr.write(`${(error as Error).message}\n`);
      return exitCodes.problems;
    }
    throw error;
  }
  return exitCode;
}
