/**
 * Loading a WebAssembly kernel before it is needed.
 */
import { refuseArgument, requireObject } from "../ecs/internal.ts";

/**
 * Loads the WebAssembly kernel of a space or of an inherited value, and uses it from now on. Gives whether it does: not in small worlds unless
 * `kernel: "wasm"` asks for it, not where there is no kernel or no WebAssembly, and not in a fixed world that has begun without.
 *
 * Calling it is optional: the code is loaded when a world is large enough to gain, JavaScript computes until it is there, and both give the same
 * bits. It is for programs that want to be fast from the first frame on, and for measurements.
 *
 * @throws InvalidArgumentError. Rejects when the file of the kernel cannot be loaded.
 *
 * @example
 * ```ts
 * const load = createInherited(tree, { name: "load", component: ZIndex, initial: 0, combine: sum("z") }, { kernel: "wasm" });
 * await loadKernel(load);
 * load.usesWasm; // → true
 * ```
 */
export async function loadKernel(of: { readonly usesWasm: boolean }): Promise<boolean> {
  requireObject(of, "load a kernel", "what uses it");
  const { loadKernel } = of as { readonly loadKernel?: () => Promise<boolean> };
  if (typeof loadKernel === "function") return loadKernel.call(of);
  return refuseArgument(of, "load a kernel", "what uses it", "a space or an inherited value");
}
