/** What the reference describes: every entry of the library, and of the packages beside it that programs import. */
import { join } from "node:path";
import { publicNames } from "../scripts/public-names.mjs";
import { root } from "../scripts/workspace.mjs";

/**
 * By the name that programs import, in the order of the sidebar.
 *
 * @type {readonly { readonly name: string, readonly source: string }[]}
 */
export const documented = [
  ...publicNames().map(({ name, source }) => ({ name, source })),
  { name: "@espalier/colyseus", source: join(root, "packages/colyseus/src/index.ts") },
  { name: "@espalier/colyseus/client", source: join(root, "packages/colyseus/src/client/index.ts") },
  { name: "@espalier/colyseus/server", source: join(root, "packages/colyseus/src/server/index.ts") },
  { name: "@espalier/collab", source: join(root, "packages/collab/src/index.ts") },
  { name: "@espalier/collab/relay", source: join(root, "packages/collab/src/relay/index.ts") },
];
