/**
 * Where a document came from: on the server of the editor, or behind a handle of the browser; and the text read from it.
 */

/** The file of a document, as it was when last read or written. */
export interface FileOrigin {
  /** Its path on the server. */
  readonly path: string | undefined;
  /** The version of the file on the server. */
  readonly version: string | undefined;
  readonly handle: FileSystemFileHandle | undefined;
  /** The text of the file: the base of a merge when it has changed meanwhile, and the form to write it in. */
  readonly text: string | undefined;
}

/** The origin of a document without a file. */
export const noOrigin: FileOrigin = {
  path: undefined,
  version: undefined,
  handle: undefined,
  text: undefined,
};
