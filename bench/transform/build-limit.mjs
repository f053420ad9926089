#!/usr/bin/env node
/** `npm run build:limit` in bench/: compiles limit.ts and writes it, as base64, into limit.wasm.mjs. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/assemblyscript/bin/asc.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "limit-"));
const outFile = join(folder, "limit.wasm");

const options = [
  "--optimizeLevel",
  "3",
  "--runtime",
  "stub",
  "--noAssert",
  "--importMemory",
  "--enable",
  "simd",
];
execFileSync(process.execPath, [compiler, join(here, "limit.ts"), "--outFile", outFile, ...options], {
  stdio: "inherit",
});
const base64 = readFileSync(outFile).toString("base64");
rmSync(folder, { recursive: true });

const lines = base64.match(/.{1,90}/g).map((line) => `  "${line}",`);
writeFileSync(
  join(here, "limit.wasm.mjs"),
  `/** limit.ts, compiled. Written by \`npm run build:limit\`; do not edit. */
export const wasm = [
${lines.join("\n")}
].join("");
`,
);
