/** What the tests use of pixelmatch. */
declare module "pixelmatch" {
  export default function pixelmatch(
    a: Uint8Array,
    b: Uint8Array,
    output: Uint8Array | undefined,
    width: number,
    height: number,
    options?: { readonly threshold?: number },
  ): number;
}
