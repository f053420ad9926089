import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compileKernel, hasCompiler, kernels } from "../../scripts/wasm.mjs";

const functions: { [name: string]: string[] } = {
  "kernel-2d": ["areFinite", "composeAll", "propagate", "writeRows"],
  "kernel-3d": ["propagate"],
  "kernel-fold": ["product", "sum"],
};

describe.each(kernels)("the WebAssembly module $name in the source", (kernel) => {
  const text = readFileSync(kernel.bytesFile, "utf8");
  const base64 = /"([A-Za-z0-9+/]+=*)"/.exec(text)?.[1] ?? "";
  const bytes = Buffer.from(base64, "base64");

  it("is valid and needs a memory and nothing else", () => {
    expect(WebAssembly.validate(bytes)).toBe(true);
    const module = new WebAssembly.Module(bytes);
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: "env", name: "memory", kind: "memory" }]);
    expect(
      WebAssembly.Module.exports(module)
        .filter(({ kind }) => kind === "function")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(functions[kernel.name]);
  });

  it("keeps its constants before the records", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    const free = new Uint8Array(memory.buffer, 4096);
    expect(free.every((byte) => byte === 0)).toBe(true);
  });

  it.runIf(hasCompiler())("is what its source compiles to (npm run wasm)", async () => {
    expect(await compileKernel(kernel)).toBe(text);
  });
});
