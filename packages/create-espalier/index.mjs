#!/usr/bin/env node
/**
 * `npm create espalier`: `espalier new`, without anything installed before. Asks for the name of the project where it is left out.
 */
import { createInterface } from "node:readline/promises";
import { run } from "@espalier/cli";

const args = process.argv.slice(2);
const isNamed = args.some((arg, index) => !arg.startsWith("-") && !takesValue(args[index - 1]));
if (!isNamed && !args.includes("--help") && !args.includes("-h") && process.stdin.isTTY)
  args.unshift(await askForName());
process.exitCode = await run(["new", ...args]);

/** @param {string | undefined} option */
function takesValue(option) {
  return option === "--template" || option === "--espalier";
}

async function askForName() {
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await questions.question("Name of the project: [my-game] ")).trim() || "my-game";
  } finally {
    questions.close();
  }
}
