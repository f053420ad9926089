/**
 * The command line of Espalier as functions: run it, and import and export scenes of other tools.
 *
 * @packageDocumentation
 */

export { openInBrowser } from "./edit-browser.ts";
export { type ExitCode, exitCodes, Stop } from "./exit-codes.ts";
export { type Exported, type ExportSceneOptions, exportScene, type NotCarried } from "./export/index.ts";
export { type Imported, type ImportSceneOptions, importScene, type Unmapped } from "./import/index.ts";
export { run } from "./run.ts";
