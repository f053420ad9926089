/**
 * Recently opened files: where they are, or, if a page cannot find a file again, a copy of what was opened.
 */
import { createStore, get, set } from "idb-keyval";

export interface RecentFile {
  readonly name: string;
  readonly time: number;
  /** Its path on the server. */
  readonly path?: string | undefined;
  readonly handle?: FileSystemFileHandle | undefined;
  /** A copy of a file that can only be chosen again. */
  readonly text?: string | undefined;
}

const MOST = 8;
/** Larger copies are not kept. */
const LARGEST = 2_000_000;
const store = () => createStore("espalier-editor-recent", "files");

export async function recentFiles(): Promise<readonly RecentFile[]> {
  try {
    return (await get<readonly RecentFile[]>("list", store())) ?? [];
  } catch {
    return [];
  }
}

/** Moves a file to the front of the list. Private windows may have no storage: nothing is remembered there. */
export async function rememberFile(file: Omit<RecentFile, "time">): Promise<void> {
  const { name, path, handle, text } = file;
  const origin = path !== undefined ? { path } : handle !== undefined ? { handle } : { text };
  if (origin.text !== undefined && origin.text.length > LARGEST) return;
  try {
    const others = (await recentFiles()).filter((other) => other.name !== name);
    await set("list", [{ name, ...origin, time: Date.now() }, ...others].slice(0, MOST), store());
  } catch {
    // As above.
  }
}
