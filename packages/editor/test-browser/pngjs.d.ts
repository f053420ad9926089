/** What the tests use of pngjs, which brings no types. */
declare module "pngjs" {
  export class PNG {
    constructor(options?: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Uint8Array;
    static readonly sync: { read(bytes: Uint8Array): PNG; write(image: PNG): Buffer };
  }
}
