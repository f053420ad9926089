#!/usr/bin/env node
/** The program behind `npx espalier`, once the launcher of the library has found it. */
import { run } from "./run.ts";

// A tool for programmers: always with the messages of development builds.
process.env.NODE_ENV = "development";
process.exitCode = await run(process.argv.slice(2));
