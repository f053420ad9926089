/**
 * Reads and writes the file that a document came from.
 */
import { fileSave } from "browser-fs-access";
import type { FileOrigin } from "../document/file-origin.ts";
import type { FileStore } from "./project.ts";

/** Thrown instead of writing a file whose content differs from what was read. */
export class FileChangedError extends Error {}

/** The current content of a file. */
export interface FileNow {
  readonly text: string;
  readonly version: string | undefined;
}

/** Reads the file again. `undefined` when the document has none, or when it no longer exists. */
export async function readOrigin(
  files: FileStore | undefined,
  { path, handle }: FileOrigin,
): Promise<FileNow | undefined> {
  if (path !== undefined) return await files?.read(path).catch(() => undefined);
  const text = await (await handle?.getFile().catch(() => undefined))?.text();
  return text === undefined ? undefined : { text, version: undefined };
}

/**
 * Writes the file of a document.
 *
 * @param options - `force` writes over whatever is there; `beginning` names the room in which the document is edited with others.
 * @returns the new origin of the document; `undefined` when it has no file yet.
 * @throws FileChangedError when the file changed since it was read, unless `force`; nothing is written then.
 */
export async function writeOrigin(
  files: FileStore | undefined,
  origin: FileOrigin,
  text: string,
  { force = false, beginning }: { readonly force?: boolean; readonly beginning?: string | undefined } = {},
): Promise<FileOrigin | undefined> {
  const { path, handle } = origin;
  if (files !== undefined && path !== undefined) {
    const version = await files.write(path, text, force ? undefined : (origin.version ?? ""), beginning);
    return { ...origin, version, text };
  }
  if (handle === undefined) return undefined;
  const now = await readOrigin(files, origin);
  if (!force && now !== undefined && now.text !== origin.text && now.text !== text) {
    throw new FileChangedError(handle.name);
  }
  await fileSave(new Blob([text], { type: "application/json" }), { fileName: handle.name }, handle, true);
  return { ...origin, text };
}
