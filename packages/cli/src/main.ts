#!/usr/bin/env node
/** The program behind `npx espalier`, once the launcher of the library has found it. */
import { run } from "./run.ts";

process.exitCode = await run(process.argv.slice(2));
