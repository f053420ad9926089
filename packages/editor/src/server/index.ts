/**
 * The server of the editor, for command lines. Runs in Node.
 *
 * @packageDocumentation
 */

export { type DescribedComponent, describeComponent } from "../document/described-components.ts";
export type {
  EditKeeper,
  FileEdits,
  ListedBranch,
  ListedDifference,
  ListedEdit,
} from "../edits/listed-edits.ts";
export { appFolder } from "./app-folder.ts";
export { sampleFiles } from "./sample-files.ts";
export { type EditorServer, type ServerOptions, startServer } from "./server.ts";
export type { ShareOptions } from "./share.ts";
