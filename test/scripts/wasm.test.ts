import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bytesFile, compileKernel, hasCompiler } from "../../scripts/wasm.mjs";

const text = readFileSync(bytesFile, "utf8");
const base64 = /"([A-Za-z0-9+/]+=*)"/.exec(text)?.[1] ?? "";
const bytes = Buffer.from(base64, "base64");

describe("the WebAssembly kernel in the source", () => {
  it("is a valid module that needs a memory and nothing else", () => {
    expect(WebAssembly.validate(bytes)).toBe(true);
    const module = new WebAssembly.Module(bytes);
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: "env", name: "memory", kind: "memory" }]);
    expect(
      WebAssembly.Module.exports(module)
        .filter(({ kind }) => kind === "function")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["areFinite", "composeAll", "composeSlots", "propagate", "writeRows"]);
  });

  it("keeps its constants before the records", () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
    let lastByte = memory.buffer.byteLength - 1;
    const memoryBytes = new Uint8Array(memory.buffer);
    while (lastByte > 0 && memoryBytes[lastByte] === 0) lastByte--;
    expect(lastByte).toBeGreaterThan(0);
    expect(lastByte).toBeLessThan(4096);
  });

  it.runIf(hasCompiler())("is what its source compiles to (npm run wasm)", async () => {
    expect(await compileKernel()).toBe(text);
  });
});
