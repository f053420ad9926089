/** A folder in memory, with the rules of the server: a file that has another version is not written. */
import { createHash } from "node:crypto";
import { FileChangedError } from "../src/files/origin-file.ts";
import type { FileStore, StoredFile } from "../src/files/project.ts";

export class MemoryFiles implements FileStore {
  readonly texts = new Map<string, string>();

  constructor(texts: { readonly [path: string]: string }) {
    for (const [path, text] of Object.entries(texts)) this.texts.set(path, text);
  }

  async project(): ReturnType<FileStore["project"]> {
    const paths = [...this.texts.keys()];
    const prefabs = paths.filter((path) => path.includes(".prefab."));
    return {
      scenes: paths.filter((path) => path.includes(".scene.")),
      prefabs: Object.fromEntries(prefabs.map((path) => [path, this.texts.get(path) as string])),
      images: [],
      components: [],
    };
  }

  async read(path: string): Promise<StoredFile> {
    const text = this.texts.get(path);
    if (text === undefined) throw new Error(`There is no file ${path}.`);
    return { path, text, version: versionOf(text) };
  }

  async write(path: string, text: string, version: string | undefined): Promise<string> {
    const now = this.texts.get(path);
    if (version !== undefined && now !== undefined && versionOf(now) !== version) {
      throw new FileChangedError(`${path} changed on disk.`);
    }
    this.texts.set(path, text);
    return versionOf(text);
  }

  watch(): () => void {
    return () => {};
  }
}

function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
