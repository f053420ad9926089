/**
 * `npm run wasm`: compiles the kernels of packages/espalier/wasm/ into the rooms that use them.
 *
 * The bytes are in the repository, so that the compiler is needed only to change a kernel. It is one of the tools of
 * bench/, whose limits it also compiles.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, root } from "./workspace.mjs";

const compiler = join(root, "bench/node_modules/assemblyscript/dist/asc.js");

/** @param {string} name @param {string} folder @param {string} exported */
function kernel(name, folder, exported) {
  return {
    name,
    source: join(root, `packages/espalier/wasm/${name}.ts`),
    /** The file that holds the compiled kernel. */
    bytesFile: join(root, `packages/espalier/src/${folder}/${name}-bytes.ts`),
    exported,
  };
}

/** All kernels of the library. */
export const kernels = [
  kernel("kernel-2d", "transform/kernels", "kernel2D"),
  kernel("kernel-3d", "transform/kernels", "kernel3D"),
  kernel("kernel-fold", "inherit", "foldKernel"),
];

/** Whether the compiler is installed. */
export function hasCompiler() {
  return existsSync(compiler);
}

/**
 * The source. Functions that must be inlined into their callers say `// inline`: the decorator is not TypeScript.
 * @param {string} source
 */
function readKernel(source) {
  return readFileSync(source, "utf8").replace(/^\/\/ inline$/gm, "@inline");
}

/**
 * Compiles a kernel and returns the text of its `bytesFile`.
 * @param {{ name: string, source: string, exported: string }} kernel
 */
export async function compileKernel({ name, source, exported }) {
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
      readFile: (/** @type {string} */ file) => (file === "kernel.ts" ? readKernel(source) : null),
      writeFile: (/** @type {string} */ file, /** @type {Uint8Array} */ contents) => {
        if (file === "kernel.wasm") bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${stderr.toString()}${error.message}`);
  return `/** Made by \`npm run wasm\` from wasm/${name}.ts, in base64. Do not edit. */
export const ${exported} =
  "${Buffer.from(bytes).toString("base64")}";
`;
}

if (process.argv[1] === import.meta.filename) {
  if (!hasCompiler()) ensureInstalled(join(root, "bench"));
  for (const each of kernels) {
    writeFileSync(each.bytesFile, await compileKernel(each));
    console.log(`Wrote ${each.bytesFile.slice(root.length + 1)}`);
  }
}
