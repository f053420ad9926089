/** Edits and branches of scene files for the editor: listed from journals, undone and accepted by the same verbs as everywhere. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Change, compareScenes, printChanges } from "espalier/verbs";
import type { Config } from "../config.ts";
import { prefabsOnDisk, readText, shown } from "../files.ts";
import { acceptBranch, branchFile } from "./branches.ts";
import { journalOf } from "./journal.ts";
import { runOnFile } from "./run-on-file.ts";

interface LogRow {
  readonly token: string;
  readonly author: string | null;
  readonly reason: string | null;
  readonly text: string;
  readonly undone?: true;
}

/** The functions that the server of the editor needs. */
export function editKeeper(config: Config) {
  return {
    list: async (file: string) => ({ edits: editsOf(file, config), branches: branchesOf(file, config) }),
    async undo(file: string, token: string) {
      runOnFile(file, { verb: "undo", parameters: { edit: token } }, config, { author: "editor" });
    },
    async accept(file: string, branch: string, entities: readonly string[]) {
      acceptBranch(file, branch, entities, {
        config,
        decisions: { all: undefined, byKey: {} },
        author: "editor",
        journal: true,
      });
    },
  };
}

function editsOf(file: string, config: Config) {
  if (!existsSync(journalOf(file))) return [];
  const { output } = runOnFile(file, { verb: "log", parameters: { limit: 500 } }, config);
  return (output as unknown as readonly LogRow[]).map(({ token, author, reason, text, undone }) => ({
    token,
    author,
    reason,
    text,
    isUndone: undone === true,
  }));
}

function branchesOf(file: string, config: Config) {
  const [stem, ending] = branchFile(basename(file), "x").split("@x") as [string, string];
  const names = readdirSync(dirname(file)).flatMap((name) => {
    if (!name.startsWith(`${stem}@`) || !name.endsWith(ending)) return [];
    const branch = name.slice(stem.length + 1, name.length - ending.length);
    return /^[\w-]+$/.test(branch) && existsSync(join(dirname(file), `${name}.base`)) ? [branch] : [];
  });
  return names.sort().map((name) => ({ name, differences: differencesOf(branchFile(file, name), config) }));
}

function differencesOf(branch: string, config: Config) {
  const changes = compareScenes(config.format, readText(`${branch}.base`), readText(branch), {
    file: shown(branch),
    prefabs: prefabsOnDisk(config.prefabs),
    unknown: config.file === undefined ? "keep" : "refuse",
  });
  const byEntity = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.entity === null) continue;
    byEntity.set(change.entity, [...(byEntity.get(change.entity) ?? []), change]);
  }
  return Array.from(byEntity, ([entity, own]) => ({
    entity,
    path: own[0]?.path ?? entity,
    text: printChanges(own),
  }));
}
