/**
 * Files that were opened lately: their names and texts, because a page cannot open a file again by its name.
 */
import { createStore, get, set } from "idb-keyval";

export interface RecentFile {
  readonly name: string;
  readonly text: string;
  readonly time: number;
}

const MOST = 8;
/** Larger files are not kept. */
const LARGEST = 2_000_000;
const store = () => createStore("espalier-editor-recent", "files");

export async function recentFiles(): Promise<readonly RecentFile[]> {
  try {
    return (await get<readonly RecentFile[]>("list", store())) ?? [];
  } catch {
    return [];
  }
}

export async function rememberFile(name: string, text: string): Promise<void> {
  if (text.length > LARGEST) return;
  const others = (await recentFiles()).filter((file) => file.name !== name);
  await set("list", [{ name, text, time: Date.now() }, ...others].slice(0, MOST), store()).catch(() => {});
}
