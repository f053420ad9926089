/**
 * Files through the loopback server of the command line. The token, without which the server writes nothing, stands in the page
 * that it serves.
 */
import { FileChangedError } from "./origin-file.ts";
import type { FileStore, StoredFile } from "./project.ts";

/** The server's files, when this page comes from one; nothing otherwise. */
export function serverStore(): FileStore | undefined {
  const token = document.querySelector<HTMLMetaElement>('meta[name="espalier-token"]')?.content;
  if (token === undefined || token === "") return undefined;
  const headers = { "x-espalier-token": token };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(path, { ...init, headers: { ...headers, ...init.headers } });
    if (response.ok) return response;
    const { error = response.statusText } = (await response.json().catch(() => ({}))) as { error?: string };
    throw response.status === 409 ? new FileChangedError(error) : new Error(error);
  };
  return {
    project: async () => (await ask("/api/project")).json(),
    read: async (path) =>
      (await ask(`/api/file?path=${encodeURIComponent(path)}`)).json() as Promise<StoredFile>,
    write: async (path, text, version) => {
      const body = JSON.stringify({ path, text, ...(version === undefined ? {} : { version }) });
      const response = await ask("/api/file", {
        method: "PUT",
        body,
        headers: { "content-type": "application/json" },
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
    watch: (changed) => {
      const events = new EventSource(`/api/changes?token=${encodeURIComponent(token)}`);
      // Whatever changed before, or while the connection was lost, is found by looking.
      events.addEventListener("open", () => changed(undefined));
      events.addEventListener("message", (event) => changed(JSON.parse(event.data) as string));
      return () => events.close();
    },
  };
}
