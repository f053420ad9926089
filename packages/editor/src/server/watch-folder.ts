/**
 * Watches which files of a project folder are added, removed or changed.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { listFiles } from "./project-files.ts";

const LOOK_EVERY = 500;
/** The share of time that scanning may take: a folder may have very many files. */
const SHARE = 0.1;

/**
 * Calls `changed` when a scene, a prefab or an image of the folder is added, removed or changed, while there are listeners. It scans twice
 * a second: the system's notifications about folders are lost for files that are replaced, which is how editors write them.
 */
export function watchFolder(
  folder: string,
  isListening: () => boolean,
  changed: (path: string) => void,
): { begin(): void; close(): void } {
  let known: Map<string, string> | undefined;
  let timer: NodeJS.Timeout;
  const wait = (took: number) => {
    timer = setTimeout(look, Math.max(LOOK_EVERY, took / SHARE));
    timer.unref();
  };
  const look = () => {
    if (!isListening()) {
      known = undefined;
      wait(0);
      return;
    }
    const began = performance.now();
    const now = stampsOf(folder);
    if (known !== undefined) {
      for (const [path, stamp] of now) if (known.get(path) !== stamp) changed(path);
      for (const path of known.keys()) if (!now.has(path)) changed(path);
    }
    known = now;
    wait(performance.now() - began);
  };
  wait(0);
  return {
    begin() {
      known ??= stampsOf(folder);
    },
    close: () => clearTimeout(timer),
  };
}

/** A string that changes with the file; `undefined` if there is none. */
export function stampOf(folder: string, path: string): string | undefined {
  const stats = statSync(join(folder, path), { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.mtimeMs} ${stats.size}`;
}

function stampsOf(folder: string): Map<string, string> {
  const { scenes, prefabs, images, sounds } = listFiles(folder);
  return new Map(
    [...scenes, ...prefabs, ...images, ...sounds].flatMap((path) => {
      const stamp = stampOf(folder, path);
      return stamp === undefined ? [] : [[path, stamp] as const];
    }),
  );
}
