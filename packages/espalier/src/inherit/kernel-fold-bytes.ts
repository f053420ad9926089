/** Made by `npm run wasm` from wasm/kernel-fold.ts. Do not edit. */
const base64 =
  "AGFzbQEAAAABCgFgBX9/f39/AX8CDwEDZW52Bm1lbW9yeQIAAAMDAgAABxoDA3N1bQAAB3Byb2R1Y3QAAQZtZW1vcnkCAAqLAQJEAQF/A0AgAyAESARAIANBA3QiBSABaiABIAIgA0ECdGooAgBBA3RqKwMAIAAgBWorAwCgOQMAIANBAWohAwwBCwsgBAtEAQF/A0AgAyAESARAIANBA3QiBSABaiABIAIgA0ECdGooAgBBA3RqKwMAIAAgBWorAwCiOQMAIANBAWohAwwBCwsgBAs=";

/** The WebAssembly kernels of sums and products. */
export function foldKernelBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
