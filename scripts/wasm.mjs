/**
 * `npm run wasm`: compiles packages/espalier/wasm/kernel-2d.ts into packages/espalier/src/transform/kernel-2d-bytes.ts.
 *
 * The bytes are in the repository, so that only those who change the kernel need the compiler. It is one of the tools of
 * bench/, whose limits are compiled by it too.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "./workspace.mjs";

const compiler = join(root, "bench/node_modules/assemblyscript/dist/asc.js");
const source = join(root, "packages/espalier/wasm/kernel-2d.ts");

/** The file that holds the compiled kernel. */
export const bytesFile = join(root, "packages/espalier/src/transform/kernel-2d-bytes.ts");

/** Whether the compiler is installed. */
export function hasCompiler() {
  return existsSync(compiler);
}

/** The source. Its functions that must be taken into their callers say `// inline`: the decorator is no TypeScript. */
function readKernel() {
  return readFileSync(source, "utf8").replace(/^\/\/ inline$/gm, "@inline");
}

/** Compiles the kernel and returns the text of `bytesFile`. */
export async function compileKernel() {
  const { default: asc } = await import(pathToFileURL(compiler).href);
  /** @type {Uint8Array} */
  let bytes = new Uint8Array();
  const { error, stderr } = await asc.main(
    [
      "kernel.ts",
      "-o",
      "kernel.wasm",
      "-O3",
      "--noAssert",
      "--runtime",
      "stub",
      "--importMemory",
      "--enable",
      "simd",
    ],
    {
      readFile: (/** @type {string} */ name) => (name === "kernel.ts" ? readKernel() : null),
      writeFile: (/** @type {string} */ name, /** @type {Uint8Array} */ contents) => {
        if (name === "kernel.wasm") bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${stderr.toString()}${error.message}`);
  return `/** Made by \`npm run wasm\` from wasm/kernel-2d.ts. Do not edit. */
const base64 =
  "${Buffer.from(bytes).toString("base64")}";

/** The WebAssembly kernels of 2D transforms. */
export function kernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
`;
}

if (process.argv[1] === import.meta.filename) {
  if (!hasCompiler()) ensureInstalled(join(root, "bench"));
  writeFileSync(bytesFile, await compileKernel());
  console.log("Wrote packages/espalier/src/transform/kernel-2d-bytes.ts");
}
