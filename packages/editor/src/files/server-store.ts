/**
 * Files through the loopback server of the command line. The token, without which the server reads and writes nothing, is in the
 * address that the server printed.
 */
import type { Collab, SharedBase } from "../share/collab.ts";
import { FileChangedError } from "./origin-file.ts";
import type { FileStore, StoredFile } from "./project.ts";

/** The files of the server, if this page comes from one; `undefined` otherwise. */
export function serverStore(): FileStore | undefined {
  const server = document.querySelector<HTMLMetaElement>('meta[name="espalier-server"]')?.content;
  if (server === undefined || server === "") return undefined;
  const token = takeToken();
  const headers = { "x-espalier-token": token };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, { ...init, headers: { ...headers, ...init.headers } }).catch(() => {
      throw new Error("The server does not answer. Is espalier edit still running?");
    });
    if (response.ok) return response;
    const { error = response.statusText } = (await response.json().catch(() => ({}))) as { error?: string };
    throw response.status === 409 ? new FileChangedError(error) : new Error(error);
  };
  /** Distinguishes changes by this page from those by others. */
  const page = crypto.randomUUID();
  const basesChanged = new Set<(path: string) => void>();
  const post = (body: object) =>
    ask("/api/edits", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  return {
    project: async () => (await ask("/api/project")).json(),
    // Texts are sent as they are: encoding a large one as JSON takes noticeable time.
    read: async (path): Promise<StoredFile> => {
      const response = await ask(`/api/file?raw=1&path=${encodeURIComponent(path)}`);
      return { path, version: response.headers.get("x-espalier-version") ?? "", text: await response.text() };
    },
    write: async (path, text, version, beginning) => {
      const at = new URLSearchParams({
        path,
        ...(version === undefined ? {} : { version }),
        ...(beginning === undefined ? {} : { beginning, page }),
      });
      const response = await ask(`/api/file?${at}`, {
        method: "PUT",
        body: new Blob([text]),
        headers: { "content-type": "text/plain; charset=utf-8" },
      });
      return ((await response.json()) as { version: string }).version;
    },
    import: async (file) => {
      const response = await ask(`/api/import?name=${encodeURIComponent(file.name)}`, {
        method: "POST",
        body: file,
      });
      return ((await response.json()) as { text: string }).text;
    },
    addImage: async (file) => {
      const response = await ask(`/api/image?name=${encodeURIComponent(file.name)}`, {
        method: "POST",
        body: file,
      });
      return ((await response.json()) as { path: string }).path;
    },
    edits: {
      list: async (path) => (await ask(`/api/edits?path=${encodeURIComponent(path)}`)).json(),
      undo: async (path, undo) => void (await post({ path, undo })),
      accept: async (path, accept, entities) => void (await post({ path, accept, entities })),
    },
    share: (module) => ({
      url: `ws://${location.host}/api/share`,
      token,
      load: async () => (await import(/* @vite-ignore */ module)) as Collab,
      base: async (path, beginning) => {
        const at = new URLSearchParams({ path, beginning });
        return ((await (await ask(`/api/base?${at}`)).json()) as { base?: SharedBase }).base;
      },
      setBase: async (path, beginning, base) => {
        await ask("/api/base", {
          method: "PUT",
          body: JSON.stringify({ path, beginning, page, ...base }),
          headers: { "content-type": "application/json" },
        });
      },
      onBase: (changed) => void basesChanged.add(changed),
    }),
    watch: (changed) => {
      const events = new EventSource(`/api/changes?token=${encodeURIComponent(token)}`);
      // Any file may have changed before, or while the connection was lost.
      events.addEventListener("open", () => changed(undefined));
      events.addEventListener("message", (event) => changed(JSON.parse(event.data) as string));
      events.addEventListener("base", ({ data }) => {
        const { path, page: from } = JSON.parse(data) as { path: string; page: string };
        if (from !== page) for (const listener of basesChanged) listener(path);
      });
      return () => events.close();
    },
  };
}

const KEY = "espalier-token";

/** Removes the token from the address, where it could be copied by accident, and keeps it for reloads and further tabs. */
function takeToken(): string {
  const url = new URL(location.href);
  const given = url.searchParams.get("token");
  try {
    if (given !== null) localStorage.setItem(KEY, given);
    else return localStorage.getItem(KEY) ?? "";
  } catch {
    // Without storage it stays in the address.
    return given ?? "";
  }
  url.searchParams.delete("token");
  history.replaceState(history.state, "", url);
  return given;
}
