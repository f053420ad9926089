/** The part of pngjs that the tests use; it comes without types. */
declare module "pngjs" {
  export class PNG {
    constructor(options: { width: number; height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    static readonly sync: { read(file: Buffer): PNG; write(png: PNG): Buffer };
  }
}
